// deciding/health/because.fixture.ts: one reason of every kind, as the situations of because.test.ts make them.
import type { Because, BecauseKind } from './because.ts'

type OfKind<Kind extends BecauseKind> = Because & { readonly kind: Kind }

const failed = { failureClass: 'failure', failure: 'refused', failingMs: 20 } as const

export const becauses: { readonly [Kind in BecauseKind]: OfKind<Kind> } = {
  first_failure: { kind: 'first_failure', threshold: 3 },
  threshold: { kind: 'threshold', failures: 3, threshold: 3, ...failed },
  withheld: { kind: 'withheld', by: 'ancestor_not_checked', failures: 3, threshold: 3, ...failed },
  still_failing: { kind: 'still_failing', failures: 3, threshold: 3 },
  verification_failed: {
    ...{ kind: 'verification_failed', actionId: 'edge action-3', healthy: 1, needed: 2 },
    ...failed,
    failingMs: 5_040,
  },
  recovery_failed: { kind: 'recovery_failed', actionId: 'edge action-3', outcome: 'rejected', ...failed },
  recovery_accepted: { kind: 'recovery_accepted', actionId: 'edge action-3' },
  recovery_threshold: { kind: 'recovery_threshold', successes: 2, threshold: 2 },
  verified: { kind: 'verified', healthy: 2, needed: 2 },
  warning: { kind: 'warning', text: 'expires in 12 days' },
  warning_ended: { kind: 'warning_ended' },
  ancestor: { kind: 'ancestor', ancestor: 'edge-gateway' },
  maintenance: { kind: 'maintenance', until: 2e12 },
  maintenance_ended: { kind: 'maintenance_ended' },
  reminder: { kind: 'reminder', everyMs: 60_000, sinceMs: 60_000 },
  control: { kind: 'control', verb: 'snooze', actor: 'ann', until: 2e12 },
  snooze_expired: { kind: 'snooze_expired', until: 2e12 },
  dismissed: { kind: 'dismissed', incidentId: 'edge incident-3' },
  disabled: { kind: 'disabled' },
  removed: { kind: 'removed' },
  configuration_changed: { kind: 'configuration_changed', what: 'check' },
  superseded: { kind: 'superseded', color: 'red' },
  new_episode: { kind: 'new_episode' },
  owed_green: { kind: 'owed_green', actionId: 'code-3' },
  digest: { kind: 'digest', incidents: 1, waitMs: 300_000, sinceMs: 300_000 },
  nothing_untold: { kind: 'nothing_untold' },
  cooldown: { kind: 'cooldown', cooldownMs: 300_000, sinceMs: 50 },
  retry: { kind: 'retry', actionId: 'code-1', waitMs: 4_000, asked: false },
  own_fault: { kind: 'own_fault', suspicious: 30, results: 40, canaries: ['resolver'] },
  stalled: { kind: 'stalled', lastedMs: 2_500 },
  clock_jumped: { kind: 'clock_jumped', lastedMs: 60_000 },
  own_fault_ended: { kind: 'own_fault_ended', excused: 30, lastedMs: 4_000 },
  answer: { kind: 'answer', answer: 'rejected' },
  interrupted: { kind: 'interrupted' },
  taken: { kind: 'taken' },
  not_taken: { kind: 'not_taken', inARow: 3 },
  destination_dead: { kind: 'destination_dead' },
  given_up: { kind: 'given_up', afterMs: 86_400_000 },
  restored: { kind: 'restored', backupAt: 1_000_010 },
}
