// engine/fake-providers.ts: the calls of one process that wait for an answer, in fake time and without a
// network. It replaces the drivers of notify and recovery. A behaviour decides how a call ends when the call
// is made. The witness is told of every call, because a call must never happen too early or twice.
import {
  type ActionSource,
  type DestinationTraits,
  notifyTimeoutMs,
  type StartedAction,
} from '@pulseward/server/internal/acting/action-source.ts'
import { driverTraits, driverTypes } from '@pulseward/server/internal/acting/driver-actions.ts'
import type { Credentials } from '@pulseward/server/internal/config/fleet-file/credentials.ts'
import type {
  EndpointDefinition,
  RecoveryDefinition,
} from '@pulseward/server/internal/config/fleet-file/definition.ts'
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Intervention } from '@pulseward/server/internal/recovery/driver.ts'
import type { FakeClock } from './fake-clock.ts'

/** How a call ends and when. */
export interface CallEnd {
  /** Evaluated when the call ends. */
  readonly answer: () => ActionOutcome
  /** 0: the answer is immediate. */
  readonly lastsMs: number
}

export interface ProviderBehaviour {
  notify(endpoint: string, notification: Notification, timeoutMs: number): CallEnd
  recover(target: string, intervention: Intervention, timeoutMs: number): CallEnd
}

export interface CallWitness {
  notified(endpoint: string, notification: Notification): void
  recovered(target: string, intervention: Intervention): void
  answered(actionId: string, answer: ActionOutcome): void
}

export interface FakeProvidersOptions {
  readonly clock: FakeClock
  readonly behaviour: ProviderBehaviour
  readonly witness?: CallWitness
  /** False after the process was killed: nothing is called any more. */
  readonly isAlive?: () => boolean
}

interface CallInFlight {
  readonly dueMs: number
  readonly give: () => void
}

export class FakeProviders implements ActionSource {
  readonly types = driverTypes
  readonly runsHere = true
  readonly #options: FakeProvidersOptions
  #inFlight: CallInFlight[] = []
  #nextMs = Number.POSITIVE_INFINITY

  constructor(options: FakeProvidersOptions) {
    this.#options = options
  }

  /** When the next answer arrives, by the monotonic clock of the process. */
  get nextMs(): number {
    return this.#nextMs
  }

  /** When the last answer will have arrived. */
  get lastMs(): number {
    return this.#inFlight.reduce((last, { dueMs }) => Math.max(last, dueMs), Number.NEGATIVE_INFINITY)
  }

  setFleet(): void {}

  carryOut(started: StartedAction): Promise<ActionOutcome> {
    if (!this.#isAlive) return never()
    return started.kind === 'recovery'
      ? this.#recover(started.driver, started.about)
      : this.#notify(started.endpoint, started.about)
  }

  targetOf({ type, config }: RecoveryDefinition): string {
    return `${type} ${JSON.stringify(config)}`
  }

  describe(endpoint: EndpointDefinition, credentials: Credentials): DestinationTraits {
    return driverTraits(endpoint, credentials)
  }

  #notify(endpoint: string, notification: Notification): Promise<ActionOutcome> {
    const { behaviour, witness } = this.#options
    witness?.notified(endpoint, notification)
    return this.#answer(notification.actionId, behaviour.notify(endpoint, notification, notifyTimeoutMs))
  }

  #recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<ActionOutcome> {
    const { behaviour, witness } = this.#options
    const target = this.targetOf(recovery)
    witness?.recovered(target, intervention)
    return this.#answer(intervention.actionId, behaviour.recover(target, intervention, recovery.timeoutMs))
  }

  /** Delivers the answers that are due; true if there were any. */
  deliver(): boolean {
    const nowMs = this.#options.clock.monotonicMs()
    if (this.#nextMs > nowMs) return false
    const due = this.#inFlight.filter(({ dueMs }) => dueMs <= nowMs)
    this.#inFlight = this.#inFlight.filter(({ dueMs }) => dueMs > nowMs)
    this.#nextMs = this.#inFlight.reduce((next, { dueMs }) => Math.min(next, dueMs), Number.POSITIVE_INFINITY)
    for (const { give } of due) give()
    return true
  }

  get #isAlive(): boolean {
    return this.#options.isAlive?.() ?? true
  }

  #answer(actionId: string, { answer, lastsMs }: CallEnd): Promise<ActionOutcome> {
    const { promise, resolve } = Promise.withResolvers<ActionOutcome>()
    const give = () => {
      const given = answer()
      this.#options.witness?.answered(actionId, given)
      resolve(given)
    }
    if (lastsMs === 0) {
      give()
    } else {
      const dueMs = this.#options.clock.monotonicMs() + Math.ceil(lastsMs)
      this.#inFlight.push({ dueMs, give })
      this.#nextMs = Math.min(this.#nextMs, dueMs)
    }
    return promise
  }
}

function never(): Promise<never> {
  return new Promise(() => {})
}
