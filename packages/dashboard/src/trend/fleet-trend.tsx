// trend/fleet-trend.tsx: availability and latency of the fleet over time. Nothing if the edition keeps nothing.
import { Empty } from '../components/empty.tsx'
import { Panel } from '../components/panel.tsx'
import { useTrend } from '../data/trend.ts'
import { TrendPanel, WindowChoice } from './trend-panel.tsx'
import { windowWords } from './trend-words.ts'
import { useTrendView } from './use-trend-window.ts'

const title = 'Availability and latency of the fleet'

export default function FleetTrend() {
  const view = useTrendView(null)
  const reading = useTrend(null, view.window)
  if (!reading.available && reading.reason === 'absent') return null
  if (reading.available && reading.body.cells.length === 0)
    return (
      <Panel title={title} aside={<WindowChoice view={view} />}>
        <Empty>
          Nothing was counted in the last {windowWords[reading.body.window]}: trends are off (setting{' '}
          <code>trends</code>), or the first checks are being counted.
        </Empty>
      </Panel>
    )
  return <TrendPanel title={title} reading={reading} subject={null} view={view} />
}
