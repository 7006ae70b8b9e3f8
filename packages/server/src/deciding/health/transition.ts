// deciding/health/transition.ts: the life of a monitor. Pure: no clock, no ids, no look-ups, nothing mutated; an input that
// means nothing in a state gives that very state back. Every (state × input) pair is walked by transition.test.ts.
//
//              first failure                    unhealthy threshold
//   healthy ──────────────────▶ episode (down) ──────────────────────▶ intervention queued ─▶ started
//      ▲                            │   no recovery, tried, or held        rejected, unknown │   │ accepted
//      │                            ▼                                                        │   ▼
//      │                        incident ◀───────────────────────────────────────────────────┘ verifying
//      │  healthy threshold         │  ▲                        a failure                          │  │
//      └────────────────────────────┘  └───────────────────────────────────────────────────────────┘  │
//      └──────────────────────────────────────────────────────────────── healthy checks reached ──────┘
import type { Health, Instant } from './health.ts'
import type { HealthRules } from './health-rules.ts'
import type { HealthInput } from './input.ts'
import { onActionEnded, onActionStarted, onHoldReviewed } from './on-action.ts'
import { onConfigurationChanged, onDisabled, onEnabled, onRemoved, onRestarted } from './on-lifecycle.ts'
import { onMaintenanceBegan, onMaintenanceEnded } from './on-maintenance.ts'
import { onAncestorChecked, onRepeatDue } from './on-reminder.ts'
import { onResult } from './on-result.ts'
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
    case 'ancestor-checked':
      return onAncestorChecked(state, input.context, rules, now)
    case 'maintenance-began':
      return onMaintenanceBegan(state, input.context)
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
      return onRepeatDue(state, input.attended, input.context, rules, now)
    case 'restarted':
      return onRestarted(state, input.context, rules, now)
    default:
      return assertNever(input)
  }
}

function assertNever(input: never): never {
  throw new TypeError(`unknown health input: ${JSON.stringify(input)}`)
}
