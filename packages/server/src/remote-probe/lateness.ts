// remote-probe/lateness.ts: whether this probe has more checks than it can start in time.

const lateMs = 1_000
const forMs = 10_000

export class Lateness {
  #lateSinceMs: number | null = null
  isOverloaded = false

  /** A check has ended that waited this long for its start. */
  noteWait(waitedMs: number, nowMs: number): void {
    if (waitedMs <= lateMs) this.#lateSinceMs = null
    else this.#lateSinceMs ??= nowMs
    if (this.#lateSinceMs !== null && nowMs - this.#lateSinceMs >= forMs) this.isOverloaded = true
  }

  /** All checks have ended: an overloaded probe gets no others before it says that it has caught up. */
  caughtUp(): void {
    this.#lateSinceMs = null
    this.isOverloaded = false
  }
}
