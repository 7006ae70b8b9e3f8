// explaining/rule-of-reason.ts: which rule a recorded reason belongs to. A new kind of reason does not compile without one.
import type { Because, BecauseKind } from '../deciding/health/because.ts'
import type { Rule } from './explained.ts'

const rules: Readonly<Record<BecauseKind, Rule>> = {
  first_failure: 'threshold',
  threshold: 'threshold',
  withheld: 'threshold',
  still_failing: 'threshold',
  warning: 'threshold',
  warning_ended: 'threshold',
  recovery_threshold: 'threshold',
  push_overdue: 'threshold',
  push_silent: 'threshold',
  push_not_ended: 'threshold',
  new_episode: 'threshold',
  verification_failed: 'recovery',
  recovery_failed: 'recovery',
  recovery_accepted: 'recovery',
  verified: 'recovery',
  ancestor: 'dependency',
  maintenance: 'maintenance',
  maintenance_ended: 'maintenance',
  snooze_expired: 'snooze',
  dismissed: 'acknowledgement',
  control: 'acknowledgement',
  disabled: 'enabled',
  removed: 'enabled',
  configuration_changed: 'enabled',
  own_fault: 'own_fault',
  stalled: 'own_fault',
  clock_jumped: 'own_fault',
  own_fault_ended: 'own_fault',
  push_unreachable: 'own_fault',
  policy_step: 'policy',
  next_endpoint: 'policy',
  nobody_on_call: 'policy',
  handover: 'policy',
  page_ended: 'policy',
  page_paused: 'policy',
  page_restarted: 'policy',
  cooldown: 'cooldown',
  reminder: 'cooldown',
  quiet_hours: 'quiet_hours',
  paged_recently: 'pacing',
  retry: 'pacing',
  superseded: 'pacing',
  destination_dead: 'destination',
  not_taken: 'destination',
  taken: 'destination',
  owed_green: 'delivery',
  digest: 'delivery',
  nothing_untold: 'delivery',
  answer: 'delivery',
  interrupted: 'delivery',
  given_up: 'delivery',
  restored: 'delivery',
}

export function ruleOfReason(because: Because): Rule {
  if (because.kind === 'control') {
    if (because.verb === 'snooze' || because.verb === 'unsnooze') return 'snooze'
    if (because.verb === 'recover' || because.verb === 'review') return 'recovery'
  }
  return rules[because.kind]
}
