// views/monitor/timeline-panel.tsx: what happened, newest first; incidents as spans. Older events are a page away; which
// page is shown is in the address.
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useParameter } from '../../components/use-parameter.ts'
import { useHistory } from '../../data/history.ts'
import { plural } from '../../format/count.ts'
import { ReportLink } from './report-link.tsx'
import styles from './timeline.module.css'
import { timelineOf } from './timeline.ts'
import { TimelineRow } from './timeline-row.tsx'

const eventsOfPage = 100

export interface TimelineProps {
  readonly id: number
  readonly monitorId: string
}

export function Timeline({ id, monitorId }: TimelineProps) {
  /** The cursor of the page; null for the newest. Back goes to the page before. */
  const [older, setOlder] = useParameter('older')
  const reading = useHistory({ monitorId, order: 'desc', limit: eventsOfPage, cursor: older ?? undefined })
  if (!reading.available && reading.reason === 'absent') return null
  return (
    <Panel
      title="What happened"
      aside={
        reading.available && (
          <>
            kept {plural(reading.body.retention_days, 'day')} · <ReportLink id={id} />
          </>
        )
      }
    >
      <ReadingView reading={reading} what="The history">
        {({ events, next_cursor, retention_days }) => (
          <>
            {events.length === 0 ? (
              <Empty>Nothing in the last {plural(retention_days, 'day')}.</Empty>
            ) : (
              <ol className={styles.timeline}>
                {timelineOf(events.toReversed()).map((item) => (
                  <TimelineRow key={item.id} item={item} isNewestPage={older === null} />
                ))}
              </ol>
            )}
            {next_cursor !== null && (
              <div className={styles.pages}>
                <Button
                  disabled={!reading.available || reading.isPrevious}
                  onClick={() => setOlder(next_cursor)}
                >
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </ReadingView>
      {/* Also where a link names a page that is not kept any more. */}
      {older !== null && (
        <div className={styles.pages}>
          <Button onClick={() => setOlder(null)}>Newest</Button>
        </div>
      )}
    </Panel>
  )
}
