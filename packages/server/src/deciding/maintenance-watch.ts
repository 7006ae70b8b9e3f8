// deciding/maintenance-watch.ts: brings monitors into maintenance and out of it when their windows say so. A window may
// hold a million monitors, so they are taken in slices.
import type { Fleet } from '../fleet/fleet.ts'
import type { WindowState } from './actions/maintenance.ts'
import { MaintenanceCalendar } from './actions/maintenance-calendar.ts'
import type { HealthTable } from './health-table.ts'
import type { Turn } from './turn.ts'

const sliceSize = 2_000

interface Change {
  readonly rows: Uint32Array
  readonly active: boolean
  next: number
}

export class MaintenanceWatch {
  readonly #fleet: Fleet
  readonly #health: HealthTable
  #calendar: MaintenanceCalendar | null = null
  #changes: Change[] = []

  constructor(fleet: Fleet, health: HealthTable) {
    this.#fleet = fleet
    this.#health = health
  }

  stateOf(row: number): WindowState {
    return this.#calendar!.stateOf(row)
  }

  /** The fleet holds another configuration: monitors in another state than their windows say are brought into it. */
  fleetChanged(wallMs: number): void {
    const calendar = new MaintenanceCalendar(this.#fleet.definition.maintenance, wallMs)
    const began = calendar.activeRows().filter((row) => !this.#health.isInMaintenance(row))
    const ended = this.#health.rowsInMaintenance().filter((row) => !calendar.stateOf(row).active)
    this.#calendar = calendar
    this.#changes = []
    this.#add(Uint32Array.from(began), true)
    this.#add(Uint32Array.from(ended), false)
  }

  /** On every tick: looks into the calendar and applies a slice of what it says. */
  advance(turn: Turn, wallMs: number): void {
    for (const { rows, active } of this.#calendar!.advance(wallMs)) this.#add(rows, active)
    let left = sliceSize
    while (left > 0 && this.#changes.length > 0) {
      const change = this.#changes[0]!
      const end = Math.min(change.rows.length, change.next + left)
      left -= end - change.next
      for (; change.next < end; change.next++) this.#apply(turn, change.rows[change.next]!, change.active)
      if (change.next === change.rows.length) this.#changes.shift()
    }
  }

  #add(rows: Uint32Array, active: boolean): void {
    if (rows.length > 0) this.#changes.push({ rows, active, next: 0 })
  }

  #apply(turn: Turn, row: number, active: boolean): void {
    // A window that ended before its slice came is neither begun nor ended.
    const isStale = this.stateOf(row).active !== active || this.#health.isInMaintenance(row) === active
    if (!this.#fleet.has(row) || isStale) return
    const kind = active ? 'maintenance-began' : 'maintenance-ended'
    turn.decide({ kind: 'monitor', row, input: { kind } })
  }
}
