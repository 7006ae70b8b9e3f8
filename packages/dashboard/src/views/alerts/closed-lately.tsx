// views/alerts/closed-lately.tsx: the incidents that ended last. Left out if the edition keeps no history.
import { Empty } from '../../components/empty.tsx'
import { MonitorLink } from '../../components/monitor-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Reason } from '../../components/reason.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { StoryLink } from '../../components/story-link.tsx'
import { Age } from '../../components/time.tsx'
import { type History, newestEvents, useHistory } from '../../data/history.ts'
import { useKnownMonitors } from '../../data/known-monitors.ts'
import { Why } from '../../explaining/why.tsx'
import { formatDuration } from '../../format/duration.ts'
import styles from './alerts.module.css'
import { type ClosedIncident, recentCloses } from './recent-closes.ts'

const most = 15
const endings: Readonly<Record<string, string>> = {
  recovered: 'Recovered',
  disabled: 'The monitor was disabled',
  removed: 'The monitor was removed',
}

export function ClosedLately() {
  const reading = useHistory(newestEvents)
  if (!reading.available && reading.reason === 'absent') return null
  return (
    <Panel title="Closed lately" aside="newest first">
      <ReadingView reading={reading} what="The history">
        {(history) => <Closes history={history} />}
      </ReadingView>
    </Panel>
  )
}

function Closes({ history }: { readonly history: History }) {
  const closes = recentCloses(history.events, most)
  const known = useKnownMonitors(closes.map(({ monitorId }) => monitorId))
  if (closes.length === 0)
    return (
      <Empty>
        {history.next_cursor === null
          ? `No incident closed in the last ${history.retention_days} days.`
          : 'None of the latest events closed an incident.'}
      </Empty>
    )
  return (
    <ul>
      {closes.map((closed) => {
        const monitor = known.get(closed.monitorId)
        return (
          <li key={closed.id} className={styles.closed}>
            <StatusGlyph status="up" />
            <div className={styles.what}>
              <MonitorLink id={monitor?.id} name={monitor?.name ?? closed.monitorId} />
              <p className={styles.words}>
                {endingOf(closed)} <StoryLink id={closed.incidentId} of={monitor?.name ?? closed.monitorId} />{' '}
                {closed.incidentId !== null && (
                  <Why
                    kind="incidents"
                    id={closed.incidentId}
                    of={`incident of ${monitor?.name ?? closed.monitorId}`}
                  />
                )}
              </p>
              {closed.cause !== null && <Reason text={closed.cause.text} />}
            </div>
            <span className={styles.age}>
              <Age since={closed.closedAt} /> ago
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function endingOf({ outcome, lastedMs }: ClosedIncident): string {
  const ending = endings[outcome ?? ''] ?? 'Closed'
  return lastedMs === null ? `${ending}.` : `${ending} after ${formatDuration(lastedMs)}.`
}
