// simulation/model/on-call/on-call-model.ts: oncall.md §1 and §2 as far as they say who is on call, whom a step tells, and
// when somebody is left alone. Read from the documents of the fleet file as they are written, moment by moment.

import type { Severity } from '@pulseward/server/internal/config/fleet-file/on-call.ts'
import type { FleetPlan } from '../../fleet-plan.ts'
import type { OnCallPlan, PolicyPlan, SchedulePlan } from '../../on-call/on-call-plan.ts'
import { latestShownAt, whenShown } from './wall-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const turns: Readonly<Record<string, number>> = { h: hourMs, d: dayMs, w: 7 * dayMs }

export interface ModelRecipient {
  /** Null for an endpoint that is nobody's. */
  readonly person: string | null
  readonly endpoints: readonly string[]
  readonly all: boolean
  /** Where their clocks are. */
  readonly timezone: string
}

/** "5m" as milliseconds. */
export function durationMs(text: string): number {
  const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: hourMs }
  return Number(text.slice(0, -1)) * units[text.slice(-1)]!
}

function personOnCall(schedule: SchedulePlan, now: number): string | null {
  const shown = latestShownAt(schedule.timezone ?? 'UTC', now)
  for (const { from, to, person } of schedule.overrides ?? [])
    if (shown >= localTime(from) && shown < localTime(to)) return person
  let onCall: string | null = null
  for (const { people, start, every = '1w', hours } of schedule.layers) {
    const passed = shown - localTime(start)
    if (passed < 0 || (hours !== undefined && !hours.some((one) => isWithin(one, shown)))) continue
    const turn = Math.floor(passed / (Number(every.slice(0, -1)) * turns[every.slice(-1)]!))
    onCall = people[turn % people.length]!
  }
  return onCall
}

/** Empty if the step reaches nobody. Each endpoint is told once. */
export function recipientsAt(
  notify: PolicyPlan['steps'][number]['notify'],
  plan: FleetPlan,
  now: number,
): readonly ModelRecipient[] {
  const onCall = plan.onCall
  if (onCall === undefined) return []
  const found: ModelRecipient[] = []
  for (const { person, schedule, all_endpoints: all = false } of notify) {
    const recipient = personFor(person, schedule, all, { onCall, plan, now })
    if (recipient === null) continue
    const index = found.findIndex((one) => one.person === recipient.person)
    const known = found[index]
    if (known === undefined) found.push(recipient)
    else found[index] = { ...known, all: known.all || all }
  }
  const reached = new Set(found.flatMap((one) => (one.all ? one.endpoints : one.endpoints.slice(0, 1))))
  for (const { group, endpoint } of notify) {
    const names =
      endpoint !== undefined ? [endpoint] : group === undefined ? [] : (onCall.groups[group] ?? [])
    for (const name of names) {
      if (!plan.endpoints.has(name) || reached.has(name)) continue
      reached.add(name)
      found.push({ person: null, endpoints: [name], all: false, timezone: 'UTC' })
    }
  }
  return found
}

interface Around {
  readonly onCall: OnCallPlan
  readonly plan: FleetPlan
  readonly now: number
}

function personFor(
  named: string | undefined,
  schedule: string | undefined,
  all: boolean,
  { onCall, plan, now }: Around,
): ModelRecipient | null {
  const rota = schedule === undefined ? undefined : onCall.schedules[schedule]
  const person = named ?? (rota === undefined ? null : personOnCall(rota, now))
  const known = person === null ? undefined : onCall.people[person]
  if (person === null || known === undefined) return null
  const endpoints = known.endpoints.filter((name) => plan.endpoints.has(name))
  return endpoints.length === 0
    ? null
    : { person, endpoints, all, timezone: known.timezone ?? rota?.timezone ?? 'UTC' }
}

/** When the quiet hours end that somebody is in; null if they are told now. */
export function leftAloneUntil(
  { quiet }: PolicyPlan,
  { person, timezone }: ModelRecipient,
  severity: Severity,
  now: number,
): number | null {
  if (quiet === undefined || person === null) return null
  if (!(quiet.severities ?? ['warning', 'info']).includes(severity)) return null
  const zone = quiet.zone === undefined || quiet.zone === 'person' ? timezone : quiet.zone
  const [from = '', to = ''] = quiet.hours.split('-')
  const shown = latestShownAt(zone, now)
  if (!isWithin({ days: weekdays, from, to }, shown)) return null
  const today = Math.floor(shown / dayMs) * dayMs + timeOfDay(to)
  return whenShown(zone, today > shown ? today : today + dayMs, now)
}

interface Hours {
  readonly days: readonly string[]
  readonly from: string
  readonly to: string
}

/** Hours that end before they begin end on the next day. */
function isWithin({ days, from, to }: Hours, shown: number): boolean {
  const midnight = Math.floor(shown / dayMs) * dayMs
  const begins = (day: number) => {
    const lastsMs = timeOfDay(to) - timeOfDay(from)
    const beganAt = day + timeOfDay(from)
    const isDay = days.includes(weekdays[new Date(day).getUTCDay()]!)
    return isDay && shown >= beganAt && shown < beganAt + (lastsMs > 0 ? lastsMs : lastsMs + dayMs)
  }
  return begins(midnight) || begins(midnight - dayMs)
}

function timeOfDay(text: string): number {
  const [hour, minute] = text.split(':').map(Number)
  return hour! * hourMs + minute! * 60_000
}

function localTime(text: string): number {
  return new Date(`${text}:00Z`).getTime()
}
