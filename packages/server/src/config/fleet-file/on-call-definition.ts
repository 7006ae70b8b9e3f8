// config/fleet-file/on-call-definition.ts: people, schedules and policies as the domain reads them, from documents that
// have no mistakes.
import { durationMs } from '../../platform/duration.ts'
import type {
  EscalationPolicy,
  OnCallDefinition,
  PersonDefinition,
  RecipientDefinition,
  ScheduleDefinition,
} from './on-call.ts'
import {
  type PersonDocument,
  type PolicyDocument,
  type ScheduleDocument,
  weekdays,
} from './on-call-schema.ts'
import type { FleetHead } from './schema.ts'

const hourMs = 3_600_000
const turnMs = { h: hourMs, d: 24 * hourMs, w: 168 * hourMs }
const usualWait = '5m'
/** What `quiet.zone` says for the zone of each person. */
export const zoneOfPerson = 'person'

export function onCallDefinition({ people, schedules, policies, defaults }: FleetHead): OnCallDefinition {
  return {
    people: mapped(people, personDefinition),
    schedules: mapped(schedules, scheduleDefinition),
    escalationPolicies: mapped(policies, (policy) => escalationPolicy(policy, defaults?.notify?.red)),
  }
}

export function personDefinition({ name, timezone, endpoints }: PersonDocument): PersonDefinition {
  return { name: name ?? null, timezone: timezone ?? null, endpoints: [...new Set(endpoints)] }
}

export function scheduleDefinition({
  timezone,
  layers,
  overrides = [],
  handoff = false,
}: ScheduleDocument): ScheduleDefinition {
  return {
    timezone: timezone ?? 'UTC',
    layers: layers.map(({ people, start, every = '1w', hours }) => ({
      people,
      everyMs: turnLengthMs(every),
      startMs: localMs(start),
      hours:
        hours?.map(({ days, from, to }) => ({
          days: days.map((day) => weekdays.indexOf(day)),
          fromMinute: minuteOf(from),
          toMinute: minuteOf(to),
        })) ?? null,
    })),
    overrides: overrides.map(({ from, to, person }) => ({
      fromMs: localMs(from),
      toMs: localMs(to),
      person,
    })),
    ...(handoff ? { handoff } : {}),
  }
}

/** `defaultsOfRed`: who is told if a policy that names no last resort reaches no recipient. */
export function escalationPolicy(
  policy: PolicyDocument,
  defaultsOfRed?: PolicyDocument['last_resort'],
): EscalationPolicy {
  const { steps, repeat = 0, quiet, ack_timeout, escalate_owned = false } = policy
  const { groups = [], endpoints = [] } = policy.last_resort ?? defaultsOfRed ?? {}
  const [from = '', to = ''] = quiet?.hours.split('-') ?? []
  const zone = quiet?.zone ?? zoneOfPerson
  return {
    steps: steps.map(({ notify, wait = usualWait }) => ({
      notify: notify.map(recipient),
      waitMs: durationMs(wait),
    })),
    repeat,
    quiet:
      quiet === undefined
        ? null
        : {
            fromMinute: minuteOf(from),
            toMinute: minuteOf(to),
            timezone: zone === zoneOfPerson ? null : zone,
            severities: quiet.severities ?? ['warning', 'info'],
            drops: quiet.then === 'drop',
          },
    ackTimeoutMs: ack_timeout === undefined ? null : durationMs(ack_timeout),
    escalatesOwned: escalate_owned,
    lastResort: { groups, endpoints },
  }
}

type RecipientDocument = PolicyDocument['steps'][number]['notify'][number]

/** on-call-rules.ts accepts only those that name exactly one. */
function recipient({
  schedule,
  person,
  group,
  endpoint,
  all_endpoints,
}: RecipientDocument): RecipientDefinition {
  const allEndpoints = all_endpoints ?? false
  if (schedule !== undefined) return { kind: 'schedule', name: schedule, allEndpoints }
  if (person !== undefined) return { kind: 'person', name: person, allEndpoints }
  return group === undefined ? { kind: 'endpoint', name: endpoint! } : { kind: 'group', name: group }
}

export function localMs(moment: string): number {
  return Date.parse(`${moment}Z`)
}

function minuteOf(time: string): number {
  const [hour, minute] = time.split(':')
  return Number(hour) * 60 + Number(minute)
}

function turnLengthMs(every: string): number {
  return Number(every.slice(0, -1)) * turnMs[every.slice(-1) as keyof typeof turnMs]
}

function mapped<Written, Value>(
  written: Readonly<Record<string, Written>> | undefined,
  make: (written: Written) => Value,
): Map<string, Value> {
  return new Map(Object.entries(written ?? {}).map(([name, one]) => [name, make(one)]))
}
