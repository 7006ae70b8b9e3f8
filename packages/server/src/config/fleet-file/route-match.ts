// config/fleet-file/route-match.ts: whether a route is about a monitor: it has all labels and tags that the route names.
import type { RouteDefinition } from './definition.ts'

type Match = RouteDefinition['match']
type Labels = Readonly<Record<string, string>>

/** The key that stands for tags instead of a label. */
export const tagKey = 'tag'

export function matchesRoute(
  { match }: Pick<RouteDefinition, 'match'>,
  labels: Labels,
  tags: readonly string[],
): boolean {
  return matchesLabels(match, labels) && matchesTags(match, tags)
}

/** As far as labels say: a route also looks at tags. */
export function matchesLabels(match: Match, labels: Labels): boolean {
  return Object.entries(match).every(
    ([key, value]) => key === tagKey || (Object.hasOwn(labels, key) && labels[key] === value),
  )
}

/** As far as tags say. */
export function matchesTags(match: Match, tags: readonly string[]): boolean {
  return Object.entries(match).every(([key, value]) => key !== tagKey || tags.includes(value))
}

/** Those that give monitors a policy: the first that matches counts. */
export function policyRoutes(routes: readonly RouteDefinition[]): (RouteDefinition & { policy: string })[] {
  return routes
    .filter((route): route is RouteDefinition & { policy: string } => route.policy !== undefined)
    .sort((one, other) => (one.order ?? 0) - (other.order ?? 0) || (one.name < other.name ? -1 : 1))
}
