// explaining/route-rules.ts: where red of a monitor goes, each destination with the rules that name it; and of each route
// that would name a destination that is asked about, why it does not.
import type { v2 } from '@pulseward/contract'
import type { RouteDefinition } from '../config/fleet-file/definition.ts'
import { matchesRoute, tagKey } from '../config/fleet-file/route-match.ts'
import type { AudienceMember } from '../deciding/actions/audience.ts'
import { type Configured, policyNameOf, redAudienceOf } from './configured.ts'
import { decided, listWords, notApplicable, passed, sentence } from './explained.ts'

/** A fleet may have thousands of routes; a reader reads a few. */
const mostRoutesTold = 20

export function routeRules(configured: Configured, endpoint: string | null): v2.ExplainedRule[] {
  const red = redAudienceOf(configured)
  const asked = endpoint === null ? red : red.filter(({ destination }) => destination === endpoint)
  const named = asked.map((member) =>
    passed('routes', sentence(`Red goes to ${member.destination}`, `${rulesThatName(member)} names it`)),
  )
  const others = endpoint === null ? [] : missedBy(configured, endpoint)
  return [...(named.length > 0 ? named : [unnamed(configured, endpoint)]), ...others]
}

export function isNamed(configured: Configured, endpoint: string): boolean {
  return redAudienceOf(configured).some(({ destination }) => destination === endpoint)
}

function unnamed(configured: Configured, endpoint: string | null): v2.ExplainedRule {
  const policy = policyNameOf(configured)
  if (policy !== null)
    return passed('routes', `No rule names ${endpoint ?? 'a destination'} for red; its policy tells people.`)
  return endpoint === null
    ? decided('routes', 'Red goes to nobody: the monitor, the default and the routes name no destination.')
    : decided('routes', `The monitor, the default and the routes do not name ${endpoint} for red.`)
}

function rulesThatName({ namedBy }: AudienceMember): string {
  const words = namedBy.map(({ kind, name, group }) => {
    const rule =
      kind === 'route' ? `the route ${name ?? '?'}` : kind === 'own' ? 'the monitor itself' : 'the default'
    return group === null ? rule : `${rule} (by the group ${group})`
  })
  return listWords(words)
}

/** Routes that name the destination, and do not send red of this monitor there. */
function missedBy({ monitor, routing }: Configured, endpoint: string): v2.ExplainedRule[] {
  const missed = routing.routes.flatMap((route) => {
    if (!namesIt(route, routing.groups, endpoint)) return []
    const why = mismatch(route, monitor.labels, monitor.tags)
    if (why !== null)
      return [notApplicable('routes', sentence(`The route ${route.name} does not apply`, why))]
    if (route.colors.includes('red')) return []
    const colors = listWords(route.colors)
    return [notApplicable('routes', `The route ${route.name} is for ${colors}, and not for red.`)]
  })
  const left = missed.length - mostRoutesTold
  const more = left > 0 ? [notApplicable('routes', `${left} further routes do not apply.`)] : []
  return [...missed.slice(0, mostRoutesTold), ...more]
}

function namesIt(
  { destinations }: RouteDefinition,
  groups: Configured['routing']['groups'],
  endpoint: string,
) {
  const inGroup = destinations.groups.some((group) => groups.get(group)?.includes(endpoint))
  return inGroup || destinations.endpoints.includes(endpoint)
}

function mismatch(
  route: RouteDefinition,
  labels: Readonly<Record<string, string>>,
  tags: readonly string[],
): string | null {
  if (matchesRoute(route, labels, tags)) return null
  const missing = Object.entries(route.match).find(
    ([key, value]) => !matchesRoute({ match: { [key]: value } }, labels, tags),
  )
  const [key, value] = missing!
  if (key === tagKey) return `the monitor does not have the tag ${value}`
  const own = Object.hasOwn(labels, key) ? `has ${key}=${labels[key]}` : `has no label ${key}`
  return `it is for ${key}=${value}, and the monitor ${own}`
}
