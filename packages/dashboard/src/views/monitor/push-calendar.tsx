// views/monitor/push-calendar.tsx: a calendar of the last four weeks of a job: what was expected of it and what came.
import { Panel } from '../../components/panel.tsx'
import type { MonitorDetail } from '../../data/monitor.ts'
import { usePeriodHistory } from '../../data/period-history.ts'
import { bodyOf } from '../../data/reading.ts'
import { useTrend } from '../../data/trend.ts'
import styles from './push-calendar.module.css'
import { calendarDays, dayInWords, lookOf, lookWords, type PushDay, pushDays } from './push-days.ts'

const dayMs = 86_400_000
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

export function PushCalendar({ monitor }: { readonly monitor: MonitorDetail }) {
  const { id, monitor_id: monitorId = null } = monitor
  const trend = bodyOf(useTrend(id, '30d'))
  // The same moment for a whole day, so that the history is read once.
  const nowMs = trend === null ? null : Date.parse(trend.generated)
  const sinceMs = Math.floor((nowMs ?? 0) / dayMs - calendarDays - 1) * dayMs
  const history = bodyOf(usePeriodHistory(nowMs === null ? null : monitorId, sinceMs))
  // An edition that keeps no history has no calendar.
  if (trend === null || history === null || nowMs === null) return null
  return (
    <Panel title="The last four weeks">
      <ol className={styles.days} aria-label="Expected and received, by day">
        {pushDays(trend, history.events, nowMs).map((day) => (
          <Day key={day.atMs} day={day} />
        ))}
      </ol>
      <p className={styles.legend} aria-hidden="true">
        {Object.entries(lookWords).map(([look, words]) => (
          <span key={look}>
            <i className={styles[look]} /> {words}
          </span>
        ))}
      </p>
      {!history.isWhole && <p className={styles.note}>Events of the first days are no longer shown.</p>}
    </Panel>
  )
}

function Day({ day }: { readonly day: PushDay }) {
  const look = lookOf(day)
  const words = `${date.format(day.atMs)}: ${dayInWords(day)}`
  return (
    <li className={look === null ? '' : styles[look]} title={words}>
      <span aria-hidden="true">{new Date(day.atMs).getDate()}</span>
      <span className="visually-hidden">{words}</span>
    </li>
  )
}
