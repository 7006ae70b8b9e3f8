// platform/optimizer.ts: whether the runtime compiles hot code anew for speed. Its compilers bring nine megabytes of the
// program into memory, and a service with a handful of monitors has no hot code. So they are held back until the process
// is at work: at its start longer than a small fleet takes, or later for more than a small share of the time.
import { setFlagsFromString } from 'node:v8'

/** Looked at each time a function has become hot. A thread that starts while they are off compiles in turn later, not beside. */
const held = ['--no-maglev', '--no-opt']
const asUsual = ['--maglev', '--opt']

/** Of all threads together. */
const smallStartCpuMs = 1_500
const startLooksEveryMs = 100
const startEndsAfterMs = 5_000
const lookEveryMs = 5_000
const smallShare = 0.01

export interface Usage {
  /** Since the process began. */
  readonly cpuMs: number
  readonly nowMs: number
}

/** Says from the use of the processor when the service has become one that is worth optimizing. */
export class WorkWatch {
  #last: Usage
  readonly #beganMs: number

  constructor(usage: Usage) {
    this.#last = usage
    this.#beganMs = usage.nowMs
  }

  /** Counts only looks that are far enough apart. */
  isAtWork({ cpuMs, nowMs }: Usage): boolean {
    const isStarting = nowMs - this.#beganMs < startEndsAfterMs
    if (isStarting) {
      this.#last = { cpuMs, nowMs }
      return cpuMs > smallStartCpuMs
    }
    const passedMs = nowMs - this.#last.nowMs
    if (passedMs < lookEveryMs) return false
    const share = (cpuMs - this.#last.cpuMs) / passedMs
    this.#last = { cpuMs, nowMs }
    return share > smallShare
  }
}

/** Holds the compilers of this process back from when it is made until there is work; at the latest until it is disposed. */
export class HeldOptimizer implements Disposable {
  readonly #watch = new WorkWatch(usageNow())
  readonly #start: NodeJS.Timeout
  #isHeld = true

  constructor() {
    for (const flag of held) setFlagsFromString(flag)
    this.#start = setInterval(() => this.look(), startLooksEveryMs).unref()
  }

  /** The service has started; from now on somebody else calls look, who is awake anyway. */
  started(): void {
    clearInterval(this.#start)
  }

  look(): void {
    if (this.#isHeld && this.#watch.isAtWork(usageNow())) this[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#start)
    if (!this.#isHeld) return
    this.#isHeld = false
    for (const flag of asUsual) setFlagsFromString(flag)
  }
}

function usageNow(): Usage {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1_000, nowMs: performance.now() }
}
