// deciding/silent-monitors.ts: which enabled monitors tell nobody: their red has no destination. Kept in a column of the
// fleet, so that they are counted and found without asking each. An amended monitor is looked at when it changes. All are
// looked at only after a fleet was loaded, or routes or groups changed: some with every tick, and the rest when somebody
// asks first. A million take about 40 ms of one core, some hundred if no two have the same labels and routes match
// on them.
import { type FleetDefinition, sharedValue } from '../config/fleet-file/definition.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { tellsOfRed } from './actions/audience.ts'
import { Routing } from './actions/routing.ts'

/** Takes well under a millisecond. */
const rowsPerTick = 4_096

export class SilentMonitors {
  readonly #fleet: Fleet
  readonly #routing: () => Routing
  /** What the column is made with. */
  #head: Head | null = null
  /** The rows before it are up to date. */
  #next = 0

  constructor(fleet: Fleet, routing: () => Routing) {
    this.#fleet = fleet
    this.#routing = routing
  }

  /** Every row may mean another monitor. */
  fleetChanged(): void {
    this.#head = headOf(this.#fleet.definition, null)
    this.#next = 0
  }

  /** These rows were added or changed, and perhaps routes and groups. */
  amend(rows: readonly number[]): void {
    const before = this.#head
    this.#head = headOf(this.#fleet.definition, before)
    if (this.#head.matters !== before?.matters) this.#next = 0
    else for (const row of rows) this.#look(row)
  }

  /** Looks at some more rows, if there are any to look at. */
  advance(): void {
    if (this.#next < this.#fleet.rows) this.#lookUntil(this.#next + rowsPerTick)
  }

  /** Brings the column up to date. */
  count(): number {
    this.#lookUntil(this.#fleet.rows)
    return this.#fleet.counts.tellsNobody
  }

  #lookUntil(end: number): void {
    const { rows, present } = this.#fleet
    for (; this.#next < Math.min(end, rows); this.#next++)
      if (present[this.#next] === 1) this.#look(this.#next)
  }

  #look(row: number): void {
    this.#fleet.setTellsNobody(row, isSilent(this.#fleet.definition, this.#routing(), row))
  }
}

/** Of the monitors of files, which have no other surroundings. */
export function* silentRows(definition: FleetDefinition): Generator<number> {
  const routing = new Routing(definition)
  for (let row = 0; row < definition.count; row++) if (isSilent(definition, routing, row)) yield row
}

function isSilent({ policies }: FleetDefinition, routing: Routing, row: number): boolean {
  return sharedValue(policies, row).enabled && !routing.tellsSomebody(row)
}

interface Head extends Pick<FleetDefinition, 'routes' | 'groups'> {
  /** What decides, besides the rules of monitors, whether red has a destination; equal texts decide alike. */
  readonly matters: string
}

function headOf({ routes, groups }: FleetDefinition, before: Head | null): Head {
  // Nearly every amendment leaves both as they are.
  if (routes === before?.routes && groups === before.groups) return before
  const telling = routes.filter((route) => route.policy !== undefined || tellsOfRed(route, groups))
  const empty = [...groups].filter(([, members]) => members.length === 0).map(([name]) => name)
  const matched = telling.map(({ match }) => match)
  return { routes, groups, matters: JSON.stringify([matched, empty]) }
}
