// deciding/health/on-time.ts: what the passing of time does to a monitor between its checks: a maintenance
// window begins or ends, the wait for a parent's check is over, a red is due again. The engine decides when
// to ask; asking too early changes nothing.
import { cancelQueuedIntervention, escalate } from './episode.ts'
import { type Health, type HealthRules, type Instant, isActive } from './health.ts'
import type { HealthContext, MaintenanceBeganInput } from './input.ts'
import { become, inEpisode, notify, type Step, unchanged } from './step.ts'

/**
 * Checks continue and count during maintenance; only what they would have opened is withheld (escalate in episode.ts).
 */
export function onMaintenanceBegan(
  state: Health,
  { untilWallMs: until, name, context }: MaintenanceBeganInput,
): Step {
  if (state.maintenance !== null) return unchanged(state)
  const announced = isActive(state) && context.ancestors.kind !== 'in-trouble'
  const named = name === null ? {} : { name }
  const begun = keepWithheld(become(unchanged(state), { maintenance: { announced, ...named } }))
  const because = { kind: 'maintenance', until, ...named } as const
  const cancelled = cancelQueuedIntervention(begun, 'maintenance', because)
  return announced ? notify(cancelled, 'gray', 'maintenance', because) : cancelled
}

/** A gray is sent at the end only if one was sent at the beginning. */
export function onMaintenanceEnded(state: Health): Step {
  if (state.maintenance === null) return unchanged(state)
  const ended = become(unchanged(state), { maintenance: null })
  const { announced, ...named } = state.maintenance
  const isOwed = announced && isActive(state)
  return isOwed ? notify(ended, 'gray', 'maintenance', { kind: 'maintenance_ended', ...named }) : ended
}

export function onAncestorChecked(
  state: Health,
  context: HealthContext,
  rules: HealthRules,
  now: Instant,
): Step {
  const { episode } = state
  if (episode?.withheld !== 'ancestor_not_checked') return unchanged(state)
  // Still waiting: recording that every second would only write the same state again.
  if (context.ancestors.kind === 'not-checked') return unchanged(state)
  const { withheld: by, failures } = episode
  const because = { kind: 'withheld', by, failures, threshold: rules.unhealthyThreshold } as const
  return escalate(unchanged(state), because, context, rules, now)
}

/** When red is due again; null if it is not, for example while people attend to the incident. */
export function repeatDueAt(state: Health, rules: HealthRules): Instant | null {
  const incident = state.episode?.incident ?? null
  if (incident === null || rules.repeatMs === null || !isActive(state)) return null
  const { handling } = incident
  const isAttended = handling !== null && (handling.isDismissed || handling.acknowledged !== null)
  return isAttended || incident.retell ? null : incident.lastRedAt + rules.repeatMs
}

export function onRepeatDue(state: Health, context: HealthContext, rules: HealthRules, now: Instant): Step {
  const incident = state.episode?.incident ?? null
  const { repeatMs: everyMs } = rules
  const dueAt = repeatDueAt(state, rules)
  if (incident === null || everyMs === null || dueAt === null || now < dueAt) return unchanged(state)
  if (context.ancestors.kind === 'in-trouble') return unchanged(state)
  const repeated = inEpisode(unchanged(state), { incident: { ...incident, lastRedAt: now } })
  return notify(repeated, 'red', 'repeat', { kind: 'reminder', everyMs, sinceMs: now - incident.lastRedAt })
}

/** What waited for a parent's check is now withheld by the window, and opens at the first failure after it. */
function keepWithheld(step: Step): Step {
  const isWaiting = step.state.episode?.withheld === 'ancestor_not_checked'
  return isWaiting ? inEpisode(step, { withheld: 'maintenance' }) : step
}
