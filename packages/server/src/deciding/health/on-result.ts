// deciding/health/on-result.ts: what the result of a check means. A result that is not news (an older generation, another
// check configuration, a monitor nobody watches) changes nothing; no_data and own fault touch no streak.
import { recovered } from './end-episode.ts'
import { escalate } from './escalate.ts'
import type { Episode, Health, Instant } from './health.ts'
import type { HealthRules } from './health-rules.ts'
import type { ResultInput } from './input.ts'
import { announce, become, inEpisode, order, type Step, unchanged } from './step.ts'
import { dropWarning, handOverWarning, raiseWarning } from './warning.ts'

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

// The schedule and the revision both count upwards, but a result of a revision not known yet is no news either:
// its configuration-changed has to come first.
function isNews(state: Health, input: ResultInput): boolean {
  return (
    state.lifecycle === 'enabled' &&
    input.generation > state.generation &&
    input.checkRevision === state.checkRevision
  )
}

function isSettling(state: Health, input: ResultInput): boolean {
  const verification = state.episode?.verification ?? null
  return verification !== null && input.startedAt < verification.countsFrom
}

function onSuccess(step: Step, input: ResultInput, rules: HealthRules, now: Instant): Step {
  // A warning falls before and rises after the closing green: within an episode its fall is covered by that green,
  // and a yellow that came before it would be superseded by it.
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
    return healthy >= episode.verification.needed ? recovered(verified, now) : verified
  }
  const healthyStreak = episode.healthyStreak + 1
  const counted = inEpisode(step, { ...well, healthyStreak })
  // What a started intervention does to the target is not known yet; its answer decides.
  const isStarted = step.state.intervention !== null && step.state.intervention.startedAt !== null
  return healthyStreak >= rules.healthyThreshold && !isStarted ? recovered(counted, now) : counted
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
    thresholdReachedAt: before?.thresholdReachedAt ?? (reached ? now : null),
    suppressedBy: isSuppressed ? ancestors.by : null,
  })
  const told = before === null && !isSuppressed ? announce(counted, 'yellow') : counted
  const verificationFailed = (before?.verification ?? null) !== null
  const wasWithheld = (before?.withheld ?? null) !== null
  return reached || verificationFailed || wasWithheld ? escalate(told, input.context, rules, now) : told
}

function beginEpisode(step: Step, input: ResultInput): Step {
  const episode: Episode = {
    id: input.context.ids.episode,
    firstFailureAt: input.finishedAt,
    lastFailureAt: input.finishedAt,
    failures: 0,
    healthyStreak: 0,
    thresholdReachedAt: null,
    announced: false,
    recovery: 'untried',
    verification: null,
    withheld: null,
    suppressedBy: null,
    suppressionReported: false,
    incident: null,
  }
  return order(become(step, { episode }), { kind: 'episode-began', episodeId: episode.id })
}
