// engine/scripted-providers.ts: destinations and recovery targets that answer as the test says, and a record
// of every call. They outlive the processes that call them.
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import { type ActionOutcome, accepted } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Intervention } from '@pulseward/server/internal/recovery/driver.ts'
import type { FakeClock } from './fake-clock.ts'
import type { CallEnd, ProviderBehaviour } from './fake-providers.ts'

export interface Delivery {
  readonly endpoint: string
  readonly notification: Notification
  readonly atMs: number
}

export interface RecoveryCall {
  readonly target: string
  readonly intervention: Intervention
  readonly atMs: number
}

export class ScriptedProviders implements ProviderBehaviour {
  readonly deliveries: Delivery[] = []
  readonly recoveries: RecoveryCall[] = []
  /** What a destination answers; may be replaced. */
  outcomeOf: (delivery: Delivery) => ActionOutcome = () => accepted()
  recoveryOutcomeOf: (call: RecoveryCall) => ActionOutcome = () => accepted()
  /** How long answers take. */
  latencyMs = 20
  latencyOf: (endpoint: string) => number = () => this.latencyMs
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  notify(endpoint: string, notification: Notification): CallEnd {
    const delivery = { endpoint, notification, atMs: this.#clock.wallMs() }
    this.deliveries.push(delivery)
    return { lastsMs: this.latencyOf(endpoint), answer: () => this.outcomeOf(delivery) }
  }

  recover(target: string, intervention: Intervention): CallEnd {
    const call = { target, intervention, atMs: this.#clock.wallMs() }
    this.recoveries.push(call)
    return { lastsMs: this.latencyMs, answer: () => this.recoveryOutcomeOf(call) }
  }
}
