// deciding/on-call/planned-steps.ts: a dry run of a policy: whom it would tell of an incident that opens at some moment, and
// when, if no recipient answers. It asks who is on call at each step as the escalation does. Pure.
import type { EscalationPolicy, Severity } from '../../config/fleet-file/on-call.ts'
import type { Instant } from '../health/health.ts'
import { type OnCallFleet, quietUntil, type Recipient, recipientsOf } from './recipients.ts'

export interface PlannedTelling {
  readonly atMs: Instant
  /** From one. */
  readonly round: number
  readonly step: number
  /** Null: the step reaches no recipient. */
  readonly recipient: Recipient | null
  /** When quiet hours end that hold it back or drop it; null if there are none. */
  readonly quietUntilMs: Instant | null
}

export function plannedSteps(
  { steps, repeat, quiet }: EscalationPolicy,
  fleet: OnCallFleet,
  severity: Severity,
  fromMs: Instant,
): PlannedTelling[] {
  const planned: PlannedTelling[] = []
  let atMs = fromMs
  for (let round = 1; round <= repeat + 1; round++) {
    let hasReached = false
    for (const [index, { notify, waitMs }] of steps.entries()) {
      const recipients = recipientsOf(notify, fleet, atMs)
      const at = { atMs, round, step: index + 1 }
      for (const recipient of recipients)
        planned.push({ ...at, recipient, quietUntilMs: quietUntil(quiet, recipient, severity, atMs) })
      if (recipients.length === 0) planned.push({ ...at, recipient: null, quietUntilMs: null })
      hasReached ||= recipients.length > 0
      const isEmptyRound = index === steps.length - 1 && !hasReached
      if (recipients.length > 0 || isEmptyRound) atMs += waitMs
    }
  }
  return planned
}
