// checking/checks-in-flight.ts: checks between their time slot and their end, with what each was started with, even if the
// fleet has changed since. A row has at most one. They are few at any time, so what is known of them is kept by place,
// not by row: only the place of each row takes memory for the whole fleet.
import { type Column, grown, newColumn } from '../platform/column.ts'

const firstPlaces = 1024

/** How far a check is. What is resumed was started in an earlier process, where it was expected. */
export const stages = { queued: 0, offered: 1, started: 2, resumed: 3 } as const

export class ChecksInFlight {
  /** One more than the place of the row's check, so that 0 is none. */
  #placesFromOne = newColumn(Uint32Array, 0)
  readonly #free: number[] = []
  #used = 0

  /** By place, and valid until the next check begins. */
  scheduledMs = newColumn(Float64Array, firstPlaces)
  startedMs = newColumn(Float64Array, firstPlaces)
  timeoutMs = newColumn(Uint32Array, firstPlaces)
  generation = newColumn(Uint32Array, firstPlaces)
  /** The type it had when it was due: that may change while it waits, and it must be counted where it was expected. */
  type = newColumn(Uint8Array, firstPlaces)
  /** The number of the source that it was offered to; of no meaning while it is queued. */
  source = newColumn(Uint8Array, firstPlaces)
  stage = newColumn(Uint8Array, firstPlaces)

  /** The fleet has so many rows. */
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
    return place
  }

  /** Where the row's check is; -1 when it has none. */
  placeOf(row: number): number {
    return this.#placesFromOne[row]! - 1
  }

  /** Where it was; -1 when there was none. */
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
  }
}
