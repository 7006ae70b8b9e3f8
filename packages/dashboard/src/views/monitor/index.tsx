// views/monitor: all that is known about one monitor, and what happened to it. What only editions with a store have
// (actions, events) is left out where it is not served.
import { PageTitle } from '../../components/page-title.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Stale } from '../../components/stale.tsx'
import { useMonitor } from '../../data/monitor.ts'
import { Actions } from './actions.tsx'
import { CheckPanel } from './check-panel.tsx'
import { Head } from './head.tsx'
import { LatencyPanel } from './latency-panel.tsx'
import styles from './monitor.module.css'
import { NoSuchMonitor } from './no-such-monitor.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { Timeline } from './timeline-panel.tsx'

export default function Monitor({ id }: { readonly id: string }) {
  const reading = useMonitor(id)
  if (!reading.available) {
    if (reading.reason === 'not-found' || reading.reason === 'refused') return <NoSuchMonitor id={id} />
    return (
      <>
        <PageTitle>{`Monitor ${id}`}</PageTitle>
        <ReadingView reading={reading} what="The monitor">
          {() => null}
        </ReadingView>
      </>
    )
  }
  const monitor = reading.body
  return (
    <>
      <Head monitor={monitor} />
      {reading.stale !== null && <Stale readAtMs={reading.readAtMs} failure={reading.stale} />}
      <div className={styles.columns}>
        <div className={styles.column}>
          <LatencyPanel monitor={monitor} />
          {monitor.monitor_id !== undefined && <Timeline monitorId={monitor.monitor_id} />}
        </div>
        <div className={styles.column}>
          <CheckPanel monitor={monitor} />
          <RulesPanel monitor={monitor} />
          {monitor.monitor_id !== undefined && <Actions monitorId={monitor.monitor_id} />}
        </div>
      </div>
    </>
  )
}
