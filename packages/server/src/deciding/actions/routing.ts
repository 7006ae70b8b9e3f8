// deciding/actions/routing.ts: which destinations a color of a monitor goes to: the groups and endpoints that the monitor
// names, and those of every route that matches its labels and tags, each once. Monitors that match the same routes share
// one table, so a million monitors need only a few tables. A table is built on first use.
import type {
  Destinations,
  FleetDefinition,
  NotifyDefinition,
  RouteDefinition,
} from '../../config/fleet-file/definition.ts'
import type { Color } from '../health/step.ts'
import { colorsByRank } from './action.ts'

export type RoutedFleet = Pick<FleetDefinition, 'notifications' | 'labels' | 'tags' | 'groups' | 'routes'>

type Table = Readonly<Record<Color, readonly string[]>>

/** The match key that stands for tags instead of a label. */
const tagKey = 'tag'

export class Routing {
  readonly #fleet: RoutedFleet
  /** What routes match: values by label, and tags. Monitors that differ only in others share a table. */
  readonly #labels = new Map<string, Set<string>>()
  readonly #tags = new Set<string>()
  /** By the labels and tags that routes match on: the matching routes, and the tables built for them. */
  readonly #matching = new Map<
    string,
    { readonly routes: readonly RouteDefinition[]; readonly tables: Map<number, Table> }
  >()

  constructor(fleet: RoutedFleet) {
    this.#fleet = fleet
    for (const [key, value] of fleet.routes.flatMap(({ match }) => Object.entries(match))) {
      if (key === tagKey) this.#tags.add(value)
      else this.#labels.set(key, (this.#labels.get(key) ?? new Set()).add(value))
    }
  }

  destinationsOf(row: number, color: Color): readonly string[] {
    const { notifications, labels, tags } = this.#fleet
    const matching = this.#matchingRoutes(labels.values[labels.of[row]!]!, tags.values[tags.of[row]!]!)
    const number = notifications.of[row]!
    let table = matching.tables.get(number)
    if (table === undefined) {
      table = this.#makeTable(notifications.values[number]!, matching.routes)
      matching.tables.set(number, table)
    }
    return table[color]
  }

  #matchingRoutes(labels: Readonly<Record<string, string>>, tags: readonly string[]) {
    const seenTags = tags.filter((tag) => this.#tags.has(tag)).sort()
    const seenLabels = Array.from(this.#labels, ([key, values]) => {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined
      return value !== undefined && values.has(value) ? value : null
    })
    const key = JSON.stringify([seenLabels, seenTags])
    let matching = this.#matching.get(key)
    if (matching === undefined) {
      const routes = this.#fleet.routes.filter((route) => matches(route, labels, tags))
      matching = { routes, tables: new Map() }
      this.#matching.set(key, matching)
    }
    return matching
  }

  #makeTable(notify: NotifyDefinition, routes: readonly RouteDefinition[]): Table {
    const entries = colorsByRank.map((color) => {
      const named = notify.colors[color]
      const routed = routes.filter(({ colors }) => colors.includes(color))
      const all = [...(named === undefined ? [] : [named]), ...routed.map((route) => route.destinations)]
      return [color, [...new Set(all.flatMap((destinations) => this.#expand(destinations)))]] as const
    })
    return Object.fromEntries(entries) as unknown as Table
  }

  #expand({ groups, endpoints }: Destinations): readonly string[] {
    return [...groups.flatMap((group) => this.#fleet.groups.get(group) ?? []), ...endpoints]
  }
}

function matches(
  { match }: RouteDefinition,
  labels: Readonly<Record<string, string>>,
  tags: readonly string[],
): boolean {
  return Object.entries(match).every(([key, value]) =>
    key === tagKey ? tags.includes(value) : Object.hasOwn(labels, key) && labels[key] === value,
  )
}
