// testing/lateness.ts: how late something ends after a deadline, measured against a timer of this process that was set for
// the same moment: how late a busy machine's timers are says nothing about what is tested.

/** Ends soon after its deadline, on a machine however busy; a peer that hangs does so for longer. */
export const promptlyMs = 5_000

export class Lateness implements Disposable {
  readonly #timer: NodeJS.Timeout
  #dueAtMs = Number.POSITIVE_INFINITY

  constructor(timeoutMs: number, atDeadline: () => void = () => {}) {
    this.#timer = setTimeout(() => {
      this.#dueAtMs = performance.now()
      atDeadline()
    }, timeoutMs)
  }

  /** 0 before the deadline. */
  get ms(): number {
    return Math.max(0, performance.now() - this.#dueAtMs)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
