// deciding/maintenance-keeper.ts: brings monitors into maintenance and out of it when their windows say so. A window
// may hold a million monitors, so they are taken a slice at a time.

import type { Fleet } from '../fleet/fleet.ts'
import type { WindowState } from './actions/maintenance.ts'
import { MaintenanceCalendar } from './actions/maintenance-calendar.ts'
import type { HealthKeeper } from './health-table.ts'

const atOnce = 2_000

interface Change {
  readonly rows: Uint32Array
  readonly active: boolean
  next: number
}

export class MaintenanceKeeper {
  readonly #fleet: Fleet
  readonly #keeper: HealthKeeper
  #calendar: MaintenanceCalendar | null = null
  #changes: Change[] = []

  constructor(fleet: Fleet, keeper: HealthKeeper) {
    this.#fleet = fleet
    this.#keeper = keeper
  }

  stateOf(row: number): WindowState {
    return this.#calendar!.stateOf(row)
  }

  /** The fleet holds a new arrangement: whoever is in another state than its windows say is brought into it. */
  fleetChanged(wallMs: number): void {
    this.#calendar = new MaintenanceCalendar(this.#fleet.definition.maintenance, wallMs)
    const calendar = this.#calendar
    const began = calendar.activeRows().filter((row) => !this.#keeper.isInMaintenance(row))
    const ended = this.#keeper.rowsInMaintenance().filter((row) => !calendar.stateOf(row).active)
    this.#changes = []
    this.#add(Uint32Array.from(began), true)
    this.#add(Uint32Array.from(ended), false)
  }

  /** Often: looks into the calendar and applies a slice of what it says. */
  advance(wallMs: number): void {
    for (const { rows, active } of this.#calendar!.advance(wallMs)) this.#add(rows, active)
    let left = atOnce
    while (left > 0 && this.#changes.length > 0) {
      const change = this.#changes[0]!
      const end = Math.min(change.rows.length, change.next + left)
      left -= end - change.next
      for (; change.next < end; change.next++) this.#apply(change.rows[change.next]!, change.active)
      if (change.next === change.rows.length) this.#changes.shift()
    }
  }

  #add(rows: Uint32Array, active: boolean): void {
    if (rows.length > 0) this.#changes.push({ rows, active, next: 0 })
  }

  #apply(row: number, active: boolean): void {
    if (!this.#fleet.has(row)) return
    if (active) this.#keeper.beginMaintenance(row)
    else this.#keeper.apply(row, { kind: 'maintenance-ended' })
  }
}
