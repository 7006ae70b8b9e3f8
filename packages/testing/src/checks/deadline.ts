// checks/deadline.ts: the deadline of a run under test; it passes when the test says so.
import type { CheckRun } from '@pulseward/server/internal/checks/driver.ts'

export class Deadline implements Pick<CheckRun, 'onStop' | 'hasExpired'> {
  #stop: (() => void) | undefined
  #hasExpired = false

  get hasExpired(): boolean {
    return this.#hasExpired
  }

  get onStop(): (() => void) | undefined {
    return this.#stop
  }

  set onStop(stop: (() => void) | undefined) {
    this.#stop = stop
    if (this.#hasExpired) stop?.()
  }

  pass(): void {
    this.#hasExpired = true
    this.#stop?.()
  }
}
