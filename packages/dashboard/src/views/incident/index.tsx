// views/incident: the story of one incident, from what was recorded: its cause, what was tried, who was told, what people did,
// and its end. Its address can be shared; it prints on paper and is exported as Markdown. One heading in every state.
import { type IncidentStory, storyOf, storySummary } from '@pulseward/contract/v1/words'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { type IncidentEvents, useIncidentEvents } from '../../data/incident-events.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { IncidentEscalation } from '../../escalation/incident-escalation.tsx'
import { plural } from '../../format/count.ts'
import { withLocalTimes } from '../../format/time.ts'
import styles from './incident.module.css'
import { IncidentFacts } from './incident-facts.tsx'
import { IncidentTools } from './incident-tools.tsx'
import { type MonitorOfIncident, useMonitorOfIncident } from './monitor-of-incident.ts'
import { NoteForm } from './note-form.tsx'
import { StoryPanels } from './story-panels.tsx'

export default function Incident({ id }: { readonly id: string }) {
  const reading = useIncidentEvents(id)
  const isMissing = !reading.available && reading.reason === 'not-found'
  const story = useMemo(() => (reading.available ? storyOf(reading.body.events) : null), [reading])
  const monitor = useMonitorOfIncident(story?.monitorId ?? null)
  const name = monitor.name ?? story?.monitorId ?? null
  const nowMs = useNowMs()
  const title = isMissing ? 'There is no such incident' : name === null ? 'Incident' : `Incident: ${name}`
  return (
    <>
      <PageTitle tab={title} note={story === null ? undefined : withLocalTimes(storySummary(story, nowMs))}>
        {title}
      </PageTitle>
      {isMissing ? (
        <p className={styles.note}>
          No incident has the id {id}, or it closed more than 30 days ago.{' '}
          <Link href="/alerts" className={styles.link}>
            Go to the alerts
          </Link>
        </p>
      ) : (
        <ReadingView
          reading={reading}
          what="The story"
          absent={<Empty>There is no story: this edition keeps no history.</Empty>}
        >
          {(body) => story !== null && <Told id={id} story={story} body={body} monitor={monitor} />}
        </ReadingView>
      )}
    </>
  )
}

interface ToldProps {
  readonly id: string
  readonly story: IncidentStory
  readonly body: IncidentEvents
  readonly monitor: MonitorOfIncident
}

function Told({ id, story, body, monitor }: ToldProps) {
  const gap = gapIn(story, body)
  return (
    <div className={styles.story}>
      <IncidentTools story={story} monitor={monitor} gap={gap} />
      <PanelGroup>
        {gap !== null && <p className={styles.limit}>{gap}</p>}
        <PanelGroup className={styles.columns}>
          <PanelGroup className={styles.column}>
            <IncidentFacts story={story} monitor={monitor} />
            <IncidentEscalation incidentId={story.closedAt === null ? id : null} />
          </PanelGroup>
          <PanelGroup className={styles.column}>
            <StoryPanels story={story} />
            <NoteForm incidentId={id} />
          </PanelGroup>
        </PanelGroup>
      </PanelGroup>
    </div>
  )
}

/** Why the story is not whole, as a sentence; null if it is. */
function gapIn(
  { openedAt }: IncidentStory,
  { isWhole, events, retentionDays }: IncidentEvents,
): string | null {
  if (!isWhole)
    return `This incident has very many events: only the first ${plural(events.length, 'event')} are shown.`
  if (openedAt === null)
    return `Events are kept for ${plural(retentionDays, 'day')}: how this incident began is no longer known.`
  return null
}
