// simulation/run-providers.ts: the calls of one process that wait for an answer. Takes the place of the drivers and, as
// their runners do, takes secrets out of what comes back.
import type { ActionRunner } from '@pulseward/server/internal/acting/action-flow.ts'
import type { RecoveryDefinition } from '@pulseward/server/internal/config/fleet-file/definition.ts'
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import { withoutSecrets } from '@pulseward/server/internal/platform/redaction/redaction.ts'
import type { Intervention } from '@pulseward/server/internal/recovery/driver.ts'
import type { Providers } from './providers.ts'
import type { SimulatedClock } from './simulated-clock.ts'

/** Ways in which the stage around the drivers can fail. */
export interface CallFaults {
  readonly callsTwice?: boolean
  readonly keepsSecrets?: boolean
}

export interface CallWitness {
  notified(endpoint: string, notification: Notification): void
  recovered(target: string, intervention: Intervention): void
  answered(actionId: string, answer: ActionOutcome): void
}

export interface RunProvidersOptions {
  readonly providers: Providers
  readonly clock: SimulatedClock
  readonly witness: CallWitness
  readonly faults: CallFaults
  /** By endpoint, of the fleet in force. */
  readonly secrets: () => ReadonlyMap<string, string>
  readonly isAlive: () => boolean
  /** A recovery has helped. */
  readonly helped: (monitorId: string) => void
}

interface Pending {
  readonly dueMs: number
  readonly give: () => void
}

export class RunProviders implements ActionRunner {
  readonly notifyTimeoutMs = 15_000
  readonly #options: RunProvidersOptions
  #pending: Pending[] = []
  #nextMs = Number.POSITIVE_INFINITY

  constructor(options: RunProvidersOptions) {
    this.#options = options
  }

  /** By the monotonic clock of the process. */
  get nextMs(): number {
    return this.#nextMs
  }

  /** When the last answer will have come. */
  get lastMs(): number {
    return this.#pending.reduce((last, { dueMs }) => Math.max(last, dueMs), Number.NEGATIVE_INFINITY)
  }

  setFleet(): void {}

  notify(endpoint: string, notification: Notification): Promise<ActionOutcome> {
    const { providers, witness, faults, isAlive, secrets } = this.#options
    if (!isAlive()) return new Promise(() => {})
    witness.notified(endpoint, notification)
    if (faults.callsTwice) witness.notified(endpoint, notification)
    const secret = secrets().get(endpoint)
    if (secret === undefined) {
      const answer: ActionOutcome = {
        kind: 'rejected',
        reason: 'the destination is not in the fleet any more',
      }
      witness.answered(notification.actionId, answer)
      return Promise.resolve(answer)
    }
    const { answer, lastsMs } = providers.notify(endpoint, secret, this.notifyTimeoutMs)
    return this.#later(notification.actionId, lastsMs, this.#redacted(answer))
  }

  recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<ActionOutcome> {
    const { providers, witness, faults, isAlive, helped } = this.#options
    if (!isAlive()) return new Promise(() => {})
    witness.recovered(this.targetOf(recovery), intervention)
    if (faults.callsTwice) witness.recovered(this.targetOf(recovery), intervention)
    const { answer, lastsMs, helps } = providers.recover(recovery.timeoutMs)
    if (helps) helped(intervention.monitorId)
    return this.#later(intervention.actionId, lastsMs, this.#redacted(answer))
  }

  targetOf({ type, config }: RecoveryDefinition): string {
    return `${type} ${JSON.stringify(config)}`
  }

  /** Gives the answers whose time has come; true when there were any. */
  deliver(): boolean {
    const nowMs = this.#options.clock.monotonicMs()
    if (this.#nextMs > nowMs) return false
    const due = this.#pending.filter(({ dueMs }) => dueMs <= nowMs)
    this.#pending = this.#pending.filter(({ dueMs }) => dueMs > nowMs)
    this.#plan()
    for (const { give } of due) give()
    return true
  }

  #redacted<Answer extends ActionOutcome>(answer: Answer): Answer {
    const { faults, secrets } = this.#options
    if (faults.keepsSecrets || !('reason' in answer)) return answer
    return { ...answer, reason: withoutSecrets(answer.reason, [...secrets().values()]) }
  }

  #later<Answer extends ActionOutcome>(actionId: string, lastsMs: number, answer: Answer): Promise<Answer> {
    const { clock, witness } = this.#options
    return new Promise((resolve) => {
      const give = () => {
        witness.answered(actionId, answer)
        resolve(answer)
      }
      this.#pending.push({ dueMs: clock.monotonicMs() + Math.ceil(lastsMs), give })
      this.#plan()
    })
  }

  #plan(): void {
    this.#nextMs = this.#pending.reduce((next, { dueMs }) => Math.min(next, dueMs), Number.POSITIVE_INFINITY)
  }
}
