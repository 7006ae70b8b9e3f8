// own-timers.ts: pending timers that were set by code of one file. Test files share processes: code that an earlier file
// left running may set a timer at any moment, even while timers are fake, so a count of all timers would include it.

/** Create it after faking the timers, and dispose of it before restoring them. */
export class OwnTimers implements Disposable {
  readonly #pending = new Set<unknown>()
  readonly #faked = { ...timersOf(globalThis) }

  /** file: the end of its path. */
  constructor(file: string) {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = this.#faked
    const isOwn = () => new Error().stack?.includes(file) ?? false
    const later = (set: typeof setTimeout, isOver: boolean) => (work: () => void, ms?: number) => {
      const timer = set(() => {
        if (isOver) this.#pending.delete(timer)
        work()
      }, ms)
      if (isOwn()) this.#pending.add(timer)
      return timer
    }
    const cleared = (clear: typeof clearTimeout) => (timer: NodeJS.Timeout | undefined) => {
      this.#pending.delete(timer)
      clear(timer)
    }
    Object.assign(globalThis, {
      setTimeout: later(setTimeout, true),
      setInterval: later(setInterval as typeof setTimeout, false),
      clearTimeout: cleared(clearTimeout),
      clearInterval: cleared(clearInterval),
    })
  }

  get count(): number {
    return this.#pending.size
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, this.#faked)
  }
}

function timersOf({ setTimeout, setInterval, clearTimeout, clearInterval }: typeof globalThis) {
  return { setTimeout, setInterval, clearTimeout, clearInterval }
}
