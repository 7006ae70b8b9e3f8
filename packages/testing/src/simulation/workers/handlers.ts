// simulation/workers/handlers.ts: what workers do with a job: they call the same targets and providers as the
// service, each by its mood, and report the outcome in the terms of the worker protocol.
import type { v2 } from '@pulseward/contract'
import type { Job } from '@pulseward/server/internal/external-workers/job.ts'
import type { JobKind } from '@pulseward/server/internal/store/execution.ts'
import type { Random } from '../../random.ts'
import type { ProviderMoods } from '../provider-moods.ts'
import type { TargetMoods } from '../target-moods.ts'
import type { JobTypes } from './job-types.ts'

type Status = v2.Outcome['status']

export interface Handled {
  readonly status: Status
  readonly lastsMs: number
  readonly rejectionCode: string | null
}

const others: Readonly<Record<JobKind, readonly Status[]>> = {
  check: ['success', 'failure', 'noData'],
  recovery: ['accepted', 'completed', 'rejected'],
  notification: ['accepted', 'delivered', 'rejected'],
}

export class Handlers {
  readonly #random: Random
  readonly #targets: TargetMoods
  readonly #providers: ProviderMoods
  readonly #jobTypes: JobTypes

  constructor(random: Random, targets: TargetMoods, providers: ProviderMoods, jobTypes: JobTypes) {
    this.#random = random
    this.#targets = targets
    this.#providers = providers
    this.#jobTypes = jobTypes
  }

  kindOf(jobType: string): JobKind {
    return this.#jobTypes.inForce(jobType).kind
  }

  run(job: Job): Handled {
    switch (job.kind) {
      case 'check':
        return this.#check(job)
      case 'recovery':
        return this.#recover(job)
      case 'notification':
        return this.#notify(job)
    }
  }

  /** A different outcome of the same job. */
  otherThan({ kind, status }: v2.Outcome): Status {
    return this.#random.pick(others[kind].filter((one) => one !== status))
  }

  #check({ monitorId, timeoutMs }: Job): Handled {
    const { status, lastsMs } = this.#targets.check(monitorId ?? '', timeoutMs)
    if (status === 'no_data') return { status: 'noData', lastsMs, rejectionCode: null }
    // A worker whose target hangs gives up in time, or is too late.
    const tookMs = status === 'timeout' ? timeoutMs + this.#random.whole(-500, 500) : lastsMs
    return { status: status === 'success' ? 'success' : 'failure', lastsMs: tookMs, rejectionCode: null }
  }

  #recover({ monitorId, timeoutMs }: Job): Handled {
    const { answer, lastsMs, helps } = this.#providers.recover(timeoutMs)
    if (helps) this.#targets.setMood(monitorId ?? '', 'well')
    return this.#said(answer.kind, lastsMs, 'completed')
  }

  #notify({ parameters, timeoutMs }: Job): Handled {
    const { to } = parameters as { readonly to: string }
    const { answer, lastsMs } = this.#providers.notify(to, 'nothing', timeoutMs)
    return this.#said(answer.kind, lastsMs, 'delivered')
  }

  #said(kind: string, lastsMs: number, done: 'completed' | 'delivered'): Handled {
    if (kind === 'unknown') return { status: 'unknown', lastsMs, rejectionCode: null }
    if (kind === 'accepted')
      return { status: this.#random.pick(['accepted', done]), lastsMs, rejectionCode: null }
    return { status: 'rejected', lastsMs, rejectionCode: this.#random.pick([null, 'refused', 'busy']) }
  }
}
