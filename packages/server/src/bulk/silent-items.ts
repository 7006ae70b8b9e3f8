// bulk/silent-items.ts: which monitors of a collection tell nobody when they fail. That is no mistake, so a preflight only
// notes it. The routes in force are asked; routes of the collection itself are not in force yet.
import { v2 } from '@pulseward/contract'
import type { AroundWork } from './work.ts'

/** Their places among the items, up to the number of items that a preflight shows. */
export async function silentItems(
  items: readonly v2.ApplyItem[],
  around: Pick<AroundWork, 'routesTell'>,
): Promise<readonly number[]> {
  const places = [...items.keys()].filter((place) => namesNobody(items[place]!.resource))
  const shown = places.slice(0, v2.limits.preflightItems)
  if (shown.length === 0) return []
  const told = await around.routesTell(
    shown.map((place) => {
      const { metadata, spec } = items[place]!.resource as v2.Monitor
      return { labels: metadata.labels ?? {}, tags: spec.tags ?? [] }
    }),
  )
  return shown.filter((_, index) => told[index] === false)
}

function namesNobody({ kind, spec }: v2.Resource): boolean {
  if (kind !== 'Monitor' || spec.enabled === false || spec.policyRef !== undefined) return false
  const { dispatch, endpointRefs = [], groupRefs = [] } = spec.notifications?.red ?? {}
  return dispatch === false || endpointRefs.length + groupRefs.length === 0
}
