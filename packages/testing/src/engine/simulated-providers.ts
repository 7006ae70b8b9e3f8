// engine/simulated-providers.ts: the other side of actions, without a network: each destination and each recovery
// target can be told how to answer, and answers in simulated time. Takes the place of the drivers; remembers every
// call, because a call is what must never happen too early or twice.
import type { ActionRunner } from '@pulseward/server/internal/acting/action-flow.ts'
import type { RecoveryDefinition } from '@pulseward/server/internal/config/fleet-file/definition.ts'
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import { type ActionOutcome, accepted } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Intervention } from '@pulseward/server/internal/recovery/driver.ts'
import type { FakeClock } from './fake-clock.ts'

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

interface Pending {
  readonly dueMs: number
  readonly answer: () => void
}

export class SimulatedProviders implements ActionRunner {
  readonly notifyTimeoutMs = 15_000
  readonly deliveries: Delivery[] = []
  readonly recoveries: RecoveryCall[] = []
  /** What a destination answers; may be replaced. */
  outcomeOf: (delivery: Delivery) => ActionOutcome = () => accepted()
  recoveryOutcomeOf: (call: RecoveryCall) => ActionOutcome = () => accepted()
  /** How long answers take. */
  latencyMs = 20
  latencyOf: (endpoint: string) => number = () => this.latencyMs
  readonly #clock: FakeClock
  #pending: Pending[] = []

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  setFleet(): void {}

  notify(endpoint: string, notification: Notification): Promise<ActionOutcome> {
    const delivery = { endpoint, notification, atMs: this.#clock.wallMs() }
    this.deliveries.push(delivery)
    return this.#later(this.latencyOf(endpoint), () => this.outcomeOf(delivery))
  }

  recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<ActionOutcome> {
    const call = { target: this.targetOf(recovery), intervention, atMs: this.#clock.wallMs() }
    this.recoveries.push(call)
    return this.#later(this.latencyMs, () => this.recoveryOutcomeOf(call))
  }

  targetOf({ type, config }: RecoveryDefinition): string {
    return `${type} ${JSON.stringify(config)}`
  }

  /** Gives the answers whose time has come; true when there were any. */
  deliver(): boolean {
    const nowMs = this.#clock.monotonicMs()
    const due = this.#pending.filter(({ dueMs }) => dueMs <= nowMs)
    if (due.length === 0) return false
    this.#pending = this.#pending.filter(({ dueMs }) => dueMs > nowMs)
    for (const { answer } of due) answer()
    return true
  }

  /** The process that asked is gone: nobody hears the answers. */
  forget(): void {
    this.#pending = []
  }

  #later<Answer>(latencyMs: number, answer: () => Answer): Promise<Answer> {
    return new Promise((resolve) =>
      this.#pending.push({
        dueMs: this.#clock.monotonicMs() + latencyMs,
        answer: () => resolve(answer()),
      }),
    )
  }
}
