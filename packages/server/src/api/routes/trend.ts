// api/routes/trend.ts: availability and latency over time, of one monitor and of the fleet.
import type { Trend } from '@pulseward/contract'
import type { TrendViews } from '../../projection/trend-views.ts'
import { ApiError } from '../../requests/problem.ts'
import { readable } from '../readable.ts'
import { json, type Route, route } from '../route.ts'

export interface TrendRoutesOptions {
  readonly trends: TrendViews
  /** Until the fleet is loaded there are no monitors to ask for. */
  readonly isLoaded: () => boolean
}

export function trendRoutes({ trends, isLoaded }: TrendRoutesOptions): Route[] {
  const read = <Found extends Trend | null>(reading: () => Promise<Found>): Promise<Found> => {
    if (!isLoaded())
      throw new ApiError('unavailable', 'Trends cannot be shown: the fleet has not been loaded yet.')
    return readable(reading(), 'unavailable', 'Trends cannot be read now.')
  }
  return [
    route('GetMonitorTrend', async ({ path: { id }, query: { window = '24h' } }) => {
      const trend = await read(() => trends.monitor(id, window))
      if (trend === null) throw new ApiError('monitor_not_found', `No monitor has the number ${id}.`)
      return json(trend)
    }),
    route('GetTrend', async ({ query: { window = '24h' } }) => json(await read(() => trends.fleet(window)))),
  ]
}
