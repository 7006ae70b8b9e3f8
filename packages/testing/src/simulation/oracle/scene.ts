// simulation/oracle/scene.ts: what every rule may read: true time, the fleet that people want, and the judged
// process, if one runs.

import { type Status, statuses } from '@pulseward/server/internal/deciding/health/status.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { FakeClock } from '../../engine/fake-clock.ts'
import type { FleetPlan, PlannedMonitor } from '../fleet-plan.ts'

export interface JudgedProcess {
  readonly number: number
  readonly parts: EngineParts
  readonly fleet: Fleet
}

export class Scene {
  readonly clock: FakeClock
  /** In force, or about to be. */
  plan: FleetPlan
  process: JudgedProcess | null = null
  /** According to the controls that the model has seen. */
  isSnoozed: (monitorId: string) => boolean = () => false
  readonly #rows = new Map<string, number>()
  #held: readonly (readonly [string, number])[] = []
  #heldIn: unknown = null
  /** The rows of the fleet are being changed. */
  #isChanging = false

  constructor(clock: FakeClock, plan: FleetPlan) {
    this.clock = clock
    this.plan = plan
  }

  /** The judged process, for rules that are only called while one runs. */
  get running(): JudgedProcess {
    if (this.process === null) throw new Error('a rule looked at a process while none ran')
    return this.process
  }

  /** How far service time is ahead of true time. */
  get serviceAheadMs(): number {
    return this.running.parts.time.now() - this.clock.trueMs
  }

  monitor(id: string): PlannedMonitor | undefined {
    return this.plan.monitors.get(id)
  }

  /** The process is about to take another fleet. */
  fleetChanging(): void {
    this.#isChanging = true
  }

  /** The process has taken a new fleet. */
  fleetTaken(): void {
    const { fleet } = this.running
    this.#isChanging = false
    this.#heldIn = null
    this.#rows.clear()
    for (let row = 0; row < fleet.rows; row++) if (fleet.has(row)) this.#rows.set(fleet.idOf(row), row)
  }

  rows(): Iterable<[string, number]> {
    return this.#rows
  }

  /** The rows of the fleet that the process holds at this moment, even during a start or a reload. */
  heldRows(): readonly (readonly [string, number])[] {
    const { fleet } = this.running
    if (!fleet.loaded) return []
    // Decoding the identities at every step would cost as much as everything else.
    if (this.#isChanging || this.#heldIn !== fleet.definition) {
      const rows = Array.from({ length: fleet.rows }, (_, row) => row)
      this.#held = rows.flatMap((row) => (fleet.has(row) ? [[fleet.idOf(row), row] as const] : []))
      this.#heldIn = fleet.definition
    }
    return this.#held
  }

  rowOf(id: string): number {
    return this.#rows.get(id) ?? -1
  }

  statusOf(id: string): Status | null {
    const row = this.rowOf(id)
    return row < 0 ? null : this.statusAt(row)
  }

  statusAt(row: number): Status {
    return statuses[this.running.fleet.columns.status[row]!]!
  }

  /** The parents of a monitor, and all their ancestors. */
  ancestorsOf(id: string): ReadonlySet<string> {
    const ancestors = new Set(this.monitor(id)?.parents ?? [])
    for (const ancestor of ancestors)
      for (const parent of this.monitor(ancestor)?.parents ?? []) ancestors.add(parent)
    return ancestors
  }
}
