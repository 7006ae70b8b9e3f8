// controller/heartbeat.ts: drives the controller in real time: a tick every 10 ms, the pool's size every 250 ms,
// the histories every second. The only place where the controller meets timers.
import type { Clock } from '../platform/clock.ts'
import type { LoopLagMeter } from '../telemetry/loop-lag.ts'
import type { Progress } from '../telemetry/progress.ts'
import type { Controller } from './controller.ts'

const tickMs = 10
const adaptMs = 250
const historyMs = 1000

export class Heartbeat {
  readonly #timers: NodeJS.Timeout[]

  constructor(controller: Controller, progress: Progress, loopLag: LoopLagMeter, clock: Clock) {
    this.#timers = [
      setInterval(() => controller.tick(), tickMs),
      setInterval(() => controller.adapt(), adaptMs),
      setInterval(() => {
        controller.keepHistory()
        progress.note()
        loopLag.observe(clock.monotonicMs())
      }, historyMs),
    ]
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer)
  }
}
