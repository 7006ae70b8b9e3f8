// fenced-simulation/simulated-time.ts: time for several processes in one thread. Code that runs in a simulated process meets
// simulated timers and clocks in place of those of Node.js, so that the product runs unchanged; all other code meets the real
// ones. A process that is frozen, or whose machine is suspended, notices afterwards that time has passed.
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import timersPromises from 'node:timers/promises'
import { DueHeap } from '@pulseward/server/internal/platform/due-heap.ts'
import { FakeClock } from '../engine/fake-clock.ts'
import { promisesSettled } from '../simulation/event-loop.ts'

/**
 * The process whose code runs now. One runs at a time, until all of its promises have settled, so this needs no store that
 * follows each promise.
 */
let running: SimulatedProcess | null = null
const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  now: performance.now.bind(performance),
  uptime: os.uptime,
  pause: timersPromises.setTimeout,
}

/** The process whose code runs now; outside of one this is a mistake. */
export function currentProcess(): SimulatedProcess {
  if (running === null) throw new Error('no simulated process runs')
  return running
}

/** A computer: its clocks survive the processes on it. */
export class SimulatedMachine {
  readonly clock: FakeClock
  /** In true time; it stands still until then. */
  suspendedUntilMs = Number.NEGATIVE_INFINITY

  constructor(wallMs: number, monotonicMs: number) {
    this.clock = new FakeClock({ wallMs, monotonicMs })
  }

  /** Its clocks show the true time, unless it is suspended. */
  advanceTo(trueMs: number): void {
    if (trueMs > this.clock.trueMs && trueMs >= this.suspendedUntilMs) this.clock.advanceTo(trueMs)
  }

  suspend(nowMs: number, ms: number): void {
    this.advanceTo(nowMs)
    this.clock.suspend(ms)
    this.suspendedUntilMs = nowMs + ms
  }
}

interface SimulatedTimer {
  readonly dueAt: number
  readonly sequence: number
  readonly everyMs: number | null
  readonly fire: () => void
  readonly handle: TimerHandle
}

/** What code gets, with what it may do with a real timer. */
class TimerHandle {
  isCancelled = false

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  [Symbol.dispose](): void {
    this.isCancelled = true
  }
}

export class SimulatedProcess {
  readonly machine: SimulatedMachine
  isAlive = true
  /** When something is due besides timers, by the monotonic clock, and what to do then. */
  besides: { readonly nextMs: () => number; readonly run: () => void } | null = null
  #frozenUntilMs = Number.NEGATIVE_INFINITY
  readonly #timers = new DueHeap<SimulatedTimer>()
  #arrived: (() => void)[] = []
  #sequence = 0

  constructor(machine: SimulatedMachine) {
    this.machine = machine
  }

  freeze(nowMs: number, ms: number): void {
    this.#frozenUntilMs = Math.max(this.#frozenUntilMs, nowMs + ms)
  }

  /** Handled after the timers that are due, as Node.js does it. */
  arrive(handle: () => void): void {
    if (this.isAlive) this.#arrived.push(handle)
  }

  kill(): void {
    this.isAlive = false
    this.#arrived = []
  }

  /** When it does something next, in true time. */
  get nextAtMs(): number {
    if (!this.isAlive) return Number.POSITIVE_INFINITY
    const { clock, suspendedUntilMs } = this.machine
    const dueMs = Math.min(
      this.#firstTimer?.dueAt ?? Number.POSITIVE_INFINITY,
      this.besides?.nextMs() ?? Infinity,
    )
    const dueAtMs = this.#arrived.length > 0 ? clock.trueMs : clock.trueMsOf(dueMs)
    return Math.max(dueAtMs, this.#frozenUntilMs, suspendedUntilMs)
  }

  /** Does what is due at this moment. */
  async step(trueMs: number): Promise<void> {
    this.machine.advanceTo(trueMs)
    const nowMs = this.machine.clock.monotonicMs()
    const due: SimulatedTimer[] = []
    for (let first = this.#firstTimer; first !== undefined && first.dueAt <= nowMs; first = this.#firstTimer)
      due.push(this.#timers.take()!)
    for (const timer of due) {
      if (timer.handle.isCancelled || !this.isAlive) continue
      if (timer.everyMs !== null)
        this.#timers.add({ ...timer, dueAt: nowMs + timer.everyMs, sequence: this.#sequence++ })
      await this.#do(timer.fire)
    }
    for (const handle of this.#arrived.splice(0)) await this.#do(handle)
    const { besides } = this
    if (besides !== null && besides.nextMs() <= nowMs) await this.#do(besides.run)
  }

  setTimer(fire: () => void, ms: number, repeats: boolean): TimerHandle {
    const everyMs = Math.max(1, Math.trunc(ms) || 1)
    const dueAt = this.machine.clock.monotonicMs() + everyMs
    const handle = new TimerHandle()
    if (this.isAlive)
      this.#timers.add({ dueAt, sequence: this.#sequence++, everyMs: repeats ? everyMs : null, fire, handle })
    return handle
  }

  get #firstTimer(): SimulatedTimer | undefined {
    while (this.#timers.first?.handle.isCancelled === true) this.#timers.take()
    return this.#timers.first
  }

  async #do(work: () => void): Promise<void> {
    if (!this.isAlive) return
    running = this
    try {
      work()
      await promisesSettled()
    } finally {
      running = null
    }
  }
}

/** Replaces the timers and clocks of Node.js for simulated processes, until it is disposed. */
export function simulateTime(): Disposable {
  const timer = (repeats: boolean, given: typeof real.setTimeout | typeof real.setInterval) =>
    ((fire: (...words: unknown[]) => void, ms = 0, ...words: unknown[]) =>
      running?.setTimer(() => fire(...words), ms, repeats) ??
      given(fire, ms, ...words)) as unknown as typeof real.setTimeout
  const clear = (given: typeof real.clearTimeout) => (handle: unknown) => {
    if (handle instanceof TimerHandle) handle.isCancelled = true
    else given(handle as NodeJS.Timeout)
  }
  replaceAll({
    setTimeout: timer(false, real.setTimeout),
    clearTimeout: clear(real.clearTimeout) as typeof real.clearTimeout,
    setInterval: timer(true, real.setInterval) as unknown as typeof real.setInterval,
    clearInterval: clear(real.clearInterval) as typeof real.clearInterval,
    now: () => running?.machine.clock.monotonicMs() ?? real.now(),
    uptime: () => (running === null ? real.uptime() : running.machine.clock.trueMs / 1_000),
    pause: pause as typeof real.pause,
  })
  return { [Symbol.dispose]: () => replaceAll(real) }
}

function pause<Value>(ms = 0, value?: Value, options: { signal?: AbortSignal } = {}): Promise<Value> {
  if (running === null) return real.pause(ms, value, options) as Promise<Value>
  const { signal } = options
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const abort = () => {
    handle.isCancelled = true
    reject(signal!.reason)
  }
  const end = () => {
    signal?.removeEventListener('abort', abort)
    resolve(value as Value)
  }
  const handle = running.setTimer(end, ms, false)
  signal?.addEventListener('abort', abort)
  return promise
}

function replaceAll(given: typeof real): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval, now, uptime, pause } = given
  Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval })
  Object.defineProperty(performance, 'now', { value: now, configurable: true, writable: true })
  Object.assign(os, { uptime })
  Object.assign(timersPromises, { setTimeout: pause })
  syncBuiltinESMExports()
}
