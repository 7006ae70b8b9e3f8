// trend/use-trend-window.ts: how far back a trend goes, kept in the URL: Back returns to the previous window.
import { trendWindows } from '@pulseward/contract'
import { useParameter } from '../components/use-parameter.ts'
import type { TrendWindow } from '../data/trend.ts'

const usual: TrendWindow = '24h'

export function useTrendWindow(): readonly [TrendWindow, (next: TrendWindow) => void] {
  const [named, set] = useParameter('window')
  const window = trendWindows.find((one) => one === named) ?? usual
  // The default is left out, so that equal views have equal links.
  return [window, (next) => set(next === usual ? null : next)]
}
