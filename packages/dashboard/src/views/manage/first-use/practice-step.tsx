// views/manage/first-use/practice-step.tsx: a target of the service itself, which this page switches off and on, so that
// people see an incident and its messages before they need them. At the end its monitor is removed.
import type { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useHistory } from '../../../data/history.ts'
import { bodyOf } from '../../../data/reading.ts'
import { usePracticeTarget, useV2Monitor } from '../../../data/v2-reading.ts'
import { useV2, type V2Write } from '../../../data/v2-request.ts'
import timeline from '../../monitor/timeline.module.css'
import { timelineOf } from '../../monitor/timeline.ts'
import { TimelineRow } from '../../monitor/timeline-row.tsx'
import { whyNot } from './create.ts'
import styles from './first-use.module.css'
import { practiceId, practiceMonitor } from './practice-monitor.ts'
import { type PracticePhase, phaseOf } from './practice-phase.ts'
import { finishSteps, noteProgress, useProgress } from './progress.ts'

export function PracticeStep() {
  const { practises } = useProgress()
  const target = bodyOf(usePracticeTarget())
  const { problem, write } = useWrites()
  if (target === null) return null
  if (practises) return <Practice target={target} />
  const begin = async () => {
    const body = practiceMonitor(target.url)
    if (await write({ method: 'POST', path: '/api/v2/monitors', body, isCreate: true }, 412))
      noteProgress({ practises: true })
  }
  return (
    <>
      <p>
        Pulseward has a target to practise with: an address of its own, which you can switch off. It is
        checked every two seconds, and removed when you are done.
      </p>
      <p className={`${styles.row} ${styles.act}`}>
        <Button weight="strong" onClick={() => void begin()}>
          Watch the practice target
        </Button>
      </p>
      <Problem text={problem} />
    </>
  )
}

const words: Readonly<Record<PracticePhase, string>> = {
  waiting: 'The first check of the practice target is due within seconds.',
  up: 'The practice target is up. Switch it off, and watch what happens.',
  failing: 'It is off, and its checks fail. The second failure in a row opens an incident.',
  incident: 'An incident is open. Switch the target on again when you have seen enough.',
  recovering: 'It answers again. Two healthy checks in a row close the incident.',
  recovered: 'It has recovered, and the incident is closed. That is all there is to it.',
}

function Practice({ target }: { readonly target: v2.PracticeTarget }) {
  const monitor = bodyOf(useV2Monitor(practiceId))
  const history = bodyOf(useHistory({ monitorId: practiceId, order: 'desc', limit: 50 }))
  const { problem, write } = useWrites()
  const events = history?.events ?? []
  const phase = phaseOf(target.on, monitor?.status?.incidentID !== undefined, monitor?.status?.health, events)
  const items = timelineOf(events.toReversed())
  const switchTo = (on: boolean) => write({ method: 'PUT', path: '/api/v2/practice-target', body: { on } })
  const finish = async () => {
    const version = monitor?.metadata.resourceVersion
    const path = `/api/v2/monitors/${practiceId}`
    if (!target.on) await switchTo(true)
    if (version === undefined || (await write({ method: 'DELETE', path, ifMatch: version }, 404)))
      finishSteps()
  }
  return (
    <>
      <p role="status">{words[phase]}</p>
      <p className={`${styles.row} ${styles.act}`}>
        <Button
          weight={phase === 'up' || phase === 'incident' ? 'strong' : 'normal'}
          onClick={() => void switchTo(!target.on)}
        >
          {target.on ? 'Switch it off' : 'Switch it on'}
        </Button>
        <Button weight={phase === 'recovered' ? 'strong' : 'normal'} onClick={() => void finish()}>
          Remove it and finish
        </Button>
      </p>
      <Problem text={problem} />
      <ol className={timeline.timeline}>
        {items.map((item) => (
          <TimelineRow key={item.id} item={item} isNewestPage />
        ))}
      </ol>
    </>
  )
}

function Problem({ text }: { readonly text: string | null }) {
  return (
    <p role="alert" className={styles.problem}>
      {text}
    </p>
  )
}

function useWrites() {
  const client = useQueryClient()
  const requests = useV2()
  const [problem, setProblem] = useState<string | null>(null)
  /** accepted: a status that means that it was done before. */
  const write = async (asked: V2Write, accepted?: number): Promise<boolean> => {
    if (requests === null) return false
    const outcome = await requests.write(asked)
    const isDone = outcome.kind === 'refused' && outcome.status === accepted
    const refused = isDone ? null : whyNot(outcome, 'It was changed elsewhere. Try again.')
    setProblem(refused)
    void client.invalidateQueries()
    return refused === null
  }
  return { problem, write }
}
