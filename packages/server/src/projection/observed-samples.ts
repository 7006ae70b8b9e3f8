// projection/observed-samples.ts: samples as the main edition counts them: a snapshot counts one sample if the last check
// of a monitor differs from that in the previous snapshot. Counted per monitor and for the whole fleet.
import { type FleetColumns, statusNumber } from '../fleet/columns.ts'
import { addTo, grown } from '../platform/column.ts'

type ShownSamples = Pick<FleetColumns, 'shownHealthySamples' | 'shownTotalSamples'>

export class ObservedSamples {
  /** When each monitor was last checked, as of the last snapshot. */
  #seen = new Float64Array(0)
  /** The monitor whose samples a row counts: when another monitor takes the row, counting starts over. */
  #numericId = new Uint32Array(0)
  #healthyOf = new Uint32Array(0)
  #totalOf = new Uint32Array(0)
  #healthy = 0
  #total = 0

  /** For the whole fleet since the start, including removed monitors. */
  get healthy(): number {
    return this.#healthy
  }

  get total(): number {
    return this.#total
  }

  makeRoom(rows: number): void {
    this.#seen = grown(this.#seen, rows)
    this.#numericId = grown(this.#numericId, rows)
    this.#healthyOf = grown(this.#healthyOf, rows)
    this.#totalOf = grown(this.#totalOf, rows)
  }

  look(columns: FleetColumns, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      if (columns.numericId[row] !== this.#numericId[row]) this.#beginAnew(row, columns.numericId[row]!)
      const checkedAt = columns.lastCheck[row]!
      // Compared for difference, not order: wall clocks are also set back.
      if (Number.isNaN(checkedAt) || checkedAt === this.#seen[row]) continue
      this.#seen[row] = checkedAt
      this.#total++
      addTo(this.#totalOf, row, 1)
      const status = columns.status[row]
      if (status !== statusNumber.up && status !== statusNumber.degraded) continue
      this.#healthy++
      addTo(this.#healthyOf, row, 1)
    }
  }

  copyTo({ shownHealthySamples, shownTotalSamples }: ShownSamples, from: number, to: number): void {
    shownHealthySamples.set(this.#healthyOf.subarray(from, to), from)
    shownTotalSamples.set(this.#totalOf.subarray(from, to), from)
  }

  #beginAnew(row: number, numericId: number): void {
    this.#numericId[row] = numericId
    this.#healthyOf[row] = 0
    this.#totalOf[row] = 0
  }
}
