// v1/because.ts: why something was decided, with the values that were compared. The kind determines which
// members are present; null stands for decisions of versions that did not record reasons.
import { type Static, type TObject, Type } from 'typebox'
import { becauseKinds, Count, Flag, field, Measure, oneOf, Text, Timestamp } from './values.ts'

const fields = {
  kind: field(oneOf(becauseKinds), 'What decided it.'),
  failures: Type.Optional(field(Count, 'threshold, withheld, still_failing: failed checks in a row then.')),
  successes: Type.Optional(field(Count, 'recovery_threshold: healthy checks in a row then.')),
  threshold: Type.Optional(
    field(
      Count,
      'The configured threshold that they were compared with; for first_failure, the unhealthy one.',
    ),
  ),
  healthy: Type.Optional(
    field(Count, 'verified, verification_failed: healthy checks since the recovery action.'),
  ),
  needed: Type.Optional(field(Count, 'How many of them are needed.')),
  recovery: Type.Optional(
    field(
      Text,
      'threshold, withheld: why no recovery action came first: held, or the outcome of the recovery action of the episode. Absent if none is configured.',
    ),
  ),
  by: Type.Optional(
    field(
      Text,
      'withheld: what was in the way until then: maintenance, ancestor_in_trouble or ancestor_not_checked.',
    ),
  ),
  failure: Type.Optional(
    field(
      Text,
      'threshold, withheld, verification_failed, recovery_failed: the last failed check in its words, redacted: not markup. Absent if it gave none.',
    ),
  ),
  failure_class: Type.Optional(field(Text, 'How that check ended: failure or timeout.')),
  failing_ms: Type.Optional(field(Measure, 'How long ago the first failure was then.')),
  from: Type.Optional(
    field(Text, 'The external worker that carried out that check; absent if the service itself did.'),
  ),
  ancestor: Type.Optional(field(Text, 'ancestor: the monitor in trouble that it depends on.')),
  text: Type.Optional(field(Text, 'warning: what the check warned of.')),
  until: Type.Optional(
    field(
      Timestamp,
      'maintenance, quiet_hours, and a snooze of control: when it ends. snooze_expired: when it ended. In a delay: when the action may start.',
    ),
  ),
  name: Type.Optional(field(Text, 'maintenance, maintenance_ended: the name of the window, if it has one.')),
  every_ms: Type.Optional(field(Measure, 'reminder: how often red is repeated.')),
  since_ms: Type.Optional(
    field(
      Measure,
      'reminder, cooldown: how long ago the last one was. digest: how long the oldest incident has not been reported.',
    ),
  ),
  verb: Type.Optional(field(Text, 'control: what was asked for.')),
  actor: Type.Optional(field(Text, 'control: who asked.')),
  incident_id: Type.Optional(field(Text, 'dismissed: the incident that is silent.')),
  action_id: Type.Optional(
    field(
      Text,
      'recovery_accepted, recovery_failed: the recovery action. threshold, withheld, verification_failed: the last recovery action of the episode, if there was one. owed_green: the green that was withdrawn unsent. retry: the attempt before.',
    ),
  ),
  outcome: Type.Optional(field(Text, 'recovery_failed: rejected or unknown.')),
  what: Type.Optional(field(Text, 'configuration_changed: check, recovery or destination.')),
  color: Type.Optional(field(Text, 'superseded: the newer color.')),
  incidents: Type.Optional(field(Count, 'digest: how many incidents were not reported then.')),
  cooldown_ms: Type.Optional(field(Measure, 'cooldown: how long it is.')),
  wait_ms: Type.Optional(
    field(
      Measure,
      'retry, paged_recently: how long it waits by itself. digest: how long unreported incidents wait for one.',
    ),
  ),
  asked: Type.Optional(field(Flag, 'retry: the provider named the wait.')),
  answer: Type.Optional(field(Text, 'answer: rejected, retry, not_sent, gone or lost.')),
  in_a_row: Type.Optional(field(Count, 'not_taken: how many in a row the destination did not take.')),
  suspicious: Type.Optional(field(Count, 'own_fault: timeouts and local errors in the last seconds.')),
  results: Type.Optional(field(Count, 'own_fault: all results in the same time.')),
  canaries: Type.Optional(Type.Array(Text, { description: 'own_fault: checks of our own that failed.' })),
  excused: Type.Optional(field(Count, 'own_fault_ended: results that were excused.')),
  lasted_ms: Type.Optional(field(Measure, 'stalled, clock_jumped, own_fault_ended: for how long.')),
  after_ms: Type.Optional(field(Measure, 'given_up: after how long.')),
  backup_at: Type.Optional(field(Timestamp, 'restored: when the backup was made.')),
  policy: Type.Optional(
    field(
      Text,
      'Of a page: the escalation policy. page_ended, page_paused, page_restarted: whose page it was.',
    ),
  ),
  round: Type.Optional(field(Count, 'policy_step, nobody_on_call: the round, from 1.')),
  step: Type.Optional(field(Count, 'policy_step, nobody_on_call: the step, from 1.')),
  endpoint: Type.Optional(field(Text, 'next_endpoint: the one that was tried before.')),
  why: Type.Optional(field(Text, 'next_endpoint: why it was not enough: failed, unknown or slow.')),
  after: Type.Optional(field(Text, 'page_restarted: how the page stood before: acknowledged or paused.')),
  person: Type.Optional(field(Text, 'quiet_hours: whose they are.')),
  schedule: Type.Optional(field(Text, 'handover: the schedule by which another person is on call.')),
  late_ms: Type.Optional(field(Measure, 'push_overdue: how long ago the signal was due.')),
  grace_ms: Type.Optional(field(Measure, 'push_silent: the grace that passed.')),
  silent_ms: Type.Optional(
    field(Measure, 'push_silent: how long ago the last signal came; absent if there was none.'),
  ),
  limit_ms: Type.Optional(field(Measure, 'push_not_ended: how long a run may take.')),
  open_ms: Type.Optional(field(Measure, 'push_not_ended: how long ago the run started.')),
}

/** Named, so that the published types of its containers do not repeat it. */
export interface BecauseSchema extends TObject<typeof fields> {}

export const Because: BecauseSchema = Type.Object(fields, {
  description: 'Why something was decided, with the values that were compared.',
})

export type Because = Static<typeof Because>
