// views/monitor/timeline-panel.tsx: what happened, newest first; incidents as spans. Older events are a page away.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useHistory } from '../../data/history.ts'
import { plural } from '../../format/count.ts'
import styles from './timeline.module.css'
import { timelineOf } from './timeline.ts'
import { TimelineRow } from './timeline-row.tsx'

const eventsOfPage = 100

export function Timeline({ monitorId }: { readonly monitorId: string }) {
  /** The cursors of the pages that were turned, the first page not among them. */
  const [turned, setTurned] = useState<readonly string[]>([])
  const reading = useHistory({ monitorId, order: 'desc', limit: eventsOfPage, cursor: turned.at(-1) })
  if (!reading.available && reading.reason === 'absent') return null
  const retention = reading.available ? `kept ${plural(reading.body.retention_days, 'day')}` : undefined
  return (
    <Panel title="What happened" aside={retention}>
      <ReadingView reading={reading} what="The history">
        {({ events, next_cursor, retention_days }) => (
          <>
            {events.length === 0 ? (
              <Empty>Nothing in the last {plural(retention_days, 'day')}.</Empty>
            ) : (
              <ol className={styles.timeline}>
                {timelineOf(events.toReversed()).map((item) => (
                  <TimelineRow key={item.id} item={item} isNewestPage={turned.length === 0} />
                ))}
              </ol>
            )}
            {(turned.length > 0 || next_cursor !== null) && (
              <div className={styles.pages}>
                <Button disabled={turned.length === 0} onClick={() => setTurned(turned.slice(0, -1))}>
                  Newer
                </Button>
                <Button
                  disabled={next_cursor === null || reading.available === false || reading.isPrevious}
                  onClick={() => next_cursor !== null && setTurned([...turned, next_cursor])}
                >
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </ReadingView>
    </Panel>
  )
}
