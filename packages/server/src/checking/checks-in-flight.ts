// checking/checks-in-flight.ts: checks between their time slot and their end, with the parameters they were started with,
// even if the fleet has changed since. A row has at most one. Few are in flight at any time, so their data is stored by
// place rather than by row: only the place of each row takes memory for the whole fleet.
import { type Column, grown, newColumn } from '../platform/column.ts'

const firstPlaces = 1024

/** How far a check is. A resumed check was started, and counted as expected, by an earlier process. */
export const stages = { queued: 0, offered: 1, started: 2, resumed: 3 } as const

export class ChecksInFlight {
  /** The place of the row's check plus one, so that 0 means none. */
  #placesFromOne = newColumn(Uint32Array, 0)
  readonly #free: number[] = []
  #used = 0

  /** By place. Valid until the next check begins. */
  scheduledMs = newColumn(Float64Array, firstPlaces)
  startedMs = newColumn(Float64Array, firstPlaces)
  timeoutMs = newColumn(Uint32Array, firstPlaces)
  generation = newColumn(Uint32Array, firstPlaces)
  /**
   * The type when the check was due: it may change while the check waits, and the check must be counted where
   * it was expected.
   */
  type = newColumn(Uint8Array, firstPlaces)
  /** The index of the source that it was offered to; meaningless while it is queued. */
  source = newColumn(Uint8Array, firstPlaces)
  stage = newColumn(Uint8Array, firstPlaces)
  /** 1: it takes a place in the pool of this process, since all or a part of it runs here. */
  isHere = newColumn(Uint8Array, firstPlaces)

  /** Makes room for this many rows of the fleet. */
  growFor(rows: number): void {
    this.#placesFromOne = grown(this.#placesFromOne, rows)
  }

  begin(row: number, scheduledMs: number, type: number): number {
    const place = this.#free.pop() ?? this.#used++
    if (place === this.type.length) this.#grow(place * 2)
    this.#placesFromOne[row] = place + 1
    this.scheduledMs[place] = scheduledMs
    this.type[place] = type
    this.stage[place] = stages.queued
    this.isHere[place] = 0
    return place
  }

  /** The place of the row's check; -1 if it has none. */
  placeOf(row: number): number {
    return this.#placesFromOne[row]! - 1
  }

  /** Removes the row's check and returns its place; -1 if it had none. */
  end(row: number): number {
    const place = this.placeOf(row)
    if (place === -1) return -1
    this.#placesFromOne[row] = 0
    this.#free.push(place)
    return place
  }

  #grow(places: number): void {
    const larger = <Kind extends Column>(column: Kind) => grown(column, places)
    this.scheduledMs = larger(this.scheduledMs)
    this.startedMs = larger(this.startedMs)
    this.timeoutMs = larger(this.timeoutMs)
    this.generation = larger(this.generation)
    this.type = larger(this.type)
    this.source = larger(this.source)
    this.stage = larger(this.stage)
    this.isHere = larger(this.isHere)
  }
}
