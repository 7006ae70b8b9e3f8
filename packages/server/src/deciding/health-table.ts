// deciding/health-table.ts: the health of every monitor. Most are quiet and have no object at all: their health is made
// from the columns when something happens to them. The table keeps the state of every other monitor, and what its last
// check said in words. It decides nothing.
import { statusNumber } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import {
  type Health,
  type MonitorControl,
  movedHealth,
  newHealth,
  type Snooze,
  snoozedUntilMs,
} from './health/health.ts'
import { isQuiet, quietHealth } from './health/quiet.ts'
import { consecutiveFailures, statusOf } from './health/status.ts'

/** What the last check said in words; a monitor without any has no note. */
export interface CheckNote {
  readonly lastError: string | null
  readonly certificateExpiresAt: number | null
  /** When a check last saw that certificate itself, and did not resume a session of TLS instead. */
  readonly certificateObservedAt: number | null
}

export interface KeptHealth {
  /** The state if it has to be stored; null when the columns say everything. */
  readonly stored: Health | null
  /** Whether it had a state of its own before. */
  readonly wasStored: boolean
}

export class HealthTable {
  readonly #fleet: Fleet
  /** Of every monitor that is not quiet, and of quiet ones in maintenance or with a control. */
  readonly #states = new Map<number, Health>()
  readonly #notes = new Map<number, CheckNote>()
  /** Null for a monitor of which nothing was asked, and that is the first of its id. */
  readonly #firstControl: (row: number) => MonitorControl | null

  /** `controlsBefore`: the last control revision of earlier monitors of the same id; 0 where there was none. */
  constructor(fleet: Fleet, controlsBefore: (row: number) => number = () => 0) {
    this.#fleet = fleet
    this.#firstControl = (row) => {
      const before = controlsBefore(row)
      return before === 0 ? null : { revision: before + 1, recoveriesAt: [] }
    }
  }

  of(row: number): Health {
    return this.#of(row, this.#fleet.columns.checkRevision[row]!)
  }

  /** As it was before the check got its current revision: a quiet monitor has no other record of that. */
  beforeCheckChanged(row: number): Health {
    return this.#of(row, this.#fleet.columns.checkRevision[row]! - 1)
  }

  noteOf(row: number): CheckNote | null {
    return this.#notes.get(row) ?? null
  }

  hasNote(row: number): boolean {
    return this.#notes.has(row)
  }

  isInMaintenance(row: number): boolean {
    return (this.#states.get(row)?.maintenance ?? null) !== null
  }

  snoozeOf(row: number): Snooze | null {
    return this.#states.get(row)?.snooze ?? null
  }

  /** Every monitor that is snoozed. */
  *snoozes(): Generator<{ readonly row: number; readonly snooze: Snooze }> {
    for (const [row, { snooze }] of this.#states) if (snooze !== null) yield { row, snooze }
  }

  rowsInMaintenance(): number[] {
    return [...this.#states].flatMap(([row, { maintenance }]) => (maintenance === null ? [] : [row]))
  }

  /** How many monitors each ancestor suppresses. */
  suppressedBy(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { episode } of this.#states.values()) {
      const ancestor = episode?.suppressedBy ?? null
      if (ancestor !== null) counts.set(ancestor, (counts.get(ancestor) ?? 0) + 1)
    }
    return counts
  }

  keep(row: number, state: Health): KeptHealth {
    const { columns } = this.#fleet
    const wasStored = this.#states.has(row)
    const quiet = isQuiet(state)
    // Controls raise revisions that must never repeat, so their state outlives them.
    const isControlled = (state.control?.revision ?? 1) > (this.#firstControl(row)?.revision ?? 1)
    const stored = quiet && state.maintenance === null && !isControlled ? null : state
    if (stored === null) this.#states.delete(row)
    else this.#states.set(row, stored)
    columns.quiet[row] = quiet ? 1 : 0
    columns.consecutiveFailures[row] = Math.min(65_535, consecutiveFailures(state))
    this.#fleet.setOpenedAt(row, state.episode?.incident?.openedAt ?? 0)
    this.#fleet.setStatus(row, statusNumber[statusOf(state)])
    this.#fleet.setSnoozed(row, snoozedUntilMs(state) !== null)
    return { stored, wasStored }
  }

  keepNote(row: number, note: CheckNote): void {
    const before = this.#notes.get(row)
    const isSame =
      before?.lastError === note.lastError &&
      before.certificateExpiresAt === note.certificateExpiresAt &&
      before.certificateObservedAt === note.certificateObservedAt
    if (!isSame) this.#notes.set(row, note)
  }

  /**
   * The state that the previous process stored, or null for a monitor that was quiet then. Its generation and check
   * revision mean nothing in this process: they become those of the columns, or of the check before a changed one.
   */
  restore(row: number, stored: Health | null, checkChanged: boolean): void {
    const { columns } = this.#fleet
    const generation = columns.generation[row]!
    const checkRevision = columns.checkRevision[row]! - (checkChanged ? 1 : 0)
    this.keep(
      row,
      stored === null
        ? quietHealth(generation, checkRevision, null, null)
        : { ...stored, generation, checkRevision },
    )
    const lastError = stored?.episode?.lastFailure?.failure ?? null
    if (lastError !== null)
      this.keepNote(row, { lastError, certificateExpiresAt: null, certificateObservedAt: null })
  }

  /**
   * The clock was set: every instant moves by the step. Returns the states that changed. isToldKnown: whether it is known
   * who was told of a monitor's trouble.
   */
  move(
    stepMs: number,
    isToldKnown: (row: number) => boolean,
  ): { readonly row: number; readonly state: Health }[] {
    const moved: { row: number; state: Health }[] = []
    for (const [row, before] of this.#states) {
      const { episode, intervention, warning, control } = before
      const hasInstants = episode !== null || intervention !== null || warning !== null
      if (!hasInstants && (control?.recoveriesAt.length ?? 0) === 0) continue
      const state = movedHealth(before, stepMs, isToldKnown(row))
      this.#states.set(row, state)
      this.#fleet.setOpenedAt(row, state.episode?.incident?.openedAt ?? 0)
      moved.push({ row, state })
    }
    for (const [row, note] of this.#notes) {
      const { certificateObservedAt: at } = note
      if (at !== null) this.#notes.set(row, { ...note, certificateObservedAt: at + stepMs })
    }
    return moved
  }

  /** The monitor has left the fleet, or another one takes its row. */
  forget(row: number): void {
    this.#states.delete(row)
    this.#notes.delete(row)
  }

  #of(row: number, checkRevision: number): Health {
    const known = this.#states.get(row)
    const { quiet, generation } = this.#fleet.columns
    const control = known?.control ?? this.#firstControl(row)
    // Successes of a quiet monitor in maintenance touch only its columns, so its object is behind them.
    if (quiet[row])
      return quietHealth(generation[row]! - 1, checkRevision, known?.maintenance ?? null, control)
    return known ?? { ...newHealth(checkRevision), control }
  }
}
