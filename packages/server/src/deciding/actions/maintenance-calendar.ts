// deciding/actions/maintenance-calendar.ts: which monitors go into maintenance and come out of it, when. Monitors share their
// windows, so it computes for each distinct list of windows, and only when that one's next change has come.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import { DueHeap } from './due-heap.ts'
import { MaintenanceWindows, type WindowState } from './maintenance.ts'

export interface MaintenanceChange {
  readonly rows: Uint32Array
  readonly active: boolean
}

interface Entry {
  readonly windows: MaintenanceWindows
  readonly rows: Uint32Array
  readonly sequence: number
  state: WindowState
  dueAt: number
}

const outside: WindowState = { active: false, nextAtMs: null }

export class MaintenanceCalendar {
  /** By the number of the windows; undefined for monitors that have none. */
  readonly #entries: readonly (Entry | undefined)[]
  readonly #numberOf: Uint32Array
  #due = new DueHeap<Entry>()
  #computedAtMs: number

  constructor({ values, of }: FleetDefinition['maintenance'], wallMs: number) {
    this.#numberOf = of
    this.#computedAtMs = wallMs
    const rows = rowsByNumber(
      of,
      values.map((windows) => windows.length > 0),
    )
    this.#entries = values.map((definitions, sequence) => {
      if (definitions.length === 0) return undefined
      const windows = new MaintenanceWindows(definitions)
      const state = windows.at(wallMs)
      return { windows, rows: rows[sequence]!, sequence, state, dueAt: changeAt(state) }
    })
    this.#arm()
  }

  stateOf(row: number): WindowState {
    return this.#entries[this.#numberOf[row]!]?.state ?? outside
  }

  /** Of all monitors that are in maintenance now. */
  activeRows(): number[] {
    return this.#entries.flatMap((entry) => (entry?.state.active ? [...entry.rows] : []))
  }

  /** When to ask again; null when nothing will change. */
  get nextChangeAtMs(): number | null {
    return this.#due.first?.dueAt ?? null
  }

  /** Monitors whose maintenance began or ended since the last call. A clock that was put back is looked at afresh. */
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
  if (entry.state.active !== wasActive) changes.push({ rows: entry.rows, active: entry.state.active })
}

function changeAt(state: WindowState): number {
  return state.active ? state.untilMs : (state.nextAtMs ?? Infinity)
}

/** The rows of each wanted number, counted first so that each list has its size. */
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
