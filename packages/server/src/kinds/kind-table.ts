// kinds/kind-table.ts: the kinds of resources, each with what the service needs to know about it. A kind of
// the contract that is missing here is a type error.
import { v2 } from '@pulseward/contract'
import { badgeKind } from './badge.ts'
import { calendarKind } from './calendar.ts'
import { credentialKind } from './credential.ts'
import { jobTypeKind } from './job-type.ts'
import type { Kind, ManagedKind, SpecOf } from './kind.ts'
import { monitorKind } from './monitor.ts'
import { notificationEndpointKind } from './notification-endpoint.ts'
import { notificationGroupKind } from './notification-group.ts'
import { personKind } from './person.ts'
import { policyKind } from './policy.ts'
import { routeKind } from './route.ts'
import { scheduleKind } from './schedule.ts'
import { statusIncidentKind } from './status-incident.ts'
import { statusPageKind } from './status-page.ts'

const table: { readonly [Name in ManagedKind]: Kind<SpecOf[Name]> } = {
  Monitor: monitorKind,
  NotificationEndpoint: notificationEndpointKind,
  NotificationGroup: notificationGroupKind,
  Credential: credentialKind,
  JobType: jobTypeKind,
  Route: routeKind,
  Person: personKind,
  Schedule: scheduleKind,
  Policy: policyKind,
  Calendar: calendarKind,
  StatusPage: statusPageKind,
  StatusIncident: statusIncidentKind,
  Badge: badgeKind,
}

export function kindOf(name: ManagedKind): Kind {
  return table[name] as Kind
}

/** The kind with this number, which stores and threads use. */
export function kindNamed(number: number): ManagedKind {
  const name = v2.resourceKinds[number]
  if (name === undefined) throw new Error(`there is no kind with the number ${number}`)
  return name
}

/** Makes a value for each kind. */
export function perKind<Value>(make: (name: ManagedKind) => Value): Readonly<Record<ManagedKind, Value>> {
  return Object.fromEntries(v2.resourceKinds.map((name) => [name, make(name)])) as Record<ManagedKind, Value>
}
