// trend/use-trend-window.ts: how far back a trend goes, kept in the URL: Back returns to the previous window. Without one in
// the URL it is the shortest that has everything counted so far, so that a new monitor does not begin with an empty chart.
import { trendWindows } from '@pulseward/contract'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { bodyOf } from '../data/reading.ts'
import { type Trend, type TrendWindow, useTrend } from '../data/trend.ts'
import { windowMs } from './grid.ts'
import { parseZoom, type Zoom, zoomText } from './zoom.ts'

const usual: TrendWindow = '24h'

export interface TrendView {
  readonly window: TrendWindow
  /** A part of the window; null for all of it. */
  readonly zoom: Zoom | null
  readonly choose: (window: TrendWindow, zoom?: Zoom | null) => void
  /** All of the window in which looking closer began: a part may be shown in a shorter one, with finer cells. */
  readonly showAll: () => void
}

/** The fleet's trend if `monitor` is null. */
export function useTrendView(monitor: number | null): TrendView {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(search)
  const named = windowIn(query, 'window')
  const shown = query.get('zoom')
  const zoom = useMemo(() => parseZoom(shown), [shown])
  const ofDay = bodyOf(useTrend(monitor, usual, { enabled: named === undefined }))
  const window = named ?? (ofDay === null ? usual : fittingWindow(ofDay))
  const isPart = named !== undefined && zoom !== null
  const whole = (isPart ? windowIn(query, 'whole') : undefined) ?? window
  const choose = (next: TrendWindow, part: Zoom | null = null) => {
    query.set('window', next)
    query.delete('zoom')
    query.delete('whole')
    if (part !== null) query.set('zoom', zoomText(part))
    if (part !== null && whole !== next) query.set('whole', whole)
    navigate(`${path}?${query}`)
  }
  return { window, zoom: isPart ? zoom : null, choose, showAll: () => choose(whole) }
}

function windowIn(query: URLSearchParams, name: string): TrendWindow | undefined {
  return trendWindows.find((one) => one === query.get(name))
}

/** The window of the URL, for links that go back as far. */
export function useTrendWindow(): TrendWindow {
  const named = new URLSearchParams(useSearch()).get('window')
  return trendWindows.find((one) => one === named) ?? usual
}

/** Cells of an hour say too little about the last hours. */
const finestMs = 300_000

/** The shortest window with all that was counted within a day. */
export function fittingWindow({ generated, cells, cell_seconds }: Trend): TrendWindow {
  const [oldest] = cells
  if (oldest === undefined || cell_seconds * 1000 > finestMs) return usual
  const agoMs = Date.parse(generated) - Date.parse(oldest.at)
  return (['1h', '6h'] as const).find((window) => agoMs <= windowMs[window]) ?? usual
}
