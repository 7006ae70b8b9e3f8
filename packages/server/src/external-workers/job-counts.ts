// external-workers/job-counts.ts: counts of jobs and offers since the process started, for metrics. Labels
// are words of the contract, so there are few of them.
import type { v2 } from '@pulseward/contract'
import type { JobKind } from '../store/execution.ts'

export class JobCounts {
  #granted = 0
  #offersNotStarted = 0
  #notStarted = 0
  #withoutReport = 0
  readonly #results = new Map<string, number>()

  get granted(): number {
    return this.#granted
  }

  /** Offers that expired before the worker started the job. */
  get offersNotStarted(): number {
    return this.#offersNotStarted
  }

  /** Jobs that no worker started in time. */
  get notStarted(): number {
    return this.#notStarted
  }

  /** Jobs whose worker did not report by the deadline. */
  get withoutReport(): number {
    return this.#withoutReport
  }

  /** Results that arrived in time. */
  results(kind: JobKind, status: v2.Outcome['status']): number {
    return this.#results.get(keyOf(kind, status)) ?? 0
  }

  noteGranted(): void {
    this.#granted++
  }

  noteOfferNotStarted(): void {
    this.#offersNotStarted++
  }

  noteNotStarted(): void {
    this.#notStarted++
  }

  noteWithoutReport(): void {
    this.#withoutReport++
  }

  noteResult(kind: JobKind, status: v2.Outcome['status']): void {
    const key = keyOf(kind, status)
    this.#results.set(key, (this.#results.get(key) ?? 0) + 1)
  }
}

function keyOf(kind: JobKind, status: string): string {
  return `${kind} ${status}`
}
