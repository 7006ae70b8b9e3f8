// deciding/on-call/recipients.ts: whom a step tells at this moment: who is on call now, on which endpoints, each person and
// each endpoint once. Also whether it is within the quiet hours of a person, and when these end. Pure.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import type {
  PersonRecipient,
  QuietDefinition,
  RecipientDefinition,
  ScheduleDefinition,
  Severity,
} from '../../config/fleet-file/on-call.ts'
import { LocalTime } from '../../platform/local-time.ts'
import type { Instant } from '../health/health.ts'
import { isWithin, Rota } from './rota.ts'

export type OnCallFleet = Pick<FleetDefinition, 'people' | 'schedules' | 'groups' | 'endpoints'>

export interface Recipient {
  /** Null for endpoints without a person. */
  readonly person: string | null
  /** In order of preference; never empty. */
  readonly endpoints: readonly string[]
  /** All of them are told at once. */
  readonly all: boolean
  /** The zone of their quiet hours. */
  readonly timezone: string
}

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const dayMs = 86_400_000
const minuteMs = 60_000
const rotas = new WeakMap<ScheduleDefinition, Rota>()

export function rotaOf(schedule: ScheduleDefinition): Rota {
  let rota = rotas.get(schedule)
  if (rota === undefined) {
    rota = new Rota(schedule)
    rotas.set(schedule, rota)
  }
  return rota
}

/** Empty if the step reaches no recipient. */
export function recipientsOf(
  notify: readonly RecipientDefinition[],
  fleet: OnCallFleet,
  now: Instant,
): Recipient[] {
  const people = new Map<string, Recipient>()
  const endpoints = new Set<string>()
  for (const one of notify) {
    if (!('allEndpoints' in one)) {
      for (const name of one.kind === 'endpoint' ? [one.name] : (fleet.groups.get(one.name) ?? []))
        endpoints.add(name)
    } else {
      const found = personOf(one, fleet, now)
      const known = people.get(found?.person ?? '')
      if (found !== null)
        people.set(found.person!, { ...(known ?? found), all: found.all || (known?.all ?? false) })
    }
  }
  const told = new Set(
    [...people.values()].flatMap(({ endpoints: own, all }) => (all ? own : own.slice(0, 1))),
  )
  const alone = [...endpoints].filter((name) => fleet.endpoints.has(name) && !told.has(name))
  return [
    ...people.values(),
    ...alone.map((name) => ({ person: null, endpoints: [name], all: false, timezone: 'UTC' })),
  ]
}

function personOf(
  { kind, name, allEndpoints: all }: PersonRecipient,
  fleet: OnCallFleet,
  now: Instant,
): Recipient | null {
  const schedule = kind === 'schedule' ? fleet.schedules.get(name) : undefined
  const person = kind === 'person' ? name : schedule === undefined ? null : rotaOf(schedule).personAt(now)
  const definition = person === null ? undefined : fleet.people.get(person)
  const endpoints = definition?.endpoints.filter((endpoint) => fleet.endpoints.has(endpoint)) ?? []
  if (definition === undefined || endpoints.length === 0) return null
  return { person, endpoints, all, timezone: definition.timezone ?? schedule?.timezone ?? 'UTC' }
}

/** When the quiet hours that are running end; null if none are, or the severity is told anyway. */
export function quietUntil(
  quiet: QuietDefinition | null,
  { person, timezone }: Recipient,
  severity: Severity,
  now: Instant,
): Instant | null {
  if (quiet === null || person === null || !quiet.severities.includes(severity)) return null
  const zone = LocalTime.of(quiet.timezone ?? timezone)
  const localMs = zone.latestShownMs(now)
  if (!isWithin({ ...quiet, days: everyDay }, localMs)) return null
  const today = Math.floor(localMs / dayMs) * dayMs
  const end = today + quiet.toMinute * minuteMs
  return zone.instantMs(end > localMs ? end : end + dayMs)
}
