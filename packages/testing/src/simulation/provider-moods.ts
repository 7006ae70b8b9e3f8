// simulation/provider-moods.ts: how destinations answer, each by its mood, and what recoveries do: they help, do not
// help, or leave the outcome open. Moods survive every process; calls in flight belong to the process that made them.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Random } from '../random.ts'

export type ProviderMood =
  | 'well'
  | 'slow'
  | 'rejecting'
  | 'limiting'
  | 'limiting for long'
  | 'failing'
  | 'gone'
  | 'hanging'
  | 'losing answers'

/** How a call ends and when. */
export interface MoodyAnswer {
  readonly answer: ActionOutcome
  readonly lastsMs: number
}

export class ProviderMoods {
  readonly #random: Random
  readonly #moods = new Map<string, ProviderMood>()

  constructor(random: Random) {
    this.#random = random
  }

  setMood(endpoint: string, mood: ProviderMood): void {
    this.#moods.set(endpoint, mood)
  }

  allWell(): void {
    this.#moods.clear()
  }

  /** Providers like to quote the request, including its secrets. */
  notify(endpoint: string, secret: string, timeoutMs: number): MoodyAnswer {
    const random = this.#random
    const lastsMs = random.between(5, 400)
    const quoted = `the request to ${endpoint} with ${secret} was refused`
    switch (this.#moods.get(endpoint) ?? 'well') {
      case 'well':
        return { answer: { kind: 'accepted' }, lastsMs }
      case 'slow':
        return { answer: { kind: 'accepted' }, lastsMs: random.between(2_000, timeoutMs) }
      case 'rejecting':
        return { answer: { kind: 'rejected', reason: quoted }, lastsMs }
      case 'limiting':
        return {
          answer: { kind: 'retry', reason: quoted, retryAfterMs: random.between(500, 60_000) },
          lastsMs,
        }
      case 'limiting for long':
        return {
          answer: { kind: 'retry', reason: quoted, retryAfterMs: random.between(600_000, 7_200_000) },
          lastsMs,
        }
      case 'failing':
        return { answer: { kind: 'retry', reason: 'HTTP 502', retryAfterMs: null }, lastsMs }
      case 'gone':
        return { answer: { kind: 'gone', reason: 'HTTP 410' }, lastsMs }
      case 'hanging':
        return { answer: { kind: 'unknown', reason: 'no answer in time' }, lastsMs: timeoutMs }
      case 'losing answers':
        return random.chance(0.5)
          ? { answer: { kind: 'unknown', reason: 'the connection was lost' }, lastsMs }
          : { answer: { kind: 'accepted' }, lastsMs }
    }
  }

  /** helps: the target is healthy afterwards, whatever the answer was. */
  recover(timeoutMs: number): MoodyAnswer & { readonly helps: boolean } {
    const random = this.#random
    const lastsMs = random.between(20, 4_000)
    switch (random.weighted({ helps: 5, useless: 3, rejected: 2, lost: 1, hangs: 1 })) {
      case 'helps':
        return { answer: { kind: 'accepted' }, lastsMs, helps: true }
      case 'useless':
        return { answer: { kind: 'accepted' }, lastsMs, helps: false }
      case 'rejected':
        return { answer: { kind: 'rejected', reason: 'HTTP 403' }, lastsMs, helps: false }
      case 'lost':
        return {
          answer: { kind: 'unknown', reason: 'the connection was lost' },
          lastsMs,
          helps: random.chance(0.5),
        }
      case 'hangs':
        return {
          answer: { kind: 'unknown', reason: 'no answer in time' },
          lastsMs: timeoutMs,
          helps: random.chance(0.5),
        }
    }
  }
}
