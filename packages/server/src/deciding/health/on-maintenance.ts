// deciding/health/on-maintenance.ts: a window begins and ends. Checks go on and count in between; only what they would have
// opened is withheld (judge.ts). A gray that was sent at the beginning has one at the end, and only then.
import { isQueued } from './end-episode.ts'
import type { Health } from './health.ts'
import type { HealthContext } from './input.ts'
import { become, inEpisode, notify, order, type Step, unchanged } from './step.ts'

export function onMaintenanceBegan(state: Health, context: HealthContext): Step {
  if (state.maintenance !== null) return unchanged(state)
  const announced = state.lifecycle === 'enabled' && context.ancestors.kind !== 'in-trouble'
  const begun = keepWithheld(become(unchanged(state), { maintenance: { announced } }))
  const cancelled = isQueued(begun) ? cancelQueuedIntervention(begun, 'maintenance') : begun
  return announced ? notify(cancelled, 'gray', 'maintenance') : cancelled
}

export function onMaintenanceEnded(state: Health): Step {
  if (state.maintenance === null) return unchanged(state)
  const ended = become(unchanged(state), { maintenance: null })
  const isOwed = state.maintenance.announced && state.lifecycle === 'enabled'
  return isOwed ? notify(ended, 'gray', 'maintenance') : ended
}

/** What waited for a parent is withheld by the window from now on: it opens at the next failure after it. */
function keepWithheld(step: Step): Step {
  const isWaiting = step.state.episode?.withheld === 'ancestor_not_checked'
  return isWaiting ? inEpisode(step, { withheld: 'maintenance' }) : step
}

export function cancelQueuedIntervention(step: Step, outcome: 'maintenance' | 'configuration_changed'): Step {
  const cancelled = inEpisode(become(step, { intervention: null }), { recovery: 'cancelled' })
  return order(cancelled, { kind: 'cancel-interventions', outcome })
}
