// deciding/silent-monitors.ts: which enabled monitors tell nobody: their red has no destination. Kept in a column of the
// fleet, so that they are counted and found without asking each. An amended monitor is looked at when it changes. All are
// looked at only after a fleet was loaded, or routes or groups changed: when somebody next asks, never for a check.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { namesAnybody } from './actions/audience.ts'
import type { Routing } from './actions/routing.ts'

export class SilentMonitors {
  readonly #fleet: Fleet
  readonly #routing: () => Routing
  /** What the column was made with; null if it has to be made. */
  #madeWith: Head | null = null

  constructor(fleet: Fleet, routing: () => Routing) {
    this.#fleet = fleet
    this.#routing = routing
  }

  /** Every monitor may be another one. */
  fleetChanged(): void {
    this.#madeWith = null
  }

  /** These rows were added or changed, and perhaps routes and groups. */
  amend(rows: Iterable<number>): void {
    const before = this.#madeWith
    if (before === null) return
    const head = headOf(this.#fleet.definition, before)
    this.#madeWith = head.matters === before.matters ? head : null
    if (this.#madeWith !== null) this.#look(rows)
  }

  /** Brings the column up to date. */
  count(): number {
    if (this.#madeWith === null) {
      this.#look(this.#fleet.rowsInUse())
      this.#madeWith = headOf(this.#fleet.definition, null)
    }
    return this.#fleet.counts.tellsNobody
  }

  #look(rows: Iterable<number>): void {
    const routing = this.#routing()
    for (const row of rows) {
      const { enabled } = this.#fleet.policyOf(row)
      this.#fleet.setTellsNobody(row, enabled && !routing.tellsAnybody(row, 'red'))
    }
  }
}

interface Head extends Pick<FleetDefinition, 'routes' | 'groups'> {
  /** What decides, besides the rules of monitors, whether red has a destination; equal texts decide alike. */
  readonly matters: string
}

function headOf({ routes, groups }: FleetDefinition, before: Head | null): Head {
  // Nearly every amendment leaves both as they are.
  if (routes === before?.routes && groups === before.groups) return before
  const red = routes.filter(
    ({ colors, destinations }) => colors.includes('red') && namesAnybody(destinations, groups),
  )
  const empty = [...groups].filter(([, members]) => members.length === 0).map(([name]) => name)
  return { routes, groups, matters: JSON.stringify([red.map(({ match }) => match), empty]) }
}
