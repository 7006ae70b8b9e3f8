// deciding/maintenance-watch.ts: moves monitors into and out of maintenance according to their windows.
// Monitors share lists of windows; the calendar knows when each distinct list changes next, and computes only
// then. A window may cover a million monitors, so changes are applied in slices.

import type { FleetDefinition, MaintenanceDefinition } from '../config/fleet-file/definition.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { DueHeap } from '../platform/due-heap.ts'
import type { MonitorInput } from './decide.ts'
import type { HealthTable } from './health-table.ts'
import { MaintenanceWindows, type OpenWindow, type WindowState } from './maintenance-windows.ts'
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
    return this.#windows.stateOf(row)
  }

  /** Based on the monitor's current windows, whatever it had at the time; null if there are too many to list. */
  windowsBetween(row: number, fromMs: number, toMs: number): readonly OpenWindow[] | null {
    return this.#windows.windowsBetween(row, fromMs, toMs)
  }

  /** The fleet has a new configuration: monitors whose state differs from their windows are moved. */
  fleetChanged(wallMs: number): void {
    const calendar = new MaintenanceCalendar(this.#fleet.definition.maintenance, wallMs)
    const began = calendar.activeRows().filter((row) => !this.#health.isInMaintenance(row))
    const ended = this.#health.rowsInMaintenance().filter((row) => !calendar.stateOf(row).active)
    this.#calendar = calendar
    this.#changes = []
    this.#add(Uint32Array.from(began), true)
    this.#add(Uint32Array.from(ended), false)
  }

  /** These monitors were added or have different windows. */
  amend(rows: Iterable<number>, wallMs: number): void {
    const windows = this.#windows
    const moved = [...rows].filter((row) => {
      windows.amend(this.#fleet.definition.maintenance, row, wallMs)
      return windows.stateOf(row).active !== this.#health.isInMaintenance(row)
    })
    for (const row of moved) this.#add(Uint32Array.of(row), windows.stateOf(row).active)
  }

  /** When advance next has something to do, by the wall clock; in the past while a change is applied in slices. */
  get nextChangeAtMs(): number | null {
    return this.#changes.length > 0 ? Number.NEGATIVE_INFINITY : this.#windows.nextChangeAtMs
  }

  /** Called on every tick: asks the calendar what has changed, and applies a slice of it. */
  advance(turn: Turn, wallMs: number): void {
    for (const { rows, active } of this.#windows.advance(wallMs)) this.#add(rows, active)
    let left = sliceSize
    while (left > 0 && this.#changes.length > 0) {
      const change = this.#changes[0]!
      const end = Math.min(change.rows.length, change.next + left)
      left -= end - change.next
      for (; change.next < end; change.next++) this.#apply(turn, change.rows[change.next]!, change.active)
      if (change.next === change.rows.length) this.#changes.shift()
    }
  }

  get #windows(): MaintenanceCalendar {
    if (this.#calendar === null) throw new Error('the fleet has not been loaded yet')
    return this.#calendar
  }

  #add(rows: Uint32Array, active: boolean): void {
    if (rows.length > 0) this.#changes.push({ rows, active, next: 0 })
  }

  #apply(turn: Turn, row: number, active: boolean): void {
    // A window that ended before its slice was reached is neither begun nor ended.
    const state = this.stateOf(row)
    const isStale = state.active !== active || this.#health.isInMaintenance(row) === active
    if (!this.#fleet.has(row) || isStale) return
    const input: MonitorInput = state.active
      ? { kind: 'maintenance-began', untilWallMs: state.untilMs, name: state.name ?? null }
      : { kind: 'maintenance-ended' }
    turn.decide({ kind: 'monitor', row, input })
  }
}

export interface MaintenanceChange {
  readonly rows: Uint32Array
  readonly active: boolean
}

interface Entry {
  readonly windows: MaintenanceWindows
  /** Some may have different windows by now: callers that move a monitor check its current windows. */
  readonly rows: Uint32Array
  /** Rows that were given these windows later. */
  readonly later: Set<number>
  readonly sequence: number
  state: WindowState
  dueAt: number
}

/** Per definition: one per day for three months, found within a few milliseconds. */
const mostWindowsTold = 100

const outside: WindowState = { active: false, nextAtMs: null }

export class MaintenanceCalendar {
  /** By the number of the list of windows; undefined for an empty list. */
  readonly #entries: (Entry | undefined)[]
  #numberOf: Uint32Array
  #due = new DueHeap<Entry>()
  #computedAtMs: number

  constructor({ values, of }: FleetDefinition['maintenance'], wallMs: number) {
    this.#numberOf = of
    this.#computedAtMs = wallMs
    const rows = rowsByNumber(
      of,
      values.map((windows) => windows.length > 0),
    )
    this.#entries = values.map((definitions, number) => newEntry(definitions, number, rows[number], wallMs))
    this.#arm()
  }

  /** A monitor was added or has different windows. */
  amend({ values, of }: FleetDefinition['maintenance'], row: number, wallMs: number): void {
    this.#numberOf = of
    // A clock that is set back before the next advance may still be ahead of the last one.
    this.#computedAtMs = Math.max(this.#computedAtMs, wallMs)
    while (this.#entries.length < values.length) {
      const number = this.#entries.length
      const entry = newEntry(values[number] ?? [], number, undefined, wallMs)
      this.#entries.push(entry)
      if (entry !== undefined && entry.dueAt < Infinity) this.#due.add(entry)
    }
    this.#entries[of[row]!]?.later.add(row)
  }

  stateOf(row: number): WindowState {
    return this.#entries[this.#numberOf[row]!]?.state ?? outside
  }

  windowsBetween(row: number, fromMs: number, toMs: number): readonly OpenWindow[] | null {
    const entry = this.#entries[this.#numberOf[row]!]
    return entry === undefined ? [] : entry.windows.between(fromMs, toMs, mostWindowsTold)
  }

  /** The rows of all monitors that are in maintenance now. */
  activeRows(): number[] {
    return this.#entries.flatMap((entry) => (entry?.state.active ? [...rowsOf(entry)] : []))
  }

  /** When to ask again; null if nothing will change. */
  get nextChangeAtMs(): number | null {
    return this.#due.first?.dueAt ?? null
  }

  /**
   * Monitors whose maintenance began or ended since the last call. If the clock was set back, everything is recomputed.
   */
  advance(wallMs: number): MaintenanceChange[] {
    const changes: MaintenanceChange[] = []
    const wentBack = wallMs < this.#computedAtMs
    this.#computedAtMs = wallMs
    if (wentBack) {
      for (const entry of this.#entries) if (entry !== undefined) recompute(entry, wallMs, changes)
      this.#arm()
      return changes
    }
    while (this.#due.first !== undefined && this.#due.first.dueAt <= wallMs) {
      const entry = this.#due.take()!
      recompute(entry, wallMs, changes)
      if (entry.dueAt < Infinity) this.#due.add(entry)
    }
    return changes
  }

  #arm(): void {
    this.#due = new DueHeap()
    for (const entry of this.#entries) if (entry !== undefined && entry.dueAt < Infinity) this.#due.add(entry)
  }
}

function recompute(entry: Entry, wallMs: number, changes: MaintenanceChange[]): void {
  const wasActive = entry.state.active
  entry.state = entry.windows.at(wallMs)
  entry.dueAt = changeAt(entry.state)
  if (entry.state.active !== wasActive) changes.push({ rows: rowsOf(entry), active: entry.state.active })
}

function rowsOf({ rows, later }: Entry): Uint32Array {
  if (later.size === 0) return rows
  const all = new Uint32Array(rows.length + later.size)
  all.set(rows)
  all.set([...later], rows.length)
  return all
}

function newEntry(
  definitions: readonly MaintenanceDefinition[],
  sequence: number,
  rows: Uint32Array | undefined,
  wallMs: number,
): Entry | undefined {
  if (definitions.length === 0) return undefined
  const windows = new MaintenanceWindows(definitions)
  const state = windows.at(wallMs)
  const none = new Uint32Array(0)
  return { windows, rows: rows ?? none, later: new Set(), sequence, state, dueAt: changeAt(state) }
}

function changeAt(state: WindowState): number {
  return state.active ? state.untilMs : (state.nextAtMs ?? Infinity)
}

/** The rows of each wanted number, counted first so that each list is allocated at its size. */
function rowsByNumber(of: Uint32Array, isWanted: readonly boolean[]): Uint32Array[] {
  const counts = new Uint32Array(isWanted.length)
  for (const number of of) counts[number]!++
  const rows = isWanted.map((wanted, number) => new Uint32Array(wanted ? counts[number]! : 0))
  counts.fill(0)
  for (let row = 0; row < of.length; row++) {
    const number = of[row]!
    if (isWanted[number]) rows[number]![counts[number]!++] = row
  }
  return rows
}
