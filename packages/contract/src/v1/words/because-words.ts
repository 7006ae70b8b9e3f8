// v1/words/because-words.ts: the recorded reason of a decision, as a clause without a full stop. It says only what the
// record holds: a value that is missing is left out. Names and words of checks in it are text of others.
import type { Because } from '../because.ts'
import type { BecauseKind } from '../values.ts'
import { durationWords } from './duration-words.ts'

type Words = (because: Because) => string

/** Null for a reason of a newer service, which this version has no words for. */
export function describeBecause(because: Because): string | null {
  const words: Words | undefined = clauses[because.kind]
  return words === undefined ? null : words(because)
}

const clauses: Readonly<Record<BecauseKind, Words>> = {
  first_failure: () => 'a check failed for the first time',
  threshold: (because) => `${inARow(because)}${thresholdOf(because)}${recoveryBefore(because)}`,
  withheld: (because) => `${obstacles[because.by ?? ''] ?? 'it was held back'}${recoveryBefore(because)}`,
  still_failing: (because) => `after the snooze, ${inARow(because)}${thresholdOf(because)}`,
  verification_failed: ({ healthy, needed }) =>
    `a check failed after the recovery was accepted, after ${healthy ?? 0} of ${needed ?? 0} healthy checks`,
  recovery_failed: ({ outcome }) =>
    outcome === 'unknown' ? 'the answer of the recovery was lost' : 'the recovery was refused',
  recovery_accepted: () => 'a recovery was accepted',
  recovery_threshold: ({ successes, threshold }) =>
    `${checks(successes)} in a row ${were(successes)} healthy${threshold === undefined ? '' : `; ${threshold} ${were(threshold)} needed`}`,
  verified: ({ healthy, needed }) =>
    `${checks(healthy)} ${were(healthy)} healthy after the recovery; ${needed ?? 0} ${were(needed)} needed`,
  warning: ({ text }) => (text === undefined ? 'the check warned' : `the check warned: ${text}`),
  warning_ended: () => 'the check warns no more',
  ancestor: ({ ancestor }) =>
    `${ancestor ?? 'a monitor'}, on which it depends, ${ancestor === undefined ? 'is' : 'was'} in trouble`,
  maintenance: ({ name, until }) =>
    `${windowOf(name)} was open${until === undefined ? '' : ` until ${until}`}`,
  maintenance_ended: ({ name }) => `${windowOf(name)} ended`,
  reminder: ({ every_ms, since_ms }) =>
    `the incident was still open${after(since_ms, ' after the last one')}${every_ms === undefined ? '' : `; red is repeated every ${durationWords(every_ms)}`}`,
  control: ({ actor, verb }) => `${actor ?? 'a person'} ${deeds[verb ?? ''] ?? 'asked for it'}`,
  snooze_expired: () => 'the snooze ended',
  dismissed: () => 'the incident was dismissed',
  disabled: () => 'the monitor was disabled',
  removed: () => 'the monitor was removed',
  configuration_changed: ({ what }) => `the configuration of the ${what ?? 'monitor'} changed`,
  superseded: ({ color }) => `${color ?? 'a newer one'} replaced it`,
  new_episode: () => 'the monitor began to fail again',
  owed_green: () => 'an earlier green was withdrawn unsent',
  digest: ({ incidents }) =>
    incidents === 1
      ? '1 incident had not been reported'
      : `${incidents ?? 'some'} incidents had not been reported`,
  nothing_untold: () => 'nothing was left to report',
  cooldown: ({ cooldown_ms }) =>
    `the last one was within the cooldown${cooldown_ms === undefined ? '' : ` of ${durationWords(cooldown_ms)}`}`,
  retry: ({ asked, wait_ms }) =>
    `the attempt before was not accepted${wait_ms === undefined ? '' : `; ${asked === true ? 'the provider asked to wait' : 'it waits'} ${durationWords(wait_ms)}`}`,
  own_fault: () => 'Pulseward itself could not check',
  stalled: ({ lasted_ms }) => `Pulseward stood still${after(lasted_ms)}`,
  clock_jumped: ({ lasted_ms }) => `the clock was set${after(lasted_ms, '', ' by ')}`,
  own_fault_ended: () => 'Pulseward can check again',
  answer: ({ answer }) => answers[answer ?? ''] ?? 'it was not accepted',
  interrupted: () => 'Pulseward stopped before the answer came',
  taken: () => 'the destination accepted a notification',
  not_taken: ({ in_a_row }) =>
    `the destination did not accept ${in_a_row ?? 'several'} notifications in a row`,
  destination_dead: () => 'the destination is gone',
  policy_step: ({ policy, round, step }) =>
    `step ${step ?? '?'}${round === undefined || round === 1 ? '' : ` of round ${round}`} of the policy ${policy ?? '?'} was due`,
  next_endpoint: ({ endpoint, why }) =>
    `${endpoint ?? 'the endpoint before'} ${nextEndpoints[why ?? ''] ?? 'was not enough'}`,
  nobody_on_call: ({ policy, step }) =>
    `step ${step ?? '?'} of the policy ${policy ?? '?'} reached no person`,
  quiet_hours: ({ person, until }) =>
    `${person ?? 'the person'} has quiet hours${until === undefined ? '' : ` until ${until}`}`,
  handover: ({ schedule }) => `the schedule ${schedule ?? '?'} was handed over to another person`,
  paged_recently: ({ wait_ms }) =>
    `the same person gets one page of a policy per minute${wait_ms === undefined ? '' : `; it waits ${durationWords(wait_ms)}`}`,
  page_ended: () => 'the page ended',
  page_paused: () => 'the page waits: its monitors are snoozed, in maintenance or suppressed',
  page_restarted: ({ policy, after: before }) =>
    `the policy ${policy ?? '?'} started again: ${before === 'acknowledged' ? 'the incident was acknowledged and not closed in time' : 'the incident is still open'}`,
  push_overdue: ({ late_ms }) =>
    `no signal came when it was due${late_ms === undefined ? '' : `, ${durationWords(late_ms)} before`}`,
  push_silent: ({ grace_ms, silent_ms }) =>
    `no signal came in time${grace_ms === undefined ? '' : `; the grace is ${durationWords(grace_ms)}`}${silent_ms === undefined ? '' : `, and the last signal came ${durationWords(silent_ms)} before`}`,
  push_not_ended: ({ limit_ms, open_ms }) =>
    `a run did not end${after(limit_ms, '', ' within ')}${open_ms === undefined ? '' : `; it started ${durationWords(open_ms)} before`}`,
  push_unreachable: () => 'Pulseward could not be reached when a signal was due',
  given_up: ({ after_ms }) => `it was given up${after(after_ms, '', ' after ')}`,
  restored: ({ backup_at }) =>
    `the data was restored${backup_at === undefined ? '' : ` from the backup of ${backup_at}`}`,
}

