// deciding/health/escalate.ts: the one place that queues an intervention or opens an incident. It is asked when one is due (at
// the unhealthy threshold, after a failed verification, after an answer that did not help) and either acts or notes
// why it withheld. It promises at most one intervention an episode and at most one open incident.
import type { Episode, Health, Instant } from './health.ts'
import type { HealthRules } from './health-rules.ts'
import type { HealthContext } from './input.ts'
import { announce, become, inEpisode, order, record, type Step } from './step.ts'

export function escalate(step: Step, context: HealthContext, rules: HealthRules, now: Instant): Step {
  const { episode, intervention, maintenance } = step.state
  if (episode === null || intervention !== null) return step
  const recovers = mayRecover(step.state, episode, rules)
  if (!recovers && episode.incident !== null) return step
  if (maintenance !== null) return inEpisode(step, { withheld: 'maintenance' })
  switch (context.ancestors.kind) {
    case 'in-trouble':
      return suppress(step, episode, context.ancestors.by, now)
    case 'not-checked':
      return inEpisode(step, { withheld: 'ancestor_not_checked' })
    case 'clear':
      return recovers ? queueIntervention(step, episode, context) : open(step, context, now)
  }
}

// An incident that opened without an intervention (a hold, or none configured then) may still be given its one.
function mayRecover(state: Health, episode: Episode, rules: HealthRules): boolean {
  return rules.recoveryConfigured && episode.recovery === 'untried' && state.hold === null
}

function suppress(step: Step, episode: Episode, suppressedBy: string, now: Instant): Step {
  // An incident that was open before stays what it is: nothing about it is suppressed.
  if (episode.incident !== null) return step
  const withheld = inEpisode(step, {
    withheld: 'ancestor_in_trouble',
    suppressedBy,
    suppressionReported: true,
  })
  if (episode.suppressionReported) return withheld
  return record(withheld, { type: 'incident_suppressed', at: now, suppressedBy })
}

function queueIntervention(step: Step, episode: Episode, context: HealthContext): Step {
  const actionId = context.ids.intervention
  const pending = inEpisode(step, { recovery: 'pending', announced: true, withheld: null })
  const queued = become(pending, { intervention: { actionId, episodeId: episode.id, startedAt: null } })
  const incidentId = episode.incident?.id ?? null
  return order(queued, { kind: 'queue-intervention', actionId, episodeId: episode.id, incidentId })
}

function open(step: Step, context: HealthContext, now: Instant): Step {
  const incidentId = context.ids.incident
  const opened = inEpisode(step, {
    incident: { id: incidentId, openedAt: now, lastRedAt: now },
    withheld: null,
    suppressedBy: null,
  })
  return announce(record(opened, { type: 'incident_opened', at: now, incidentId }), 'red')
}
