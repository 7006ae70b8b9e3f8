// simulation/process-ticks.ts: the loop of one process in simulated time. Ticks at which nothing is due are
// skipped, but never so many that it would be a stall.
import { startLoop } from '@pulseward/server/internal/engine/controller-loop.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { FakeTimers } from '../engine/fake-timers.ts'
import type { World } from './world.ts'

/** The period that the loop of a small fleet requests. */
const tickMs = 100
/** A tick that comes later than a second after the last is a stall. */
const longestPauseMs = 900
const canaryMs = 2_000
/** Less often than the loop requests: what these jobs store is hardly used here, and they are expensive. */
const secondMs = 3_000
const adaptMs = 20_000

export interface ProcessTicksOptions {
  readonly world: World
  readonly engine: Engine
  readonly parts: EngineParts
  readonly fleet: Fleet
  readonly isAlive: () => boolean
}

export class ProcessTicks {
  readonly #options: ProcessTicksOptions
  readonly #timers = new FakeTimers()
  /** From the moment the process has restored its state until it stops or dies. */
  #loop: Disposable | null = null
  #lastTickMs = 0
  #nextDueMs = 0
  #secondAtMs = 0
  #canaryAtMs = 0
  #adaptAtMs = 0

  constructor(options: ProcessTicksOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#loop !== null
  }

  begin(): void {
    this.#loop = startLoop(this.#options.engine, this.#timers)
    this.#lastTickMs = this.#nowMs
  }

  end(): void {
    this.#loop?.[Symbol.dispose]()
    this.#loop = null
  }

  /** The next tick at which something is due, or after which a pause would be too long. */
  get nextMs(): number {
    if (!this.isRunning) return Number.POSITIVE_INFINITY
    const { ledger, time, checks } = this.#options.parts
    let dueMs = checks.queue.depth > 0 ? this.#lastTickMs : this.#nextDueMs
    const startAt = ledger.nextStartAt(time.now())
    if (startAt !== null) dueMs = Math.min(dueMs, time.monotonicMs(startAt))
    const ticks = Math.ceil((dueMs - this.#lastTickMs) / tickMs)
    return this.#lastTickMs + Math.min(longestPauseMs, Math.max(1, ticks) * tickMs)
  }

  /** Checks were planned anew. */
  planChecks(): void {
    const { parts, fleet } = this.#options
    const { scheduler } = parts.checks
    this.#nextDueMs = Number.POSITIVE_INFINITY
    for (let row = 0; row < fleet.rows; row++) {
      const dueMs = scheduler.nextDueMs(row)
      if (dueMs !== null && dueMs < this.#nextDueMs) this.#nextDueMs = dueMs
    }
  }

  tick(): void {
    if (this.nextMs > this.#nowMs) return
    const { world, isAlive } = this.#options
    const { oracle, hazard } = world
    oracle.ticking()
    this.#timers.run('tick')
    if (!isAlive()) return
    oracle.ticked()
    this.#lastTickMs = this.#nowMs
    if (this.#nowMs >= this.#secondAtMs) {
      this.#secondAtMs = this.#nowMs + secondMs
      this.#timers.run('second')
    }
    if (this.#nowMs >= this.#adaptAtMs) {
      this.#adaptAtMs = this.#nowMs + adaptMs
      this.#timers.run('adapt')
    }
    if (this.#nowMs >= this.#canaryAtMs) {
      this.#canaryAtMs = this.#nowMs + canaryMs
      this.#readCanaries()
    }
    this.planChecks()
    hazard.reached('turn ended')
  }

  #readCanaries(): void {
    const { world, engine } = this.#options
    const { oracle, targets } = world
    oracle.canaryRead('loopback', true)
    oracle.canaryRead('resolver', !targets.isNetworkGone)
    engine.readCanary('loopback', true)
    engine.readCanary('resolver', !targets.isNetworkGone)
  }

  get #nowMs(): number {
    return this.#options.world.clock.monotonicMs()
  }
}