/** What people did, by the verb of the control. */
const deeds: Readonly<Record<string, string>> = {
  acknowledge: 'acknowledged the incident',
  dismiss: 'dismissed the incident',
  reopen: 'reopened the incident',
  note: 'added a note',
  snooze: 'snoozed the monitor',
  unsnooze: 'ended the snooze',
  recover: 'asked for a recovery',
  review: 'reviewed it',
}

const obstacles: Readonly<Record<string, string>> = {
  maintenance: 'it still failed when maintenance was over',
  ancestor_in_trouble: 'it still failed when what it depends on was well',
  ancestor_not_checked: 'it still failed when what it depends on had been checked',
}

const nextEndpoints: Readonly<Record<string, string>> = {
  failed: 'did not take it',
  unknown: 'may not have got it: the answer was lost',
  slow: 'had not answered after 30 seconds',
}

const answers: Readonly<Record<string, string>> = {
  rejected: 'the provider refused it',
  retry: 'the provider did not accept it for now',
  not_sent: 'it could not be sent',
  gone: 'its destination is gone',
  lost: 'the answer was lost',
}

const recoveries: Readonly<Record<string, string>> = {
  held: 'recovery was held back, since the outcome of an earlier one is not known',
  pending: 'its recovery had not ended',
  accepted: 'its recovery had been accepted and did not help',
  rejected: 'its recovery had been refused',
  unknown: 'the answer of its recovery had been lost',
  cancelled: 'its recovery had been dropped',
}

function recoveryBefore({ recovery }: Because): string {
  const words = recovery === undefined ? undefined : recoveries[recovery]
  return words === undefined ? '' : `; ${words}`
}

function inARow({ failures }: Because): string {
  return `${checks(failures)} in a row failed`
}

function thresholdOf({ threshold }: Because): string {
  return threshold === undefined ? '' : `; the threshold is ${threshold}`
}

function checks(count = 0): string {
  return count === 1 ? '1 check' : `${count} checks`
}

function were(count = 0): string {
  return count === 1 ? 'was' : 'were'
}

function windowOf(name: string | undefined): string {
  return name === undefined ? 'maintenance' : `the maintenance ${name}`
}

function after(ms: number | undefined, end = '', begin = ' for '): string {
  if (ms === undefined) return ''
  return end === '' ? `${begin}${durationWords(ms)}` : ` ${durationWords(ms)}${end}`
}
