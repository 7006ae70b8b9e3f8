// views/monitor/trend.tsx: availability and latency of a monitor over time. If none are kept, it shows the
// latency since the page was opened, and why.
import { Duration } from '../../components/time.tsx'
import type { MonitorDetail } from '../../data/monitor.ts'
import { useTrend } from '../../data/trend.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { TrendPanel, WindowChoice } from '../../trend/trend-panel.tsx'
import { windowWords } from '../../trend/trend-words.ts'
import { useTrendView } from '../../trend/use-trend-window.ts'
import { LatencyPanel } from './latency-panel.tsx'
import styles from './monitor.module.css'

const notKept = 'There are no trends: this edition keeps no history.'

export function MonitorTrend({ monitor }: { readonly monitor: MonitorDetail }) {
  // An edition without stable identities keeps no trend.
  if (monitor.monitor_id === undefined) return <LatencyPanel monitor={monitor} why={notKept} />
  return <KeptTrend monitor={monitor} monitorId={monitor.monitor_id} />
}

function KeptTrend({ monitor, monitorId }: { readonly monitor: MonitorDetail; readonly monitorId: string }) {
  const view = useTrendView(monitor.id)
  const reading = useTrend(monitor.id, view.window)
  if (!reading.available && reading.reason === 'absent')
    return <LatencyPanel monitor={monitor} why={notKept} />
  if (reading.available && reading.body.cells.length === 0)
    return (
      <LatencyPanel
        monitor={monitor}
        choice={<WindowChoice view={view} />}
        why={
          <>
            There is no trend: nothing was counted in the last {windowWords[reading.body.window]}. Trends are
            off (setting <code>trends</code>), or the first checks are being counted.
          </>
        }
      />
    )
  return (
    <TrendPanel
      title="Availability and latency"
      reading={reading}
      view={view}
      subject={{ id: monitor.id, monitorId, name: monitor.name }}
      figure={
        <p className={styles.figure}>
          <b>{formatMilliseconds(monitor.latency_ms)}</b> at the last check; the timeout is{' '}
          <Duration ms={monitor.timeout_ms} />
        </p>
      }
    />
  )
}
