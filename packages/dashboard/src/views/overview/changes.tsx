// views/overview/changes.tsx: what changed in the last hour. Left out if the edition keeps no history.

import { describeEvent } from '@pulseward/contract/v1/words'
import { MonitorLink } from '../../components/monitor-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Reason } from '../../components/reason.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { Age } from '../../components/time.tsx'
import { useHistory } from '../../data/history.ts'
import { type KnownMonitor, useKnownMonitors } from '../../data/known-monitors.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { describeLastHour, lastHour, type ToldEvent, toldEvents } from './last-hour.ts'
import styles from './lists.module.css'

const looksAt = 200
const shown = 4

export function Changes() {
  const reading = useHistory({ order: 'desc', limit: looksAt })
  const nowMs = useNowMs()
  const hour = reading.available ? lastHour(reading.body, nowMs) : null
  const told = hour === null ? [] : toldEvents(hour, shown)
  const known = useKnownMonitors(told.flatMap(({ event }) => event.monitor_id ?? []))
  if (!reading.available && reading.reason === 'absent') return null
  return (
    <Panel title="Last hour" aside={hour === null ? undefined : describeLastHour(hour)}>
      <ReadingView reading={reading} what="The history">
        {/* Without events, the heading has said that nothing happened. */}
        {() => (
          <ul className={styles.list}>
            {told.map((one) => (
              <EventLine key={one.event.id} told={one} known={known} />
            ))}
          </ul>
        )}
      </ReadingView>
    </Panel>
  )
}

interface EventLineProps {
  readonly told: ToldEvent
  readonly known: ReadonlyMap<string, KnownMonitor>
}

function EventLine({ told: { event, look }, known }: EventLineProps) {
  const { monitor_id } = event
  const monitor = monitor_id === null ? undefined : known.get(monitor_id)
  return (
    <li className={`${styles.line} ${styles.tight}`}>
      <StatusGlyph status={look} />
      <span className={styles.event} title={event.type}>
        {monitor_id !== null && (
          <>
            <MonitorLink id={monitor?.id} name={monitor?.name ?? monitor_id} />{' '}
          </>
        )}
        <span className={monitor_id === null ? undefined : styles.words}>{describeEvent(event)}</span>
      </span>
      <span className={styles.age}>
        <Age since={event.at} />
      </span>
      {event.reason !== null && (
        <div className={styles.below}>
          <Reason text={event.reason} />
        </div>
      )}
    </li>
  )
}
