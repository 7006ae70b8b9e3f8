// deciding/health/end-episode.ts: the two ways an episode ends: recovered (with a green where one is owed), or cut off
// because nobody watches any more (never a green).
import type { Instant } from './health.ts'
import { become, type IncidentOutcome, notify, order, record, type Step } from './step.ts'

export function recovered(step: Step, now: Instant): Step {
  const { episode, intervention } = step.state
  if (episode === null) return step
  let ended = closeIncident(step, 'recovered', now)
  if (isQueued(step)) ended = order(ended, { kind: 'cancel-interventions', outcome: 'health_recovered' })
  if (episode.announced) ended = notify(ended, 'green', 'episode')
  return become(ended, { episode: null, hold: null, intervention: isQueued(step) ? null : intervention })
}

/** Disabled or removed: a started intervention runs on, what is queued does not. */
export function cutOff(step: Step, outcome: 'disabled' | 'removed', now: Instant): Step {
  const { intervention } = step.state
  const ended = closeIncident(step, outcome, now)
  return become(order(ended, { kind: 'cancel-queued-actions', outcome }), {
    episode: null,
    warning: null,
    intervention: isQueued(step) ? null : intervention,
  })
}

export function isQueued(step: Step): boolean {
  return step.state.intervention !== null && step.state.intervention.startedAt === null
}

function closeIncident(step: Step, outcome: IncidentOutcome, now: Instant): Step {
  const incident = step.state.episode?.incident ?? null
  if (incident === null) return step
  return record(step, { type: 'incident_closed', at: now, incidentId: incident.id, outcome })
}
