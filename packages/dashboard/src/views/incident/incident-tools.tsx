// views/incident/incident-tools.tsx: what can be done with an incident: act on it, print it, save it for a post-mortem.
import { type IncidentStory, storyAsMarkdown, storyFileName } from '@pulseward/contract/v1/words'
import { useMemo } from 'react'
import { offeredVerbs } from '../../acting/standing.ts'
import { useVerbKeys } from '../../acting/use-verb-keys.ts'
import { VerbButtons } from '../../acting/verb-buttons.tsx'
import { isOfIncident } from '../../acting/verbs.ts'
import { Button } from '../../components/button.tsx'
import { saveFile } from '../../components/save-file.ts'
import { incidentPage } from '../../data/incident-path.ts'
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useV2Incident, useV2Monitor } from '../../data/v2-reading.ts'
import { type Key, useKeys } from '../../shell/keys.ts'
import styles from './incident.module.css'
import type { MonitorOfIncident } from './monitor-of-incident.ts'

interface ToolsProps {
  readonly story: IncidentStory
  readonly monitor: MonitorOfIncident
  readonly gap: string | null
}

export function IncidentTools({ story, monitor, gap }: ToolsProps) {
  const { incidentId, monitorId } = story
  const { name } = monitor
  const tools = useMemo(() => {
    const link = incidentId === null ? null : `${location.origin}${incidentPage(incidentId)}`
    const save = () =>
      saveFile(
        storyFileName(story),
        'text/markdown;charset=utf-8',
        storyAsMarkdown(story, { monitorName: name, link, gap }),
      )
    return { save, keys: keysFor(save) }
  }, [story, incidentId, name, gap])
  useKeys(tools.keys)
  return (
    <div className={styles.tools}>
      {incidentId !== null && monitorId !== null && (
        <Verbs incidentId={incidentId} monitorId={monitorId} isOpen={story.closedAt === null} />
      )}
      <span className={styles.papers}>
        <Button onClick={tools.save}>Save as Markdown</Button>
        <Button onClick={() => print()}>Print</Button>
      </span>
    </div>
  )
}

function keysFor(save: () => void): readonly Key[] {
  return [{ keys: 'm', does: 'Save the incident as Markdown', run: save, isCommand: true }]
}

/** The verbs that this incident allows now, for users who may use them. */
function Verbs(props: { readonly incidentId: string; readonly monitorId: string; readonly isOpen: boolean }) {
  const { incidentId, monitorId, isOpen } = props
  const mayAct = useMay('AcknowledgeIncident') && isOpen
  const monitor = bodyOf(useV2Monitor(mayAct ? monitorId : null))
  const incident = bodyOf(useV2Incident(mayAct ? incidentId : null))
  const offered =
    monitor === null || incident === null || incident.state !== 'open'
      ? []
      : offeredVerbs(monitor, incident).filter((verb) => isOfIncident(verb))
  const of = { monitorId, incidentId }
  useVerbKeys({ offered, what: 'this monitor', incident: 'this incident', find: () => of })
  return <VerbButtons of={of} offered={offered} />
}
