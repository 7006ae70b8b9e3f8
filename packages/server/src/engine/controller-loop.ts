// engine/controller-loop.ts: drives the controller in real time: the wheel every few milliseconds, the pool's size
// every 250 ms, the histories every second. The only place where the controller meets timers.
import type { Clock } from '../platform/clock.ts'
import type { LoopLagMeter } from '../telemetry/loop-lag.ts'
import type { Progress } from '../telemetry/progress.ts'
import type { Controller } from './engine.ts'

const busyTickMs = 10
const busyAdaptMs = 250
/** A small fleet is not worth waking up a hundred times a second for. */
const calmTickMs = 100
const calmAdaptMs = 1000
const calmBelowPerSecond = 50
const historyMs = 1000

export class Heartbeat {
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(controller: Controller, progress: Progress, loopLag: LoopLagMeter, clock: Clock) {
    const isCalm = () => controller.checksPerSecond < calmBelowPerSecond
    this.#repeat(
      () => (isCalm() ? calmTickMs : busyTickMs),
      () => controller.tick(),
    )
    this.#repeat(
      () => (isCalm() ? calmAdaptMs : busyAdaptMs),
      () => controller.adapt(),
    )
    this.#repeat(
      () => historyMs,
      () => {
        controller.keepHistory()
        progress.note()
        loopLag.observe(clock.monotonicMs())
      },
    )
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #repeat(periodMs: () => number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#repeat(periodMs, work)
      work()
    }, periodMs())
    this.#timers.add(timer)
  }
}
