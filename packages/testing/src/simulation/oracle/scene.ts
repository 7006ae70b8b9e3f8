// simulation/oracle/scene.ts: what every rule may look at: true time, the fleet that people wanted, and the process that
// is judged, if one runs.
import type { Controller } from '@pulseward/server/internal/engine/engine.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { type Status, statuses } from '@pulseward/server/internal/deciding/health/status.ts'
import type { FleetPlan, PlannedMonitor } from '../fleet-plan.ts'
import type { SimulatedClock } from '../simulated-clock.ts'

export interface JudgedProcess {
  readonly number: number
  readonly controller: Controller
  readonly fleet: Fleet
}

export class Scene {
  readonly clock: SimulatedClock
  /** In force, or about to be. */
  plan: FleetPlan
  process: JudgedProcess | null = null
  readonly #slots = new Map<string, number>()
  #held: readonly (readonly [string, number])[] = []
  #heldIn: unknown = null

  constructor(clock: SimulatedClock, plan: FleetPlan) {
    this.clock = clock
    this.plan = plan
  }

  /** How far the time of the process is from true time. */
  get serviceAheadMs(): number {
    return this.process!.controller.time.now() - this.clock.trueMs
  }

  monitor(id: string): PlannedMonitor | undefined {
    return this.plan.monitors.get(id)
  }

  /** The process holds a new fleet. */
  fleetTaken(): void {
    const { fleet } = this.process!
    this.#slots.clear()
    for (let slot = 0; slot < fleet.slots; slot++)
      if (fleet.has(slot)) this.#slots.set(fleet.idOf(slot), slot)
  }

  slots(): Iterable<[string, number]> {
    return this.#slots
  }

  /** Of the fleet that the process holds at this moment, in the middle of a start or a reload too. */
  heldSlots(): readonly (readonly [string, number])[] {
    const { fleet } = this.process!
    if (!fleet.loaded) return []
    // Decoding the identities at every step would cost as much as all the rest.
    if (this.#heldIn !== fleet.definition) {
      const slots = Array.from({ length: fleet.slots }, (_, slot) => slot)
      this.#held = slots.flatMap((slot) => (fleet.has(slot) ? [[fleet.idOf(slot), slot] as const] : []))
      this.#heldIn = fleet.definition
    }
    return this.#held
  }

  slotOf(id: string): number {
    return this.#slots.get(id) ?? -1
  }

  statusOf(id: string): Status | null {
    const slot = this.slotOf(id)
    return slot < 0 ? null : statuses[this.process!.fleet.columns.status[slot]!]!
  }

  /** Of a monitor, with all that stand behind those. */
  ancestorsOf(id: string): ReadonlySet<string> {
    const ancestors = new Set(this.monitor(id)?.parents ?? [])
    for (const ancestor of ancestors)
      for (const parent of this.monitor(ancestor)?.parents ?? []) ancestors.add(parent)
    return ancestors
  }
}
