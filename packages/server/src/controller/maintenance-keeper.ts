// controller/maintenance-keeper.ts: brings monitors into maintenance and out of it when their windows say so. A window
// may hold a million monitors, so they are taken a slice at a time.

import type { WindowState } from '../actions/maintenance.ts'
import { MaintenanceCalendar } from '../actions/maintenance-calendar.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { HealthKeeper } from './health-keeper.ts'

const atOnce = 2_000

interface Change {
  readonly slots: Uint32Array
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

  stateOf(slot: number): WindowState {
    return this.#calendar!.stateOf(slot)
  }

  /** The fleet holds a new arrangement: whoever is in another state than its windows say is brought into it. */
  fleetChanged(wallMs: number): void {
    this.#calendar = new MaintenanceCalendar(this.#fleet.definition.maintenance, wallMs)
    const calendar = this.#calendar
    const began = calendar.activeRows().filter((slot) => !this.#keeper.isInMaintenance(slot))
    const ended = this.#keeper.slotsInMaintenance().filter((slot) => !calendar.stateOf(slot).active)
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
      const end = Math.min(change.slots.length, change.next + left)
      left -= end - change.next
      for (; change.next < end; change.next++) this.#apply(change.slots[change.next]!, change.active)
      if (change.next === change.slots.length) this.#changes.shift()
    }
  }

  #add(slots: Uint32Array, active: boolean): void {
    if (slots.length > 0) this.#changes.push({ slots, active, next: 0 })
  }

  #apply(slot: number, active: boolean): void {
    // A window that was over before its turn came is not announced.
    if (!this.#fleet.has(slot) || this.stateOf(slot).active !== active) return
    if (active) this.#keeper.beginMaintenance(slot)
    else this.#keeper.apply(slot, { kind: 'maintenance-ended' })
  }
}
