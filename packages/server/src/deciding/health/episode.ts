// deciding/health/episode.ts: an episode runs from the first failed check until the monitor has recovered. This file
// covers how it begins, what it leads to if it lasts (escalate: one intervention, then an incident), and its two ends:
// recovered, with a green if one is owed, or cut off because the monitor was disabled or removed, never with a green.
import type {
  ControlBecause,
  EndBecause,
  FailingBecause,
  FailingRule,
  LeftBecause,
  RecoveredBecause,
} from './because.ts'
import {
  type Episode,
  type Health,
  type HealthRules,
  type Instant,
  isDismissed,
  type OpenIncident,
} from './health.ts'
import type { HealthContext, ResultInput } from './input.ts'
import {
  announce,
  become,
  type IncidentOutcome,
  inEpisode,
  notify,
  order,
  record,
  type Step,
} from './step.ts'

export function beginEpisode(step: Step, { context, finishedAt }: ResultInput): Step {
  const episode: Episode = {
    id: context.ids.episode,
    firstFailureAt: finishedAt,
    lastFailureAt: finishedAt,
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

/**
 * The only place that queues an intervention or opens an incident. It is called when one of them is due: at the unhealthy
 * threshold, after a failed verification, or after an intervention that did not help. It either acts or records why it
 * withheld. An episode gets at most one intervention and has at most one open incident.
 */
export function escalate(
  step: Step,
  rule: FailingRule,
  context: HealthContext,
  rules: HealthRules,
  now: Instant,
): Step {
  const { episode, intervention, maintenance } = step.state
  if (episode === null || intervention !== null) return step
  const recovers = mayRecover(step.state, episode, rules)
  const retells = episode.incident?.retell === true && !isDismissed(step.state)
  if (!recovers && !retells && episode.incident !== null) return step
  if (maintenance !== null) return inEpisode(step, { withheld: 'maintenance' })
  switch (context.ancestors.kind) {
    case 'in-trouble':
      return suppress(step, episode, context.ancestors.by, now)
    case 'not-checked':
      return inEpisode(step, { withheld: 'ancestor_not_checked' })
    case 'clear':
      if (recovers) return queueIntervention(step, episode, context, decidedBy(episode, rule, now))
      return episode.incident === null
        ? openIncident(step, decidedBy(episode, whyNoRecovery(episode, rules, rule), now), context, now)
        : tellAgain(step, episode, episode.incident, rules, now)
  }
}

export function recovered(step: Step, because: RecoveredBecause, now: Instant): Step {
  const { episode, intervention } = step.state
  if (episode === null) return step
  const cancels = hasQueuedIntervention(step)
  let ended = closeIncident(step, 'recovered', because, now)
  if (cancels) ended = order(ended, { kind: 'cancel-interventions', outcome: 'health_recovered', because })
  if (episode.announced) ended = notify(ended, 'green', 'episode', because)
  return become(ended, { episode: null, hold: null, intervention: cancels ? null : intervention })
}

/** The monitor was disabled or removed: a started intervention runs to its end, a queued one is cancelled. */
export function cutOff(step: Step, outcome: 'disabled' | 'removed', now: Instant): Step {
  const { intervention } = step.state
  const because: LeftBecause = { kind: outcome }
  const ended = closeIncident(step, outcome, because, now)
  return become(order(ended, { kind: 'cancel-queued-actions', outcome, because }), {
    episode: null,
    warning: null,
    intervention: hasQueuedIntervention(step) ? null : intervention,
  })
}

export function cancelQueuedIntervention(
  step: Step,
  outcome: 'maintenance' | 'configuration_changed',
  because: EndBecause,
): Step {
  if (!hasQueuedIntervention(step)) return step
  return order(withoutQueuedIntervention(step), { kind: 'cancel-interventions', outcome, because })
}

/** For callers that request the cancellation themselves. */
export function withoutQueuedIntervention(step: Step): Step {
  if (!hasQueuedIntervention(step)) return step
  return inEpisode(become(step, { intervention: null }), { recovery: 'cancelled' })
}

function hasQueuedIntervention({ state: { intervention } }: Step): boolean {
  return intervention !== null && intervention.startedAt === null
}

// An incident that opened without an intervention (recovery on hold or not configured) may still get one.
function mayRecover(state: Health, episode: Episode, rules: HealthRules): boolean {
  return rules.recoveryConfigured && episode.recovery === 'untried' && state.hold === null
}

/** An incident opens although a recovery is configured: adds to the reason what prevented the recovery. */
function whyNoRecovery({ recovery }: Episode, rules: HealthRules, rule: FailingRule): FailingRule {
  const isOfChecks = rule.kind === 'threshold' || rule.kind === 'withheld'
  if (!rules.recoveryConfigured || !isOfChecks) return rule
  return { ...rule, recovery: recovery === 'untried' ? 'held' : recovery }
}

/** Adds the last failed check, which decided or led to the recovery whose answer did, and that recovery. */
function decidedBy(
  { lastFailure, firstFailureAt, recoveryId }: Episode,
  rule: FailingRule,
  now: Instant,
): FailingBecause {
  const because = recoveryId === undefined ? rule : { actionId: recoveryId, ...rule }
  if (lastFailure === undefined) return because
  return { ...because, ...lastFailure, failingMs: Math.max(0, Math.round(now - firstFailureAt)) }
}

function suppress(step: Step, episode: Episode, suppressedBy: string, now: Instant): Step {
  // An incident that is already open stays as it is; nothing about it is suppressed.
  if (episode.incident !== null) return step
  const withheld = inEpisode(step, {
    withheld: 'ancestor_in_trouble',
    suppressedBy,
    suppressionReported: true,
  })
  if (episode.suppressionReported) return withheld
  const because = { kind: 'ancestor', ancestor: suppressedBy } as const
  return record(withheld, { type: 'incident_suppressed', at: now, because })
}

export function queueIntervention(
  step: Step,
  episode: Episode,
  context: HealthContext,
  because: FailingBecause | ControlBecause,
): Step {
  const actionId = context.ids.intervention
  const pending = inEpisode(step, {
    recovery: 'pending',
    recoveryId: actionId,
    announced: true,
    withheld: null,
  })
  const queued = become(pending, { intervention: { actionId, episodeId: episode.id, startedAt: null } })
  const incidentId = episode.incident?.id ?? null
  return order(queued, { kind: 'queue-intervention', actionId, episodeId: episode.id, incidentId, because })
}

function openIncident(step: Step, because: FailingBecause, context: HealthContext, now: Instant): Step {
  const incidentId = context.ids.incident
  const opened = inEpisode(step, {
    incident: { id: incidentId, openedAt: now, lastRedAt: now, retell: false, handling: null },
    withheld: null,
    suppressedBy: null,
  })
  return announce(record(opened, { type: 'incident_opened', at: now, incidentId, because }), 'red', because)
}

/** The incident was open before a snooze: red is sent again. */
function tellAgain(
  step: Step,
  { failures }: Episode,
  incident: OpenIncident,
  { unhealthyThreshold: threshold }: HealthRules,
  now: Instant,
): Step {
  const told = inEpisode(step, { incident: { ...incident, retell: false, lastRedAt: now }, withheld: null })
  return announce(told, 'red', { kind: 'still_failing', failures, threshold })
}

function closeIncident(
  step: Step,
  outcome: IncidentOutcome,
  because: RecoveredBecause | LeftBecause,
  now: Instant,
): Step {
  const incident = step.state.episode?.incident ?? null
  if (incident === null) return step
  return record(step, { type: 'incident_closed', at: now, incidentId: incident.id, outcome, because })
}
