// api/routes/trend.ts: availability and latency over time, of one monitor, of several, and of the fleet.
import { type RecentTrends, type Trend, v1Limits } from '@pulseward/contract'
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
  const read = <Found extends Trend | RecentTrends | null>(reading: () => Promise<Found>): Promise<Found> => {
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
    route('GetRecentTrends', async ({ query: { ids } }) => {
      const numbers = monitorNumbers(ids)
      return json(await read(() => trends.recent(numbers)))
    }),
  ]
}

const highestNumber = 2 ** 32 - 1

/** A number that stands twice counts once. */
function monitorNumbers(text: string | undefined): readonly number[] {
  if (text === undefined) return []
  const numbers = [...new Set(text.split(','))].map((one) => (/^\d{1,10}$/.test(one) ? Number(one) : -1))
  if (numbers.some((number) => number < 0 || number > highestNumber))
    throw refusedIds('must be the numbers of monitors with commas between them, such as 1,2,3')
  if (numbers.length > v1Limits.recentMonitors)
    throw refusedIds(`may name at most ${v1Limits.recentMonitors} monitors; ask for the others separately`)
  return numbers
}

function refusedIds(message: string): ApiError {
  return new ApiError('invalid_parameter', `The parameter ids ${message}.`, [{ field: 'ids', message }])
}
