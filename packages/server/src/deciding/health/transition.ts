// deciding/health/transition.ts: the life of a monitor, as a state machine. Pure: no clock, no ids, no look-ups,
// and nothing is mutated; an input that means nothing in a state returns that very state. transition.test.ts
// walks every pair of a reachable state and an input.
//
//              first failure                    unhealthy threshold
//   healthy ──────────────────▶ episode (down) ──────────────────────▶ intervention queued ─▶ started
//      ▲                            │   no recovery, tried, or on hold    rejected, unknown  │   │ accepted
//      │                            ▼                                                        │   ▼
//      │                        incident ◀───────────────────────────────────────────────────┘ verifying
//      │  healthy threshold         │  ▲                        a failure                          │  │
//      └────────────────────────────┘  └───────────────────────────────────────────────────────────┘  │
//      └──────────────────────────────────────────────────────────────── enough healthy checks ───────┘
//
// - healthy: no episode. The first failure begins one and sends a yellow.
// - episode: failures count up, a success resets the counter to 0. At the unhealthy threshold the episode
//   escalates: it queues its one intervention, or opens an incident if none may run. Enough healthy checks end
//   it without either.
// - intervention: queued by the episode, started by the ledger. While one is started no result ends the episode:
//   its outcome decides. A lost answer puts recovery on hold until a person reviews it or the episode ends.
// - verifying: the intervention was accepted (cyan). After the settle time healthy checks count; one failure
//   opens the incident.
// - incident: opened with a red, repeated if so configured, closed with the green that ends the episode.
//
// Two things withhold an escalation: a maintenance window, and an ancestor that is in trouble or whose check is
// awaited. The reason is kept in the episode, and the next failure (or the awaited check) tries again. A warning
// is independent of all this and never escalates. Disabling or removing a monitor ends its episode from any
// state, without a green. A snooze suspends everything: nothing happens and nothing is sent until it ends, and
// then counting starts over; an open incident stays open, and its red is sent again when the threshold is
// reached again. A dismissed incident sends nothing, not even its green.
import type { Health, HealthRules, Instant } from './health.ts'
import type { HealthInput } from './input.ts'
import { onActionEnded, onActionStarted, onHoldRestored, onHoldReviewed } from './on-action.ts'
import {
  onIncidentHandled,
  onRecoveryRequested,
  onSnoozed,
  onSnoozeExpired,
  onUnsnoozed,
} from './on-control.ts'
import { onConfigurationChanged, onDisabled, onEnabled, onRemoved, onRestarted } from './on-lifecycle.ts'
import { onResult } from './on-result.ts'
import { onAncestorChecked, onMaintenanceBegan, onMaintenanceEnded, onRepeatDue } from './on-time.ts'
import type { Step } from './step.ts'

export function transition(state: Health, input: HealthInput, rules: HealthRules, now: Instant): Step {
  switch (input.kind) {
    case 'result':
      return onResult(state, input, rules, now)
    case 'action-started':
      return onActionStarted(state, input.actionId, now)
    case 'action-ended':
      return onActionEnded(state, input, rules, now)
    case 'hold-reviewed':
      return onHoldReviewed(state)
    case 'hold-restored':
      return onHoldRestored(state)
    case 'ancestor-checked':
      return onAncestorChecked(state, input.context, rules, now)
    case 'maintenance-began':
      return onMaintenanceBegan(state, input)
    case 'maintenance-ended':
      return onMaintenanceEnded(state)
    case 'disabled':
      return onDisabled(state, now)
    case 'enabled':
      return onEnabled(state)
    case 'removed':
      return onRemoved(state, now)
    case 'configuration-changed':
      return onConfigurationChanged(state, input)
    case 'repeat-due':
      return onRepeatDue(state, input.context, rules, now)
    case 'restarted':
      return onRestarted(state, input, rules, now)
    case 'snoozed':
      return onSnoozed(state, input, now)
    case 'unsnoozed':
      return onUnsnoozed(state, input.asked, now)
    case 'snooze-expired':
      return onSnoozeExpired(state, now)
    case 'acknowledged':
    case 'dismissed':
    case 'reopened':
      return onIncidentHandled(state, input, now)
    case 'recovery-requested':
      return onRecoveryRequested(state, input, rules, now)
    default:
      return assertNever(input)
  }
}

function assertNever(input: never): never {
  throw new TypeError(`unknown health input: ${JSON.stringify(input)}`)
}
