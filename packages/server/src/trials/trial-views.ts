// trials/trial-views.ts: what a trial saw, in the words of v2. Texts are redacted already, by the runner of the driver.
import { v2 } from '@pulseward/contract'
import type { OutcomeStatus } from '../checks/driver.ts'
import type { TriedCheck } from './run-trial-check.ts'
import type { TriedNotification } from './run-trial-notification.ts'

const outcomeNames = {
  success: 'success',
  failure: 'failure',
  timeout: 'timeout',
  no_data: 'noData',
} as const satisfies Readonly<Record<OutcomeStatus, v2.CheckTrial['outcome']>>

export function checkTrialView({ outcome, phases, observations }: TriedCheck): v2.CheckTrial {
  const { status, latencyMs, reason, warning } = outcome
  return {
    outcome: outcomeNames[status],
    latencyMs: rounded(latencyMs),
    phases: phases.flatMap(({ phase, atMs }) =>
      // How long all of it took is the latency.
      phase === 'total' ? [] : [{ phase, atMs: rounded(atMs) }],
    ),
    ...(reason === null ? {} : { reason }),
    ...(warning === null ? {} : { warning }),
    observations: observations
      .slice(0, v2.limits.trialObservations)
      .map(({ name, seen, expected, isMet }) => ({
        name,
        seen,
        ...(expected === null ? {} : { expected }),
        ...(isMet === null ? {} : { met: isMet }),
      })),
  }
}

export function notificationTrialView({ outcome, isReached }: TriedNotification): v2.NotificationTrial {
  if (outcome.kind === 'accepted')
    return { outcome: 'delivered', ...(outcome.note === undefined ? {} : { reason: outcome.note }) }
  const { kind, reason } = outcome
  if (kind === 'unknown') return { outcome: 'unknown', reason }
  return { outcome: isReached ? 'rejected' : 'notReached', reason }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
