// self-watch/result-window.ts: how many results there were lately and how many of them were suspicious. A ring of whole
// seconds: the memory is fixed, and the oldest second leaves as a whole. Time that goes back counts as the latest,
// unless the clock itself was set back, which moves the window with it.
import type { Instant } from '../deciding/health/health.ts'

export interface ResultCounts {
  readonly total: number
  readonly suspicious: number
}

export class ResultWindow {
  readonly #total: Uint32Array
  readonly #suspicious: Uint32Array
  #latestSecond = Number.NEGATIVE_INFINITY
  /** By how much the clock was set since the first result. */
  #movedMs = 0

  constructor(windowMs: number) {
    const seconds = Math.ceil(windowMs / 1000)
    this.#total = new Uint32Array(seconds)
    this.#suspicious = new Uint32Array(seconds)
  }

  add(total: number, suspicious: number, at: Instant): void {
    const row = this.#advanceTo(at)
    this.#total[row]! += total
    this.#suspicious[row]! += suspicious
  }

  sum(at: Instant): ResultCounts {
    this.#advanceTo(at)
    return { total: sumOf(this.#total), suspicious: sumOf(this.#suspicious) }
  }

  /** The clock was set, and all instants with it. */
  move(stepMs: number): void {
    this.#movedMs += stepMs
  }

  #advanceTo(at: Instant): number {
    const second = Math.floor((at - this.#movedMs) / 1000)
    const size = this.#total.length
    const passed = Math.min(second - this.#latestSecond, size)
    for (let back = 0; back < passed; back++) {
      const row = rowOf(second - back, size)
      this.#total[row] = 0
      this.#suspicious[row] = 0
    }
    this.#latestSecond = Math.max(second, this.#latestSecond)
    return rowOf(this.#latestSecond, size)
  }
}

function rowOf(second: number, size: number): number {
  return ((second % size) + size) % size
}

function sumOf(counters: Uint32Array): number {
  let sum = 0
  for (const count of counters) sum += count
  return sum
}
