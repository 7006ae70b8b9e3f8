// testing/lateness.ts: how late something ends after a deadline, relative to a timer of this process for the
// same moment. So the lateness of timers on a busy machine does not count.

/** Long enough for any machine to end something after its deadline; a peer that hangs takes longer. */
export const promptlyMs = 60_000

/** CPU time that bounded work never takes on any machine; unbounded work takes longer. */
export const littleCpuMs = 5_000

/** The CPU time of this thread until now. Unlike a clock it stands still while other processes have the machine. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

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
