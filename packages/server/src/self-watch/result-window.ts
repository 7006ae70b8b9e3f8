// self-watch/result-window.ts: how many results there were recently, and how many of them were suspicious. A ring of
// whole seconds: memory is fixed, and the oldest second leaves as a whole. A time before the latest second counts in
// the latest, unless the clock itself was set back, which moves the window with it.
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
    const cell = this.#advanceTo(at)
    this.#total[cell]! += total
    this.#suspicious[cell]! += suspicious
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
      const cell = cellOf(second - back, size)
      this.#total[cell] = 0
      this.#suspicious[cell] = 0
    }
    this.#latestSecond = Math.max(second, this.#latestSecond)
    return cellOf(this.#latestSecond, size)
  }
}

function cellOf(second: number, size: number): number {
  return ((second % size) + size) % size
}

function sumOf(counters: Uint32Array): number {
  let sum = 0
  for (const count of counters) sum += count
  return sum
}
