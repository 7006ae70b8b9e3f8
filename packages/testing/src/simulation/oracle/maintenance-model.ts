// simulation/oracle/maintenance-model.ts: which monitors are in maintenance by the calendar alone. A monitor
// certainly is only after a few seconds in which the process ran: a window is noticed at the next turn.
import type { PlannedWindow } from '../fleet-plan.ts'
import type { Scene } from './scene.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const noticedWithinMs = 3_000

export class MaintenanceModel {
  readonly #scene: Scene
  readonly #sinceMs = new Map<string, number>()
  readonly #outSinceMs = new Map<string, number>()

  constructor(scene: Scene) {
    this.#scene = scene
  }

  /** The process could not notice anything before now. */
  restart(): void {
    this.#sinceMs.clear()
    this.#outSinceMs.clear()
  }

  /** The process reads the calendar. */
  look(): void {
    const nowMs = this.#scene.clock.trueMs
    for (const { id, window } of this.#scene.plan.monitors.values()) {
      const isIn = window !== null && isActive(window, this.#scene.clock.wallMs())
      const [enters, leaves] = isIn ? [this.#sinceMs, this.#outSinceMs] : [this.#outSinceMs, this.#sinceMs]
      if (!enters.has(id)) enters.set(id, nowMs)
      leaves.delete(id)
    }
  }

  isSurelyIn(id: string): boolean {
    const window = this.#scene.monitor(id)?.window ?? null
    return (
      window !== null && isActive(window, this.#scene.clock.wallMs()) && this.#isSettled(this.#sinceMs, id)
    )
  }

  isSurelyOut(id: string): boolean {
    const window = this.#scene.monitor(id)?.window ?? null
    return window === null && this.#isSettled(this.#outSinceMs, id)
  }

  #isSettled(since: ReadonlyMap<string, number>, id: string): boolean {
    return this.#scene.clock.trueMs - (since.get(id) ?? Number.POSITIVE_INFINITY) > noticedWithinMs
  }
}

export function isActive(window: PlannedWindow, wallMs: number): boolean {
  if (window.kind === 'once') return window.startMs <= wallMs && wallMs < window.endMs
  const sinceMs = (((wallMs - window.minute * minuteMs) % hourMs) + hourMs) % hourMs
  return sinceMs < window.lastsMinutes * minuteMs
}
