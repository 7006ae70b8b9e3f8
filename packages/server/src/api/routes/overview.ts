// api/routes/overview.ts: the fleet in numbers, or 503 while there are none.
import type { ReadModel } from '../../projection/read-model.ts'
import { ApiError } from '../problem.ts'
import type { Route } from '../route.ts'

export function overviewRoute(model: ReadModel): Route {
  return {
    path: '/api/v1/overview',
    answer() {
      const overview = model.overview()
      if (!overview.available)
        throw new ApiError('unavailable', `The overview is not available: ${overview.reason}.`)
      return { status: 200, body: overview.value }
    },
  }
}
