// views/monitor/why-recorded.tsx: one sentence under the status: why the monitor is as it is, from the recorded decision. Left
// out for a quiet monitor, and where the record names no reason.
import { StoryLink } from '../../components/story-link.tsx'
import { Time } from '../../components/time.tsx'
import { useHistory } from '../../data/history.ts'
import { useIncidentOpening } from '../../data/incident-opening.ts'
import type { MonitorDetail } from '../../data/monitor.ts'
import { bodyOf } from '../../data/reading.ts'
import { withLocalTimes } from '../../format/time.ts'
import { type RecordedReason, reasonOfIncident, reasonOfState } from '../../words/recorded-reason.ts'
import styles from './monitor.module.css'
import { newestOfMonitor } from './timeline-page.ts'

export function WhyRecorded({ monitor }: { readonly monitor: MonitorDetail }) {
  const { monitor_id, incident_id = null, snoozed_until, status } = monitor
  if (incident_id !== null && snoozed_until === null) return <OfIncident id={incident_id} />
  const isTold = snoozed_until !== null || status === 'verifying'
  return isTold && monitor_id !== undefined && <OfState monitor={monitor} monitorId={monitor_id} />
}

function OfIncident({ id }: { readonly id: string }) {
  const reading = bodyOf(useIncidentOpening(id))
  const reason = reading === null ? null : reasonOfIncident(reading.events)
  return <Sentence reason={reason} incidentId={id} />
}

function OfState(props: { readonly monitor: MonitorDetail; readonly monitorId: string }) {
  const { monitor, monitorId } = props
  const reading = bodyOf(useHistory(newestOfMonitor(monitorId)))
  const reason = reading === null ? null : reasonOfState(monitor, reading.events)
  return <Sentence reason={reason} incidentId={monitor.incident_id ?? null} />
}

function Sentence(props: { readonly reason: RecordedReason | null; readonly incidentId: string | null }) {
  const { reason, incidentId } = props
  if (reason === null && incidentId === null) return null
  return (
    <p className={styles.why}>
      {reason !== null && (
        <>
          {reason.decided} <Time at={reason.at} />
          {reason.because !== null && ` because ${withLocalTimes(reason.because)}`}
          {reason.quote === null ? '.' : ': '}
          {reason.quote !== null && <q>{reason.quote}</q>}{' '}
        </>
      )}
      <StoryLink id={incidentId} />
    </p>
  )
}
