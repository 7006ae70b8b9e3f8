// v1/words/event-words.ts: an event of the history in plain words, as what happened to its monitor.
import type { NextHistoryEvent } from '../history.ts'

type Told = Pick<NextHistoryEvent, 'type' | 'kind' | 'outcome' | 'color' | 'endpoint' | 'actor'>
type EventType = NextHistoryEvent['type']

const nouns = { intervention: 'Recovery', code: 'Notification' } as const

const actionVerbs: Partial<Readonly<Record<EventType, string>>> = {
  action_queued: 'is waiting to be sent',
  action_started: 'was sent',
  action_failed: 'failed',
  action_unknown: 'was sent; its answer was lost, so it is held for review',
  action_cancelled: 'was dropped',
  action_reviewed: 'was reviewed',
}

const sentences: Partial<Readonly<Record<EventType, string>>> = {
  incident_opened: 'Incident opened',
  incident_suppressed: 'Suppressed: a monitor that it depends on is in trouble',
  own_fault: 'Pulseward itself could not check',
  push_late: 'Late: the job has not reported yet',
  push_missed: 'Missed: the job did not report',
  push_not_ended: 'A run of the job started and did not end in time',
  push_unknown: 'Not known whether the job ran: the service could not be reached',
  push_log: 'The job wrote to its log',
  control_recover_requested: 'Recovery requested',
  control_acknowledged: 'Incident acknowledged',
  control_dismissed: 'Incident dismissed: no more notifications about it',
  control_reopened: 'Incident reopened',
  control_noted: 'Note added',
  control_snoozed: 'Snoozed',
  control_unsnoozed: 'Snooze ended',
  snooze_expired: 'Snooze expired',
  escalation: 'Escalation',
  late_evidence: 'A worker reported late',
}

const destinationSentences: Partial<Readonly<Record<EventType, (named: string) => string>>> = {
  destination_dead: (named) => `${named} is gone: nothing more is sent to it`,
  destination_ailing: (named) => `${named} does not accept notifications`,
  destination_recovered: (named) => `${named} accepts notifications again`,
  digest_sent: (named) => `${named} got a digest of incidents that it had missed`,
  digest_dropped: (named) => `${named} missed incidents: their digest was dropped`,
}

export function describeEvent(event: Told): string {
  const by = event.actor === null ? '' : ` by ${event.actor}`
  return `${withoutActor(event)}${by}`
}

function withoutActor({ type, kind, outcome, endpoint }: Told): string {
  if (type === 'incident_closed') return closed(outcome)
  const ofDestination = destinationSentences[type]
  if (ofDestination !== undefined)
    return ofDestination(endpoint === null ? 'A destination' : `Destination ${endpoint}`)
  const noun = kind === null ? 'Action' : nouns[kind]
  const to = kind === 'code' && endpoint !== null ? ` to ${endpoint}` : ''
  if (type === 'incident_reported') return `Reported${to} in a digest`
  if (type === 'action_succeeded') return `${noun}${to} ${kind === 'code' ? 'was delivered' : 'was accepted'}`
  const verb = actionVerbs[type]
  if (verb !== undefined) return `${noun}${to} ${verb}`
  // A newer service may have more kinds: its own word is better than none.
  return sentences[type] ?? type.replaceAll('_', ' ')
}

function closed(outcome: Told['outcome']): string {
  if (outcome === 'recovered') return 'Recovered'
  if (outcome === 'disabled') return 'Incident closed: the monitor was disabled'
  if (outcome === 'removed') return 'Incident closed: the monitor was removed'
  return 'Incident closed'
}
