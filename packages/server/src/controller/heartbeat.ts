// controller/heartbeat.ts: drives the controller in real time: the wheel every few milliseconds, the pool's size
// every 250 ms, the histories every second. The only place where the controller meets timers.
import type { Clock } from '../platform/clock.ts'
import type { LoopLagMeter } from '../telemetry/loop-lag.ts'
import type { Progress } from '../telemetry/progress.ts'
import type { Controller } from './controller.ts'

const busyTickMs = 10
/** A small fleet is not worth waking up a hundred times a second for. */
const calmTickMs = 50
const calmBelowPerSecond = 50
const adaptMs = 250
const historyMs = 1000

export class Heartbeat {
  readonly #timers: NodeJS.Timeout[]
  #tick: NodeJS.Timeout

  constructor(controller: Controller, progress: Progress, loopLag: LoopLagMeter, clock: Clock) {
    const tick = () => {
      this.#tick = setTimeout(tick, controller.checksPerSecond < calmBelowPerSecond ? calmTickMs : busyTickMs)
      controller.tick()
    }
    this.#tick = setTimeout(tick, busyTickMs)
    this.#timers = [
      setInterval(() => controller.adapt(), adaptMs),
      setInterval(() => {
        controller.keepHistory()
        progress.note()
        loopLag.observe(clock.monotonicMs())
      }, historyMs),
    ]
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#tick)
    for (const timer of this.#timers) clearInterval(timer)
  }
}
