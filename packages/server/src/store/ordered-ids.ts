// store/ordered-ids.ts: up to a million ids in memory, in order: in runs of some hundred, so that inserting
// an id moves only its neighbours.
import { compareUtf8 } from './utf8-order.ts'

const runAtMost = 1_024

export class OrderedIds {
  /** No run is empty, and every id of a run comes before those of the next. */
  readonly #runs: string[][] = []

  add(id: string): void {
    const place = this.#runOf(id)
    const run = this.#runs[place]
    if (run === undefined) {
      this.#runs.push([id])
      return
    }
    const index = firstAtOrAfter(run, id)
    if (run[index] === id) return
    run.splice(index, 0, id)
    if (run.length > runAtMost) this.#runs.splice(place + 1, 0, run.splice(runAtMost / 2))
  }

  remove(id: string): void {
    const place = this.#runOf(id)
    const run = this.#runs[place]
    const index = run === undefined ? -1 : firstAtOrAfter(run, id)
    if (run?.[index] !== id) return
    run.splice(index, 1)
    if (run.length === 0) this.#runs.splice(place, 1)
  }

  /** Ids after this one. */
  *after(id: string): Iterable<string> {
    for (let place = this.#runOf(id); place < this.#runs.length; place++)
      for (const each of this.#runs[place]!) if (compareUtf8(each, id) > 0) yield each
  }

  /** The last run that begins at or before the id, or the first run. */
  #runOf(id: string): number {
    let [low, high] = [0, this.#runs.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareUtf8(this.#runs[middle]![0]!, id) <= 0) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

function firstAtOrAfter(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareUtf8(ids[middle]!, id) < 0) low = middle + 1
    else high = middle
  }
  return low
}
