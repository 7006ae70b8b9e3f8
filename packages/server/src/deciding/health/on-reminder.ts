// deciding/health/on-reminder.ts: what time brings without a check: the wait for a parent's check is over, or an open
// incident is due to be told again. When to wake up is the controller's; a call that comes too early changes nothing.

import { escalate } from './escalate.ts'
import type { Health, Instant } from './health.ts'
import type { HealthRules } from './health-rules.ts'
import type { HealthContext } from './input.ts'
import { inEpisode, notify, type Step, unchanged } from './step.ts'

export function onAncestorChecked(
  state: Health,
  context: HealthContext,
  rules: HealthRules,
  now: Instant,
): Step {
  if (state.episode?.withheld !== 'ancestor_not_checked') return unchanged(state)
  // Still waiting: the same once a second is nothing to write down.
  if (context.ancestors.kind === 'not-checked') return unchanged(state)
  return escalate(unchanged(state), context, rules, now)
}

/** When red is due again; null when it is not. */
export function repeatDueAt(state: Health, rules: HealthRules): Instant | null {
  const incident = state.episode?.incident ?? null
  return incident === null || rules.repeatMs === null ? null : incident.lastRedAt + rules.repeatMs
}

export function onRepeatDue(
  state: Health,
  attended: boolean,
  context: HealthContext,
  rules: HealthRules,
  now: Instant,
): Step {
  const incident = state.episode?.incident ?? null
  const dueAt = repeatDueAt(state, rules)
  if (incident === null || dueAt === null || now < dueAt) return unchanged(state)
  if (attended || context.ancestors.kind === 'in-trouble') return unchanged(state)
  return notify(inEpisode(unchanged(state), { incident: { ...incident, lastRedAt: now } }), 'red', 'repeat')
}
