// pushing/push-columns.ts: the state of each monitor that reports by itself, as columns by row: a fleet without
// any costs nothing, and a million cost a few dozen bytes each. Open runs are few, and kept apart.
import type { Instant } from '../deciding/health/health.ts'
import { noRuns, type PushState, pushPhases, signalKinds } from '../deciding/push/push-state.ts'
import { grown, newColumn, put } from '../platform/column.ts'
import type { PushRecord } from '../store/push.ts'

const failedBit = 0x80

export class PushColumns {
  /** The phase plus one, so that 0 is a row that does not report by itself; with a bit for hasFailed. */
  #phase = newColumn(Uint8Array, 0)
  /** The last kind of signal plus one; 0 for none. */
  #lastKind = newColumn(Uint8Array, 0)
  /** Instants; 0 for none. */
  #dueAt = newColumn(Float64Array, 0)
  #lastDueAt = newColumn(Float64Array, 0)
  #lastSignalAt = newColumn(Float64Array, 0)
  readonly #runs = new Map<number, ReadonlyMap<string, Instant>>()
  readonly previousKeyUsedAt = new Map<number, Instant>()

  growFor(rows: number): void {
    this.#phase = grown(this.#phase, rows)
    this.#lastKind = grown(this.#lastKind, rows)
    this.#dueAt = grown(this.#dueAt, rows)
    this.#lastDueAt = grown(this.#lastDueAt, rows)
    this.#lastSignalAt = grown(this.#lastSignalAt, rows)
  }

  has(row: number): boolean {
    return this.#phase[row] !== undefined && this.#phase[row] !== 0
  }

  hasFailed(row: number): boolean {
    return (this.#phase[row]! & failedBit) !== 0
  }

  read(row: number): PushState {
    const phase = this.#phase[row]!
    const kind = this.#lastKind[row]!
    return {
      phase: pushPhases[(phase & ~failedBit) - 1]!,
      dueAt: this.#dueAt[row] || null,
      lastDueAt: this.#lastDueAt[row] || null,
      lastSignalAt: this.#lastSignalAt[row] || null,
      lastKind: kind === 0 ? null : signalKinds[kind - 1]!,
      hasFailed: (phase & failedBit) !== 0,
      runs: this.#runs.get(row) ?? noRuns,
    }
  }

  write(row: number, { phase, dueAt, lastDueAt, lastSignalAt, lastKind, hasFailed, runs }: PushState): void {
    put(this.#phase, row, pushPhases.indexOf(phase) + 1 + (hasFailed ? failedBit : 0))
    put(this.#lastKind, row, lastKind === null ? 0 : signalKinds.indexOf(lastKind) + 1)
    put(this.#dueAt, row, dueAt ?? 0)
    put(this.#lastDueAt, row, lastDueAt ?? 0)
    put(this.#lastSignalAt, row, lastSignalAt ?? 0)
    if (runs.size > 0) this.#runs.set(row, runs)
    else if (this.#runs.size > 0) this.#runs.delete(row)
  }

  clear(row: number): void {
    put(this.#phase, row, 0)
    put(this.#lastKind, row, 0)
    put(this.#dueAt, row, 0)
    put(this.#lastDueAt, row, 0)
    put(this.#lastSignalAt, row, 0)
    this.#runs.delete(row)
    this.previousKeyUsedAt.delete(row)
  }

  /** As the store keeps it. */
  record(row: number): PushRecord {
    const { runs, ...state } = this.read(row)
    return { ...state, runs: [...runs], previousKeyUsedAt: this.previousKeyUsedAt.get(row) ?? null }
  }

  restore(row: number, { runs, previousKeyUsedAt, ...state }: PushRecord): void {
    this.write(row, { ...state, runs: new Map(runs) })
    if (previousKeyUsedAt !== null) this.previousKeyUsedAt.set(row, previousKeyUsedAt)
  }
}
