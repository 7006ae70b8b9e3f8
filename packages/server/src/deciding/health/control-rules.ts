// deciding/health/control-rules.ts: which controls are possible in which state, and in words why one is not.
// Pure. The state machine and the control API use the same rules.
import type { Health, HealthRules, Instant } from './health.ts'
import { statusOf } from './status.ts'

/** Applies to manual recoveries of one monitor. Automatic ones do not count. */
const shortestBetweenMs = 60_000
export const recoveriesPerHour = 3
const hourMs = 3_600_000

/** Null if the monitor's state allows a manual recovery. */
export function whyNotRecoverable(state: Health, rules: HealthRules): string | null {
  if (state.lifecycle !== 'enabled') return 'The monitor is disabled; enable it first.'
  if (state.snooze !== null) return 'The monitor is snoozed; unsnooze it first.'
  if (state.maintenance !== null) return 'The monitor is in maintenance; wait until the window has ended.'
  if (!rules.recoveryConfigured) return 'The monitor has no recovery configured.'
  if (state.intervention !== null) return 'A recovery action of the monitor is already queued or running.'
  if (state.hold !== null)
    return 'Recovery is held because the outcome of an earlier action is unknown; review that action first.'
  const status = statusOf(state)
  if (status === 'verifying') return 'An accepted recovery action is being verified; wait for its outcome.'
  return status === 'incident' || status === 'down'
    ? null
    : 'The monitor is not unhealthy, so there is nothing to recover.'
}

/** The earliest time of the next manual recovery. */
export function recoverableFrom({ control }: Pick<Health, 'control'>): Instant {
  const recoveriesAt = control?.recoveriesAt ?? []
  const last = recoveriesAt.at(-1) ?? Number.NEGATIVE_INFINITY
  const thirdLast = recoveriesAt.at(-recoveriesPerHour) ?? Number.NEGATIVE_INFINITY
  return Math.max(last + shortestBetweenMs, thirdLast + hourMs)
}
