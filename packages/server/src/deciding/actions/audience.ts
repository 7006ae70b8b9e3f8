// deciding/actions/audience.ts: whom a monitor tells in each color, and which rules name them: its own, the default of
// the files, or routes. Pure. routing.ts takes the destinations of notifications from here too, so what is shown is where
// they go, and keeps one audience for all monitors with the same rules.
import type { NotifyDefinition, RouteDefinition } from '../../config/fleet-file/definition.ts'
import type { Destinations } from '../../config/fleet-file/destinations.ts'
import type { Color } from '../health/step.ts'
import { colorsByRank } from './action.ts'

type RuleKind = 'own' | 'default' | 'route'

export interface AudienceRule {
  readonly kind: RuleKind
  /** Of a route; the other kinds have none. */
  readonly name: string | null
  /** The group that contains the destination; null if the rule names it alone. */
  readonly group: string | null
}

export interface AudienceMember {
  readonly destination: string
  readonly namedBy: readonly AudienceRule[]
}

/** Each destination once, in the order in which it is told. */
export type Audience = Readonly<Record<Color, readonly AudienceMember[]>>

export type Groups = ReadonlyMap<string, readonly string[]>

export function audienceOf(
  notify: NotifyDefinition,
  routes: readonly RouteDefinition[],
  groups: Groups,
): Audience {
  const ownKind = notify.isDefault === true ? 'default' : 'own'
  const entries = colorsByRank.map((color) => {
    const named = new Map<string, AudienceRule[]>()
    const add = (to: Destinations, kind: RuleKind, name: string | null) => {
      for (const [destination, group] of expanded(to, groups)) {
        const rules = named.get(destination) ?? []
        named.set(destination, [...rules, { kind, name, group }])
      }
    }
    const own = notify.colors[color]
    if (own !== undefined) add(own, ownKind, null)
    for (const { name, colors, destinations } of routes)
      if (colors.includes(color)) add(destinations, 'route', name)
    return [color, Array.from(named, ([destination, namedBy]) => ({ destination, namedBy }))] as const
  })
  return Object.fromEntries(entries) as unknown as Audience
}

function* expanded(to: Destinations, groups: Groups): Generator<[destination: string, group: string | null]> {
  for (const group of to.groups) for (const member of groups.get(group) ?? []) yield [member, group]
  for (const endpoint of to.endpoints) yield [endpoint, null]
}

export function tellsOfRed({ colors, destinations }: RouteDefinition, groups: Groups): boolean {
  return colors.includes('red') && namesAnybody(destinations, groups)
}

/** Whether there is a destination in it. */
export function namesAnybody({ endpoints, groups: named }: Destinations, groups: Groups): boolean {
  return endpoints.length > 0 || named.some((group) => (groups.get(group) ?? []).length > 0)
}
