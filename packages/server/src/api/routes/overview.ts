// api/routes/overview.ts: the fleet in numbers, or 503 while there are none.
import type { ReadModel } from '../../projection/read-model.ts'
import { ApiError } from '../problem.ts'
import { json, type Route, route } from '../route.ts'

export function overviewRoute(model: ReadModel): Route {
  return route('GetOverview', () => {
    const overview = model.overview()
    if (!overview.available)
      throw new ApiError('unavailable', `The overview is not available: ${overview.reason}.`)
    return json(overview.value)
  })
}
