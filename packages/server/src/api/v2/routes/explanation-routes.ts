// api/v2/routes/explanation-routes.ts: why a monitor is as it is, why an incident opened and who
// heard of it, and why an action was queued, waits or ended.
import type { Explanations } from '../../../explaining/explanations.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import { type V2Route, v2Read } from '../v2-route.ts'

export function explanationRoutes(explanations: Explanations): V2Route[] {
  return [
    v2Read('ExplainMonitor', async ({ path: { id }, query: { at, endpoint } }) => {
      if (at !== null && at > explanations.now)
        throw new V2Problem(
          'invalidParameter',
          'The moment is in the future: nothing has been decided then.',
          {
            errors: [{ field: 'at', reason: 'tooLarge', message: 'must not be in the future' }],
          },
        )
      const body =
        at === null
          ? await explanations.ofMonitor(id, endpoint)
          : await explanations.ofMonitorAt(id, at, endpoint)
      if (body !== null) return { body }
      const where =
        at === null ? 'in the fleet now; with "at" the record is asked' : 'in the fleet or in the record'
      throw new V2Problem('notFound', `There is no monitor with this id ${where}.`)
    }),
    v2Read('ExplainIncident', async ({ path: { id } }) => {
      const body = await explanations.ofIncident(id)
      if (body === null)
        throw new V2Problem('notFound', 'There is no open incident with this id, nor one that is still kept.')
      return { body }
    }),
    v2Read('ExplainAction', async ({ path: { id } }) => {
      const body = await explanations.ofAction(id)
      if (body === null)
        throw new V2Problem('notFound', 'There is no action with this id, or it is no longer kept.')
      return { body }
    }),
  ]
}
