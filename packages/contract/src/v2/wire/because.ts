// v2/wire/because.ts: why something was decided, with the values that were compared. The kind determines
// which members are present; decisions of versions that did not record reasons have none.
import { type Static, type TObject, Type } from 'typebox'
import { becauseKinds } from '../../v1/values.ts'
import { count, flag, listing, oneOf, rate, text, timestamp, wireType } from './wire-type.ts'

const fields = {
  kind: oneOf(becauseKinds, 'What decided it.'),
  failures: Type.Optional(count('threshold, withheld, still_failing: failed checks in a row then.')),
  successes: Type.Optional(count('recovery_threshold: healthy checks in a row then.')),
  threshold: Type.Optional(
    count('The configured threshold that they were compared with; for first_failure, the unhealthy one.'),
  ),
  healthy: Type.Optional(count('verified, verification_failed: healthy checks since the recovery action.')),
  needed: Type.Optional(count('How many of them are needed.')),
  recovery: Type.Optional(
    text(
      'threshold, withheld: why no recovery action came first: held, or the outcome of the recovery action of the episode. Absent if none is configured.',
    ),
  ),
  by: Type.Optional(
    text(
      'withheld: what was in the way until then: maintenance, ancestor_in_trouble or ancestor_not_checked.',
    ),
  ),
  failure: Type.Optional(
    text(
      'threshold, withheld, verification_failed, recovery_failed: the last failed check in its words, redacted: not markup. Absent if it gave none.',
    ),
  ),
  failureClass: Type.Optional(text('How that check ended: failure or timeout.')),
  failingMs: Type.Optional(rate('How long ago the first failure was then.')),
  from: Type.Optional(
    text('The external worker that carried out that check; absent if the service itself did.'),
  ),
  ancestor: Type.Optional(text('ancestor: the monitor in trouble that it depends on.')),
  text: Type.Optional(text('warning: what the check warned of.')),
  until: Type.Optional(
    timestamp(
      'maintenance, quiet_hours, and a snooze of control: when it ends. snooze_expired: when it ended. In a delay: when the action may start.',
    ),
  ),
  name: Type.Optional(text('maintenance, maintenance_ended: the name of the window, if it has one.')),
  everyMs: Type.Optional(rate('reminder: how often red is repeated.')),
  sinceMs: Type.Optional(
    rate(
      'reminder, cooldown: how long ago the last one was. digest: how long the oldest incident has not been reported.',
    ),
  ),
  verb: Type.Optional(text('control: what was asked for.')),
  actor: Type.Optional(text('control: who asked.')),
  incidentID: Type.Optional(text('dismissed: the incident that is silent.')),
  actionID: Type.Optional(
    text(
      'recovery_accepted, recovery_failed: the recovery action. threshold, withheld, verification_failed: the last recovery action of the episode, if there was one. owed_green: the green that was withdrawn unsent. retry: the attempt before.',
    ),
  ),
  outcome: Type.Optional(text('recovery_failed: rejected or unknown.')),
  what: Type.Optional(text('configuration_changed: check, recovery or destination.')),
  color: Type.Optional(text('superseded: the newer color.')),
  incidents: Type.Optional(count('digest: how many incidents were not reported then.')),
  cooldownMs: Type.Optional(rate('cooldown: how long it is.')),
  waitMs: Type.Optional(
    rate(
      'retry, paged_recently: how long it waits by itself. digest: how long unreported incidents wait for one.',
    ),
  ),
  asked: Type.Optional(flag('retry: the provider named the wait.')),
  answer: Type.Optional(text('answer: rejected, retry, not_sent, gone or lost.')),
  inARow: Type.Optional(count('not_taken: how many in a row the destination did not take.')),
  suspicious: Type.Optional(count('own_fault: timeouts and local errors in the last seconds.')),
  results: Type.Optional(count('own_fault: all results in the same time.')),
  canaries: Type.Optional(listing(Type.String(), 'own_fault: checks of our own that failed.')),
  excused: Type.Optional(count('own_fault_ended: results that were excused.')),
  lastedMs: Type.Optional(rate('stalled, clock_jumped, own_fault_ended: for how long.')),
  afterMs: Type.Optional(rate('given_up: after how long.')),
  backupAt: Type.Optional(timestamp('restored: when the backup was made.')),
  policy: Type.Optional(
    text('Of a page: the escalation policy. page_ended, page_paused, page_restarted: whose page it was.'),
  ),
  round: Type.Optional(count('policy_step, nobody_on_call: the round, from 1.')),
  step: Type.Optional(count('policy_step, nobody_on_call: the step, from 1.')),
  endpoint: Type.Optional(text('next_endpoint: the one that was tried before.')),
  why: Type.Optional(text('next_endpoint: why it was not enough: failed, unknown or slow.')),
  after: Type.Optional(text('page_restarted: how the page stood before: acknowledged or paused.')),
  person: Type.Optional(text('quiet_hours: whose they are.')),
  schedule: Type.Optional(text('handover: the schedule by which somebody else is on call.')),
  lateMs: Type.Optional(rate('push_overdue: how long ago the signal was due.')),
  graceMs: Type.Optional(rate('push_silent: the grace that passed.')),
  silentMs: Type.Optional(rate('push_silent: how long ago the last signal came; absent if there was none.')),
  limitMs: Type.Optional(rate('push_not_ended: how long a run may take.')),
  openMs: Type.Optional(rate('push_not_ended: how long ago the run started.')),
}

/** Named, so that the published types of its containers do not repeat it. */
export interface BecauseSchema extends TObject<typeof fields> {}

export const Because: BecauseSchema = wireType(
  'Because',
  'Why something was decided, with the values that were compared.',
  fields,
)

export type Because = Static<typeof Because>
