// views/monitor/timeline-panel.tsx: what happened, newest first, with incidents as spans. Older events are on
// further pages; the URL has the page. Signed-in users also see who changed the monitor.
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loading } from '../../components/loading.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useParameter } from '../../components/use-parameter.ts'
import { useHistory } from '../../data/history.ts'
import type { Reading } from '../../data/reading.ts'
import { type ResourceEvents, useMonitorEdits } from '../../data/resource-events.ts'
import { plural } from '../../format/count.ts'
import { ReportLink } from './report-link.tsx'
import styles from './timeline.module.css'
import { timelineOf } from './timeline.ts'
import { editsOnPage, newestOfMonitor, nextParameter, olderPageOf } from './timeline-page.ts'
import { TimelineRow } from './timeline-row.tsx'

export interface TimelineProps {
  readonly id: number
  readonly monitorId: string
}

export function Timeline({ id, monitorId }: TimelineProps) {
  /** Null for the newest page. Back returns to the previous page. */
  const [parameter, setParameter] = useParameter('older')
  const older = olderPageOf(parameter)
  const reading = useHistory({ ...newestOfMonitor(monitorId), cursor: older?.cursor })
  const edits = useMonitorEdits(monitorId)
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
      <EditsUnknown edits={edits} />
      <ReadingView reading={reading} what="The history">
        {(page) => {
          const known = edits?.available ? edits.body.events : []
          const items = timelineOf(page.events.toReversed(), editsOnPage(known, page, older))
          const next = nextParameter(page)
          return (
            <>
              {items.length > 0 ? (
                <ol className={styles.timeline}>
                  {items.map((item) => (
                    <TimelineRow key={item.id} item={item} isNewestPage={older === null} />
                  ))}
                </ol>
              ) : isLoading(edits) ? (
                <Loading what="The history" />
              ) : (
                <Empty>Nothing in the last {plural(page.retention_days, 'day')}.</Empty>
              )}
              {next !== null && (
                <div className={styles.pages}>
                  <Button
                    disabled={reading.available && reading.isPrevious}
                    onClick={() => setParameter(next)}
                  >
                    Older
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </ReadingView>
      {/* Also shown if a link names a page that is no longer kept. */}
      {older !== null && (
        <div className={styles.pages}>
          <Button onClick={() => setParameter(null)}>Newest</Button>
        </div>
      )}
    </Panel>
  )
}

function isLoading(edits: Reading<ResourceEvents> | null): boolean {
  return edits !== null && !edits.available && edits.reason === 'loading'
}

function EditsUnknown({ edits }: { readonly edits: Reading<ResourceEvents> | null }) {
  if (edits === null || isLoading(edits)) return null
  if (!edits.available) return <p className={styles.unknown}>Who changed the monitor cannot be read now.</p>
  if (!edits.body.isCut) return null
  return (
    <p className={styles.unknown}>The history is long: its newest changes of the monitor are not shown.</p>
  )
}
