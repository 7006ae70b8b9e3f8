// simulation/process-calls.ts: how the calls of one process end: as the moods of the providers say, for the
// destinations of the fleet in force. Like the runners of the drivers, it removes secrets from answers.
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import { withoutSecrets } from '@pulseward/server/internal/platform/redaction/redaction.ts'
import type { Intervention } from '@pulseward/server/internal/recovery/driver.ts'
import type { CallEnd, ProviderBehaviour } from '../engine/fake-providers.ts'
import type { MoodyAnswer, ProviderMoods } from './provider-moods.ts'
import type { TargetMoods } from './target-moods.ts'

/** Ways in which the code around the drivers can fail. */
export interface CallFaults {
  readonly callsTwice?: boolean
  readonly keepsSecrets?: boolean
}

export interface ProcessCallsOptions {
  readonly providers: ProviderMoods
  readonly targets: TargetMoods
  readonly faults: CallFaults
  /** By endpoint, of the fleet in force. */
  readonly secrets: () => ReadonlyMap<string, string>
}

export class ProcessCalls implements ProviderBehaviour {
  readonly #options: ProcessCallsOptions

  constructor(options: ProcessCallsOptions) {
    this.#options = options
  }

  notify(endpoint: string, _notification: Notification, timeoutMs: number): CallEnd {
    const { providers, secrets } = this.#options
    const secret = secrets().get(endpoint)
    if (secret !== undefined) return this.#ending(providers.notify(endpoint, secret, timeoutMs))
    const answer = { kind: 'rejected', reason: 'the destination is not in the fleet any more' } as const
    return this.#ending({ answer, lastsMs: 0 })
  }

  recover(_target: string, { monitorId }: Intervention, timeoutMs: number): CallEnd {
    const { providers, targets } = this.#options
    const ended = providers.recover(timeoutMs)
    if (ended.helps) targets.setMood(monitorId, 'well')
    return this.#ending(ended)
  }

  #ending({ answer, lastsMs }: MoodyAnswer): CallEnd {
    const given = this.#redacted(answer)
    return { answer: () => given, lastsMs }
  }

  #redacted(answer: ActionOutcome): ActionOutcome {
    const { faults, secrets } = this.#options
    if (faults.keepsSecrets || !('reason' in answer)) return answer
    return { ...answer, reason: withoutSecrets(answer.reason, [...secrets().values()]) }
  }
}
