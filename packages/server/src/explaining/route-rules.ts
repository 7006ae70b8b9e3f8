// explaining/route-rules.ts: where red of a monitor goes, each destination with the rules that name it; and of each route
// that would name a destination that is asked about, why it does not.
import type { v2 } from '@pulseward/contract'
import type { RouteDefinition } from '../config/fleet-file/definition.ts'
import { matchesRoute, tagKey } from '../config/fleet-file/route-match.ts'
import type { AudienceMember } from '../deciding/actions/audience.ts'
import { type Configured, policyNameOf, redAudienceOf } from './configured.ts'
import { decided, listWords, notApplicable, passed, sentence } from './explained.ts'

const verbs = {
  now: {
    goes: 'goes',
    names: 'names',
    name: 'name',
    tells: 'tells',
    doesNot: 'does not',
    doNot: 'do not',
    is: 'is',
    has: 'has',
  },
  past: {
    goes: 'went',
    names: 'named',
    name: 'named',
    tells: 'told',
    doesNot: 'did not',
    doNot: 'did not',
    is: 'was',
    has: 'had',
  },
} as const

/** Whether the rules are those in force, or of an earlier moment. */
export type Tense = keyof typeof verbs

/** A fleet may have thousands of routes; a reader reads a few. */
const mostRoutesTold = 20

export function routeRules(
  configured: Configured,
  endpoint: string | null,
  tense: Tense = 'now',
): v2.ExplainedRule[] {
  const { goes, names } = verbs[tense]
  const red = redAudienceOf(configured)
  const asked = endpoint === null ? red : red.filter(({ destination }) => destination === endpoint)
  const named = asked.map((member) =>
    passed(
      'routes',
      sentence(`Red ${goes} to ${member.destination}`, `${rulesThatName(member)} ${names} it`),
    ),
  )
  const others = endpoint === null ? [] : missedBy(configured, endpoint, tense)
  return [...(named.length > 0 ? named : [unnamed(configured, endpoint, tense)]), ...others]
}

export function isNamed(configured: Configured, endpoint: string): boolean {
  return redAudienceOf(configured).some(({ destination }) => destination === endpoint)
}

function unnamed(configured: Configured, endpoint: string | null, tense: Tense): v2.ExplainedRule {
  const { doNot, goes, name, names, tells } = verbs[tense]
  const rules = 'the monitor, the default and the routes'
  if (policyNameOf(configured) !== null)
    return passed(
      'routes',
      `No rule ${names} ${endpoint ?? 'a destination'} for red; its policy ${tells} people.`,
    )
  return endpoint === null
    ? decided('routes', `Red ${goes} to nobody: ${rules} ${name} no destination.`)
    : decided('routes', sentence(`${rules} ${doNot} name ${endpoint} for red`))
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
function missedBy({ monitor, routing }: Configured, endpoint: string, tense: Tense): v2.ExplainedRule[] {
  const { doNot, doesNot, is } = verbs[tense]
  const missed = routing.routes.flatMap((route) => {
    if (!namesIt(route, routing.groups, endpoint)) return []
    const why = mismatch(route, monitor.labels, monitor.tags, tense)
    if (why !== null)
      return [notApplicable('routes', sentence(`The route ${route.name} ${doesNot} apply`, why))]
    if (route.colors.includes('red')) return []
    const colors = listWords(route.colors)
    return [notApplicable('routes', `The route ${route.name} ${is} for ${colors}, and not for red.`)]
  })
  const left = missed.length - mostRoutesTold
  const more = left > 0 ? [notApplicable('routes', `${left} further routes ${doNot} apply.`)] : []
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
  tense: Tense,
): string | null {
  const { doesNot, has, is } = verbs[tense]
  if (matchesRoute(route, labels, tags)) return null
  const missing = Object.entries(route.match).find(
    ([key, value]) => !matchesRoute({ match: { [key]: value } }, labels, tags),
  )
  const [key, value] = missing!
  if (key === tagKey) return `the monitor ${doesNot} have the tag ${value}`
  const own = Object.hasOwn(labels, key) ? `${has} ${key}=${labels[key]}` : `${has} no label ${key}`
  return `it ${is} for ${key}=${value}, and the monitor ${own}`
}
