// pushing/signal-rate.ts: how many signals one key may send: ten in ten seconds, and always the first of each
// kind in that time, so that a job that floods with one kind cannot hide how it ended.
import { type SignalKind, signalKinds } from '../deciding/push/push-state.ts'
import { grown, newColumn } from '../platform/column.ts'

const windowMs = 10_000
const mostInWindow = 10

export class SignalRate {
  /** By row: when the present window began, in monotonic milliseconds modulo 2^32, plus one; 0 for never. */
  #beganMs = newColumn(Uint32Array, 0)
  #count = newColumn(Uint8Array, 0)
  /** One bit per kind of signal that came in it. */
  #kinds = newColumn(Uint8Array, 0)

  growFor(rows: number): void {
    this.#beganMs = grown(this.#beganMs, rows)
    this.#count = grown(this.#count, rows)
    this.#kinds = grown(this.#kinds, rows)
  }

  /** 0 if the signal may be taken, otherwise for how many seconds it has to wait. */
  take(row: number, kind: SignalKind, monotonicMs: number): number {
    const nowMs = Math.floor(monotonicMs) >>> 0
    const began = this.#beganMs[row]!
    const elapsedMs = (nowMs - (began - 1)) >>> 0
    const bit = 1 << signalKinds.indexOf(kind)
    if (began === 0 || elapsedMs >= windowMs) {
      this.#beganMs[row] = nowMs + 1
      this.#count[row] = 1
      this.#kinds[row] = bit
      return 0
    }
    const isFirstOfKind = (this.#kinds[row]! & bit) === 0
    if (this.#count[row]! >= mostInWindow && !isFirstOfKind) return Math.ceil((windowMs - elapsedMs) / 1_000)
    this.#count[row]!++
    this.#kinds[row]! |= bit
    return 0
  }

  forget(row: number): void {
    this.#beganMs[row] = 0
  }
}
