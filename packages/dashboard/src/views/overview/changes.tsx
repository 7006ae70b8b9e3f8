// views/overview/changes.tsx: what changed in the last hour. Left out if the edition keeps no history.

import { describeEvent } from '@pulseward/contract/v1/words'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Reason } from '../../components/reason.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { Age } from '../../components/time.tsx'
import { useHistory } from '../../data/history.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { describeLastHour, lastHour, type ToldEvent, toldEvents } from './last-hour.ts'
import styles from './lists.module.css'

const looksAt = 200
const shown = 4

export function Changes() {
  const reading = useHistory({ order: 'desc', limit: looksAt })
  const nowMs = useNowMs()
  if (!reading.available && reading.reason === 'absent') return null
  const hour = reading.available ? lastHour(reading.body, nowMs) : null
  return (
    <Panel title="Last hour" aside={hour === null ? undefined : describeLastHour(hour)}>
      <ReadingView reading={reading} what="The history">
        {() => (
          <ul className={styles.list}>
            {hour !== null &&
              toldEvents(hour, shown).map((told) => <EventLine key={told.event.id} told={told} />)}
          </ul>
        )}
      </ReadingView>
    </Panel>
  )
}

function EventLine({ told: { event, look } }: { readonly told: ToldEvent }) {
  return (
    <li className={`${styles.line} ${styles.tight}`}>
      <StatusGlyph status={look} />
      <span className={styles.event} title={event.type}>
        {describeEvent(event)} <span className={styles.words}>{event.monitor_id ?? ''}</span>
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
