// engine/apply-control.ts: carries out a control in the caller's turn: a single one, or one of the thousands in a bulk
// operation. Compare-and-swap cannot race, because turns run one after another. A refused control changes nothing.
import {
  type Control,
  type ControlResult,
  inputOf,
  type MonitorControl,
  type NoteControl,
  type ReviewControl,
  refuse,
  reviewOf,
  whyNot,
  whyNotReviewed,
} from '../deciding/control.ts'
import type { Turn } from '../deciding/turn.ts'
import type { EngineParts } from './engine-parts.ts'

type ControlParts = Pick<EngineParts, 'fleet' | 'health' | 'ledger' | 'rules'>

export function applyControl(parts: ControlParts, turn: Turn, control: Control): ControlResult {
  switch (control.verb) {
    case 'review':
      return review(parts, turn, control)
    case 'note':
      return note(parts, turn, control)
    default:
      return controlMonitor(parts, turn, control)
  }
}

/** Its monitor may have left the fleet since. */
function note({ fleet }: ControlParts, turn: Turn, control: NoteControl): ControlResult {
  const { monitorId, incidentId, revision, asked } = control
  const row = fleet.rowOf(monitorId)
  turn.decide({ kind: 'incident-noted', row, monitorId, incidentId, revision, asked })
  return { done: true, before: revision, after: revision }
}

function controlMonitor(
  { fleet, health, rules }: ControlParts,
  turn: Turn,
  control: MonitorControl,
): ControlResult {
  const row = fleet.rowOf(control.monitorId)
  if (row === -1) return { done: false, refusal: refuse('notFound', 'There is no monitor with this id.') }
  const refusal = whyNot(health.of(row), control, rules.of(row), turn.now)
  if (refusal !== null) return { done: false, refusal }
  const { steps } = turn.decide({ kind: 'monitor', row, input: inputOf(control) })
  if (steps.length === 0) throw new Error(`the control ${control.verb} was possible and changed nothing`)
  return { done: true, before: control.revision, after: control.revision + 1 }
}

function review({ ledger }: ControlParts, turn: Turn, control: ReviewControl): ControlResult {
  const { actionId } = control
  const refusal = whyNotReviewed(ledger.view.unknownAction(actionId), control)
  if (refusal !== null) return { done: false, refusal }
  turn.decide({ kind: 'action-reviewed', actionId, review: reviewOf(control, turn.now) })
  return { done: true, before: control.revision, after: control.revision + 1 }
}
