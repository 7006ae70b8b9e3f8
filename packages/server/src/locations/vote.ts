// locations/vote.ts: the votes of a monitor's places give one outcome, so that nothing after it has to know of places. Pure.
// Failures are counted against the configured places: a place that did not answer neither fails nor succeeds.
import type { OutcomeStatus } from '../checks/driver.ts'
import { listWords } from '../platform/wording.ts'

/** What one place says of the target. */
export interface Vote {
  readonly location: string
  /** no_data: it has not looked. */
  readonly status: OutcomeStatus
  /** With no_data: the place is why, and not the target. */
  readonly isNotMade: boolean
  readonly latencyMs: number
  readonly reason: string | null
  readonly warning: string | null
  readonly certificateExpiresAt: number | null
}

export type Outcome = Omit<Vote, 'location'>

/** votes: one of each configured place. needed: how many have to fail. */
export function outcomeOf(votes: readonly Vote[], needed: number): Outcome {
  const successes = votes.filter(({ status }) => status === 'success')
  const failures = votes.filter(({ status }) => status === 'failure' || status === 'timeout')
  const missing = votes.filter(({ status }) => status === 'no_data')
  const shared = { isNotMade: false, certificateExpiresAt: earliest(votes) }
  if (failures.length >= needed)
    return {
      ...shared,
      status: failures.every(({ status }) => status === 'timeout') ? 'timeout' : 'failure',
      latencyMs: median(successes.length > 0 ? successes : failures),
      reason: sentenceOf([...reasonsOf(failures), ...succeeding(successes), ...silent(missing)]),
      warning: null,
    }
  if (successes.length < votes.length - needed + 1)
    return {
      ...shared,
      status: 'no_data',
      isNotMade: missing.some(({ isNotMade }) => isNotMade),
      latencyMs: 0,
      reason: sentenceOf([...missingOf(missing), ...reasonsOf(failures), ...succeeding(successes)]),
      warning: null,
    }
  return {
    ...shared,
    status: 'success',
    latencyMs: median(successes),
    reason: null,
    warning: sentenceOf([
      ...(failures.length === 0 ? [] : [`fails ${sentenceOf(reasonsOf(failures))}`]),
      ...wordsOf(successes, ({ warning }) => warning),
    ]),
  }
}

/** Such as "from fra and iad: status 503". */
function reasonsOf(votes: readonly Vote[]): readonly string[] {
  return wordsOf(votes, ({ reason, status }) => reason ?? (status === 'timeout' ? 'timeout' : 'failure'))
}

function missingOf(votes: readonly Vote[]): readonly string[] {
  return wordsOf(votes, ({ reason }) => reason ?? 'it could not look').map((words) => `no result ${words}`)
}

/** Each text once, with the places that gave it. */
function wordsOf(votes: readonly Vote[], of: (vote: Vote) => string | null): readonly string[] {
  const places = new Map<string, Vote[]>()
  for (const vote of votes) {
    const words = of(vote)
    if (words !== null) places.set(words, [...(places.get(words) ?? []), vote])
  }
  return [...places].map(([words, from]) => `from ${placesOf(from)}: ${words}`)
}

function succeeding(votes: readonly Vote[]): readonly string[] {
  return votes.length === 0 ? [] : [`${placesOf(votes)} ${votes.length === 1 ? 'succeeds' : 'succeed'}`]
}

function silent(votes: readonly Vote[]): readonly string[] {
  return votes.length === 0 ? [] : [`no result from ${placesOf(votes)}`]
}

function placesOf(votes: readonly Vote[]): string {
  return listWords(votes.map(({ location }) => location))
}

function sentenceOf(parts: readonly string[]): string | null {
  return parts.length === 0 ? null : parts.join('; ')
}

/** Of an even number, the mean of the two in the middle. */
function median(votes: readonly Vote[]): number {
  const sorted = votes.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other)
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!
}

/** Of the certificates that were seen, the one that expires first. */
function earliest(votes: readonly Vote[]): number | null {
  const seen = votes.flatMap(({ certificateExpiresAt }) => certificateExpiresAt ?? [])
  return seen.length === 0 ? null : Math.min(...seen)
}
