// deciding/health/on-result.ts: what the result of a check means. An outdated result (an older generation,
// another check revision, a monitor that is disabled or snoozed) changes nothing. no_data and own faults
// count neither as healthy nor as failed.
//
// A warning means that the target answers well but needs attention (a certificate that expires soon). It is
// announced when it appears and when it disappears, and never starts a recovery. A yellow that was sent is
// always followed by a green: the warning's own, or the closing green of the episode that took it over.
import { cut } from '../../platform/wording.ts'
import type { Ancestors } from './ancestors.ts'
import type { FailingRule } from './because.ts'
import { beginEpisode, escalate, recovered } from './episode.ts'
import {
  type Episode,
  type Failure,
  type Health,
  type HealthRules,
  type Instant,
  isActive,
} from './health.ts'
import type { ResultInput } from './input.ts'
import { announce, become, inEpisode, notify, type Step, unchanged } from './step.ts'

/** It is kept for as long as history is, with every state of a failing monitor. */
const longestFailure = 500

export function onResult(state: Health, input: ResultInput, rules: HealthRules, now: Instant): Step {
  if (!isNews(state, input)) return unchanged(state)
  const saysNothing = input.ownFault || input.status === 'no_data'
  const observed = become(unchanged(state), {
    generation: input.generation,
    lastOutcome: input.ownFault ? 'own_fault' : input.status,
    known: state.known || !saysNothing,
  })
  if (saysNothing || isSettling(state, input)) return observed
  return input.status === 'success'
    ? onSuccess(observed, input, rules, now)
    : onFailure(observed, input, rules, now)
}

// Results of a revision that is not known yet are ignored too: their configuration-changed has to come first.
function isNews(state: Health, input: ResultInput): boolean {
  return isActive(state) && input.generation > state.generation && input.checkRevision === state.checkRevision
}

function isSettling(state: Health, input: ResultInput): boolean {
  const verification = state.episode?.verification ?? null
  return verification !== null && input.startedAt < verification.countsFrom
}

function onSuccess(step: Step, input: ResultInput, rules: HealthRules, now: Instant): Step {
  // A warning is dropped before the closing green and raised after it. The green covers the end of the
  // warning, and it would supersede a yellow that was queued before it.
  const fallen = input.warning === null ? dropWarning(step) : step
  const counted =
    fallen.state.episode === null
      ? countTowardsHold(fallen, rules)
      : countHealthy(fallen, fallen.state.episode, rules, now)
  return raiseWarning(counted, input.warning, input.context.ancestors, now)
}

function countHealthy(step: Step, episode: Episode, rules: HealthRules, now: Instant): Step {
  const well = { failures: 0, withheld: null, suppressedBy: null }
  if (episode.verification !== null) {
    const healthy = episode.verification.healthy + 1
    const verified = inEpisode(step, { ...well, verification: { ...episode.verification, healthy } })
    const { needed } = episode.verification
    return healthy >= needed ? recovered(verified, { kind: 'verified', healthy, needed }, now) : verified
  }
  const healthyStreak = episode.healthyStreak + 1
  const counted = inEpisode(step, { ...well, healthyStreak })
  // The effect of a started intervention on the target is not known yet; its outcome decides.
  const isStarted = step.state.intervention !== null && step.state.intervention.startedAt !== null
  const threshold = rules.healthyThreshold
  return healthyStreak >= threshold && !isStarted
    ? recovered(counted, { kind: 'recovery_threshold', successes: healthyStreak, threshold }, now)
    : counted
}

function countTowardsHold(step: Step, rules: HealthRules): Step {
  const { hold } = step.state
  if (hold === null) return step
  const healthy = hold.healthy + 1
  return become(step, { hold: healthy >= rules.healthyThreshold ? null : { healthy } })
}

function onFailure(step: Step, input: ResultInput, rules: HealthRules, now: Instant): Step {
  const { ancestors } = input.context
  const before = step.state.episode
  const begun = before === null ? beginEpisode(step, input) : step
  const failures = (before?.failures ?? 0) + 1
  const reached = failures >= rules.unhealthyThreshold
  const isSuppressed = ancestors.kind === 'in-trouble' && (before?.incident ?? null) === null
  const counted = inEpisode(handOverWarning(begun), {
    failures,
    healthyStreak: 0,
    verification: null,
    lastFailureAt: input.finishedAt,
    lastFailure: failureOf(input),
    thresholdReachedAt: before?.thresholdReachedAt ?? (reached ? now : null),
    suppressedBy: isSuppressed ? ancestors.by : null,
  })
  const told =
    before === null && !isSuppressed
      ? announce(counted, 'yellow', { kind: 'first_failure', threshold: rules.unhealthyThreshold })
      : counted
  const because = whyDue(before, failures, rules)
  return because === null ? told : escalate(told, because, input.context, rules, now)
}

function failureOf({ status, reason, from }: ResultInput): Failure {
  return {
    failureClass: status === 'timeout' ? 'timeout' : 'failure',
    ...(reason === null ? {} : { failure: cut(reason, longestFailure) }),
    ...(from === null ? {} : { from }),
  }
}

/** Why this failure makes a recovery or an incident due; null if it does not. */
function whyDue(before: Episode | null, failures: number, rules: HealthRules): FailingRule | null {
  const threshold = rules.unhealthyThreshold
  if (before !== null && before.verification !== null) {
    const { healthy, needed } = before.verification
    return { kind: 'verification_failed', healthy, needed }
  }
  if (failures >= threshold) return { kind: 'threshold', failures, threshold }
  if (before === null || before.withheld === null) return null
  return { kind: 'withheld', by: before.withheld, failures, threshold }
}

function raiseWarning(step: Step, text: string | null, ancestors: Ancestors, now: Instant): Step {
  const { warning } = step.state
  if (text === null || text === warning?.text) return step
  if (warning !== null) return become(step, { warning: { ...warning, text } })
  const announced = ancestors.kind !== 'in-trouble'
  const raised = become(step, { warning: { text, since: now, announced } })
  return announced ? notify(raised, 'yellow', 'warning', { kind: 'warning', text }) : raised
}

function dropWarning(step: Step): Step {
  const { warning, episode } = step.state
  if (warning === null) return step
  if (episode !== null) return handOverWarning(step)
  const dropped = become(step, { warning: null })
  return warning.announced ? notify(dropped, 'green', 'warning', { kind: 'warning_ended' }) : dropped
}

/** Cleared without a green: the closing green of the episode covers both. */
function handOverWarning(step: Step): Step {
  const { warning, episode } = step.state
  if (warning === null || episode === null) return step
  const dropped = become(step, { warning: null })
  if (!warning.announced) return dropped
  const warnedSince = Math.min(episode.warnedSince ?? warning.since, warning.since)
  const unknown = warning.toldUnknown ? ({ toldUnknown: true } as const) : {}
  return inEpisode(dropped, { announced: true, warnedSince, ...unknown })
}
