// deciding/health/on-action.ts: what the start and the outcome of an intervention mean for health. The ledger
// records the outcome in any case; here it only moves the episode that asked for the intervention. The
// outcome of an intervention that the monitor does not wait for is ignored.
import { escalate, recovered } from './episode.ts'
import type { Health, HealthRules, Instant, Intervention } from './health.ts'
import type { ActionEndedInput, HealthContext, InterventionOutcome } from './input.ts'
import { announce, become, inEpisode, type Step, unchanged } from './step.ts'

export function onActionStarted(state: Health, actionId: string, now: Instant): Step {
  const { intervention } = state
  if (intervention === null || intervention.actionId !== actionId || intervention.startedAt !== null) {
    return unchanged(state)
  }
  return become(unchanged(state), { intervention: { ...intervention, startedAt: now } })
}

export function onActionEnded(
  state: Health,
  input: ActionEndedInput,
  rules: HealthRules,
  now: Instant,
): Step {
  const { intervention } = state
  if (intervention === null || intervention.actionId !== input.actionId) return unchanged(state)
  // A started action can no longer be cancelled: one that is reported as cancelled has an unknown outcome.
  const wasStarted = intervention.startedAt !== null
  const outcome = input.outcome === 'cancelled' && wasStarted ? 'unknown' : input.outcome
  return interventionEnded(state, intervention, outcome, input.context, rules, now)
}

export function interventionEnded(
  state: Health,
  intervention: Intervention,
  outcome: InterventionOutcome,
  context: HealthContext,
  rules: HealthRules,
  now: Instant,
): Step {
  const hold = outcome === 'unknown' ? { healthy: 0 } : state.hold
  const freed = become(unchanged(state), { intervention: null, hold })
  const { episode } = state
  // The monitor was disabled and enabled meanwhile: the episode that asked is over, and the current one may ask again.
  if (episode === null || episode.id !== intervention.episodeId) return freed
  const ended = inEpisode(freed, { recovery: outcome })
  // While the monitor is snoozed, nothing follows from the outcome.
  if (outcome === 'cancelled' || state.snooze !== null) return ended
  const { actionId } = intervention
  if (outcome === 'accepted') return beginVerification(ended, actionId, context, rules, now)
  const { healthyThreshold: threshold } = rules
  const { healthyStreak: successes } = episode
  if (successes >= threshold)
    return recovered(ended, { kind: 'recovery_threshold', successes, threshold }, now)
  // Requested manually before the threshold: the failure counter decides about an incident, not the recovery.
  const isDue = episode.thresholdReachedAt !== null
  // The check was changed and has no result yet: there is no evidence for an incident.
  if (!isDue || !state.known) return ended
  return escalate(ended, { kind: 'recovery_failed', actionId, outcome }, context, rules, now)
}

export function onHoldReviewed(state: Health): Step {
  return state.hold === null ? unchanged(state) : become(unchanged(state), { hold: null })
}

/** The review of the last intervention was contradicted, so its hold applies again. */
export function onHoldRestored(state: Health): Step {
  return state.hold === null ? become(unchanged(state), { hold: { healthy: 0 } }) : unchanged(state)
}

function beginVerification(
  step: Step,
  actionId: string,
  context: HealthContext,
  rules: HealthRules,
  now: Instant,
): Step {
  const verifying = inEpisode(step, {
    verification: { healthy: 0, needed: rules.healthyThreshold, countsFrom: now + rules.settleMs },
  })
  return context.ancestors.kind === 'in-trouble'
    ? verifying
    : announce(verifying, 'cyan', { kind: 'recovery_accepted', actionId })
}
