// v2/resource-types.ts: the types of each kind: a resource, a page of resources, and a resource of any kind.
import { type Static, type TSchema, Type } from 'typebox'
import { type AddedKind, addedKinds, type ResourceKind, resourceKinds } from './kinds.ts'
import { Badge, BadgeList } from './wire/badge.ts'
import { Calendar, CalendarList } from './wire/calendar.ts'
import { Credential, CredentialList } from './wire/credential.ts'
import { JobType, JobTypeList } from './wire/job-type.ts'
import { Monitor, MonitorList } from './wire/monitor.ts'
import {
  NotificationEndpoint,
  NotificationEndpointList,
  NotificationGroup,
  NotificationGroupList,
} from './wire/notification.ts'
import { Person, PersonList } from './wire/person.ts'
import { Policy, PolicyList } from './wire/policy.ts'
import { Route, RouteList } from './wire/route.ts'
import { Schedule, ScheduleList } from './wire/schedule.ts'
import { StatusIncident, StatusIncidentList } from './wire/status-incident.ts'
import { StatusPage, StatusPageList } from './wire/status-page.ts'

export const resourceTypes = {
  Monitor: { one: Monitor, list: MonitorList },
  NotificationEndpoint: { one: NotificationEndpoint, list: NotificationEndpointList },
  NotificationGroup: { one: NotificationGroup, list: NotificationGroupList },
  Credential: { one: Credential, list: CredentialList },
  JobType: { one: JobType, list: JobTypeList },
  Route: { one: Route, list: RouteList },
  Person: { one: Person, list: PersonList },
  Schedule: { one: Schedule, list: ScheduleList },
  Policy: { one: Policy, list: PolicyList },
  Calendar: { one: Calendar, list: CalendarList },
  StatusPage: { one: StatusPage, list: StatusPageList },
  StatusIncident: { one: StatusIncident, list: StatusIncidentList },
  Badge: { one: Badge, list: BadgeList },
} as const satisfies Readonly<Record<ResourceKind, { readonly one: TSchema; readonly list: TSchema }>>

/** The named types of added kinds; those of the contract keep its order. */
export const addedWireTypes = Object.fromEntries(
  addedKinds.flatMap((kind) => [
    [kind, typesOf(kind).one],
    [`${kind}List`, typesOf(kind).list],
  ]),
) as { readonly [Kind in AddedKind]: Types[Kind]['one'] } & {
  readonly [Kind in AddedKind as `${Kind}List`]: Types[Kind]['list']
}

type Types = typeof resourceTypes

function typesOf(kind: ResourceKind): Types[ResourceKind] {
  return resourceTypes[kind]
}

export type Resource = { [Kind in ResourceKind]: Static<(typeof resourceTypes)[Kind]['one']> }[ResourceKind]

export const Resource = Type.Unsafe<Resource>(
  Type.Union(
    resourceKinds.map((kind) => resourceTypes[kind].one),
    { title: 'Resource', description: 'A resource of any kind; its kind tells which.' },
  ),
)
