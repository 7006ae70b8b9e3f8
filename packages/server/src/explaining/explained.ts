// explaining/explained.ts: what every explanation is made of: rules in their order, sentences, and what comes next. It says
// what is recorded and what is in force, and nothing else.
import type { v2 } from '@pulseward/contract'
import { describeBecause } from '@pulseward/contract/v1/words'
import type { RecordedBecause } from '../deciding/health/because.ts'
import type { Instant } from '../deciding/health/health.ts'
import { timestamp } from '../platform/wire.ts'
import { becauseV1, becauseV2 } from '../projection/because-view.ts'

export { listWords } from '../platform/wording.ts'

export type Rule = v2.ExplainedRule['rule']

/** A change that is due. Null: when it comes is not known. */
export interface Coming {
  readonly at: Instant | null
  readonly text: string
}

/** What sentences need: the names of monitors, by their ids, and the moment that they are about. */
export interface Teller {
  readonly names: (monitorId: string) => string
  readonly at: Instant
}

export const unrecorded = 'an earlier version decided it and kept no reason'

export function decided(rule: Rule, text: string, because: RecordedBecause = null): v2.ExplainedRule {
  return explained(rule, 'decided', text, because)
}

export function passed(rule: Rule, text: string, because: RecordedBecause = null): v2.ExplainedRule {
  return explained(rule, 'passed', text, because)
}

export function notApplicable(rule: Rule, text: string): v2.ExplainedRule {
  return explained(rule, 'not_applicable', text, null)
}

/** The soonest first; what has no time comes last. */
export function comingChanges(changes: readonly Coming[]): v2.ComingChange[] {
  const time = ({ at }: Coming) => at ?? Infinity
  return changes
    .toSorted((one, other) => time(one) - time(other))
    .map(({ at, text }) => (at === null ? { text } : { at: timestamp(at), text }))
}

/** A recorded reason as a clause; null if there is none. */
export function clauseOf(because: RecordedBecause | undefined, { names }: Teller): string | null {
  const shown = becauseV1(because)
  if (shown === null) return null
  const named = shown.ancestor === undefined ? shown : { ...shown, ancestor: names(shown.ancestor) }
  return describeBecause(named)
}

export function spanWords(from: Instant, to: Instant): string {
  return `from ${timestamp(from)} to ${timestamp(to)}`
}

export function sentence(...parts: readonly (string | null)[]): string {
  const text = parts
    .filter((part) => part !== null && part !== '')
    .join(': ')
    .trim()
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}

function explained(
  rule: Rule,
  verdict: v2.ExplainedRule['verdict'],
  text: string,
  because: RecordedBecause,
): v2.ExplainedRule {
  const recorded = becauseV2(because)
  return recorded === null ? { rule, verdict, text } : { rule, verdict, text, because: recorded }
}
