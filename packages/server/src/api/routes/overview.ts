// api/routes/overview.ts: the fleet in numbers, or 503 while there are none.
import type { Overview } from '@pulseward/contract'
import type { ReadModel } from '../../projection/read-model.ts'
import { ApiError } from '../../requests/problem.ts'
import { type Route, route } from '../route.ts'

export function overviewRoute(model: ReadModel): Route {
  let written: { readonly overview: Overview; readonly json: string } | null = null
  return route('GetOverview', () => {
    const overview = model.overview()
    if (!overview.available)
      throw new ApiError('unavailable', `The overview is not available: ${overview.reason}.`)
    // All clients that ask at the same moment share one overview, so it is serialized once.
    if (written?.overview !== overview.value)
      written = { overview: overview.value, json: JSON.stringify(overview.value) }
    return { status: 200, json: written.json }
  })
}
