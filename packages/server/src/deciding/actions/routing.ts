// deciding/actions/routing.ts: which destinations a color of a monitor goes to: the groups and endpoints that the monitor
// names, and those of every route that matches its labels and tags, each once. Monitors that match the same routes share
// one table, so a million monitors need only a few tables. A table is built on first use.
import type {
  FleetDefinition,
  NotifyDefinition,
  RouteDefinition,
} from '../../config/fleet-file/definition.ts'
import { matchesRoute, policyRoutes, tagKey } from '../../config/fleet-file/route-match.ts'
import type { Color } from '../health/step.ts'
import { colorsByRank } from './action.ts'
import { type Audience, audienceOf, type Groups, namesAnybody, tellsOfRed } from './audience.ts'

export type RoutedFleet = Pick<FleetDefinition, 'notifications' | 'labels' | 'tags' | 'groups' | 'routes'>

type Table = Readonly<Record<Color, readonly string[]>>

/** Who is told by the same rules: with the rules that name them for readers, alone for notifications. */
interface Told {
  readonly audience: Audience
  readonly destinations: Table
}

/** The matching routes of some monitors, and who is told by them. */
interface Matching {
  readonly routes: readonly RouteDefinition[]
  /** By the number of the monitor's own rules. */
  readonly told: Map<number, Told>
  /** Whether one of them has a destination for red, or a policy. */
  readonly tellsOfRed: boolean
  /** Of the first of them that names one; null if none does. */
  readonly policy: string | null
}

export class Routing {
  readonly #fleet: RoutedFleet
  readonly #labels: SeenValues<Readonly<Record<string, string>>>
  readonly #tags: SeenValues<readonly string[]>
  /** By what routes see of labels, then of tags. */
  readonly #matching: Matching[][] = []
  /** Whether rules of monitors name anybody for red, by their number. */
  readonly #ownRed: boolean[] = []
  readonly #policyRoutes: ReturnType<typeof policyRoutes>
  readonly #hasRedRoutes: boolean

  constructor(fleet: RoutedFleet) {
    this.#fleet = fleet
    const matches = fleet.routes.flatMap(({ match }) => Object.entries(match))
    const seenLabels = new Map<string, Set<string>>()
    for (const [key, value] of matches)
      if (key !== tagKey) seenLabels.set(key, (seenLabels.get(key) ?? new Set()).add(value))
    const seenTags = new Set(matches.flatMap(([key, value]) => (key === tagKey ? [value] : [])))
    this.#labels = new SeenValues(fleet.labels.values, (labels) =>
      Array.from(seenLabels, ([key, values]) => {
        const value = Object.hasOwn(labels, key) ? labels[key] : undefined
        return value !== undefined && values.has(value) ? value : null
      }),
    )
    this.#tags = new SeenValues(fleet.tags.values, (tags) => tags.filter((tag) => seenTags.has(tag)).sort())
    this.#policyRoutes = policyRoutes(fleet.routes)
    this.#hasRedRoutes =
      this.#policyRoutes.length > 0 || fleet.routes.some((route) => tellsOfRed(route, fleet.groups))
  }

  destinationsOf(row: number, color: Color): readonly string[] {
    return this.#toldOf(row).destinations[color]
  }

  /** The same destinations, with the rules that name them. */
  audienceOf(row: number): Audience {
    return this.#toldOf(row).audience
  }

  /** The monitor's own policy, else that of the first matching route that names one, else the default; null if none. */
  policyOf(row: number): string | null {
    const { policy, defaultPolicy } = this.#fleet.notifications.values[this.#fleet.notifications.of[row]!]!
    return policy ?? this.#matchingOf(row).policy ?? defaultPolicy ?? null
  }

  /** Whether red of the monitor has a destination. Made for a million monitors: it builds no table and no object. */
  tellsSomebody(row: number): boolean {
    const number = this.#fleet.notifications.of[row]!
    return (
      (this.#ownRed[number] ?? this.#readOwnRed(number)) ||
      (this.#hasRedRoutes && this.#matchingOf(row).tellsOfRed)
    )
  }

  /** Whether a route has a destination for red of a monitor with these, which need not be in the fleet. */
  routeTells(labels: Readonly<Record<string, string>>, tags: readonly string[]): boolean {
    return this.#match(labels, tags).tellsOfRed
  }

  #readOwnRed(number: number): boolean {
    const { notifications, groups } = this.#fleet
    const { colors, policy, defaultPolicy } = notifications.values[number]!
    const { red } = colors
    const hasPolicy = policy !== undefined || defaultPolicy !== undefined
    this.#ownRed[number] = hasPolicy || (red !== undefined && namesAnybody(red, groups))
    return this.#ownRed[number]
  }

  #toldOf(row: number): Told {
    const { notifications, groups } = this.#fleet
    const { routes, told } = this.#matchingOf(row)
    const number = notifications.of[row]!
    let found = told.get(number)
    if (found === undefined) {
      found = toldBy(notifications.values[number]!, routes, groups)
      told.set(number, found)
    }
    return found
  }

  #matchingOf(row: number): Matching {
    const { labels, tags } = this.#fleet
    const ofLabels = this.#labels.numberOf(labels.of[row]!)
    const ofTags = this.#tags.numberOf(tags.of[row]!)
    this.#matching[ofLabels] ??= []
    const known = this.#matching[ofLabels]
    known[ofTags] ??= this.#match(labels.values[labels.of[row]!]!, tags.values[tags.of[row]!]!)
    return known[ofTags]
  }

  #match(labels: Readonly<Record<string, string>>, tags: readonly string[]): Matching {
    const { routes: all, groups } = this.#fleet
    const routes = all.filter((route) => matchesRoute(route, labels, tags))
    const policy = this.#policyRoutes.find((route) => matchesRoute(route, labels, tags))?.policy ?? null
    const tells = policy !== null || routes.some((route) => tellsOfRed(route, groups))
    return { routes, told: new Map(), tellsOfRed: tells, policy }
  }
}

function toldBy(notify: NotifyDefinition, routes: readonly RouteDefinition[], groups: Groups): Told {
  const audience = audienceOf(notify, routes, groups)
  const destinations = Object.fromEntries(
    colorsByRank.map((color) => [color, audience[color].map(({ destination }) => destination)]),
  ) as unknown as Table
  return { audience, destinations }
}

/** Values that monitors share, numbered by what routes see of them: equal numbers if no route tells them apart. */
class SeenValues<Value> {
  readonly #values: readonly Value[]
  readonly #seenOf: (value: Value) => unknown
  readonly #numbers = new Map<string, number>()
  readonly #known: number[] = []

  constructor(values: readonly Value[], seenOf: (value: Value) => unknown) {
    this.#values = values
    this.#seenOf = seenOf
  }

  numberOf(index: number): number {
    const known = this.#known[index]
    if (known !== undefined) return known
    const seen = JSON.stringify(this.#seenOf(this.#values[index]!))
    const number = this.#numbers.get(seen) ?? this.#numbers.size
    this.#numbers.set(seen, number)
    this.#known[index] = number
    return number
  }
}
