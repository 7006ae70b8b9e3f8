// kinds/kind.ts: what the service needs to know about a kind of resource. Each kind is one file that calls defineKind,
// and one line in kind-table.ts; store, lists, writes, operations, files and the fleet iterate over that table.
import type { v2 } from '@pulseward/contract'
import type { EndpointDefinition, RouteDefinition } from '../config/fleet-file/definition.ts'
import type { EscalationPolicy, PersonDefinition, ScheduleDefinition } from '../config/fleet-file/on-call.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { BadgeDefinition, StatusPageDefinition } from '../config/fleet-file/status-page.ts'
import type { FieldError } from '../config/shape/explain.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { FleetHead } from '../fleet/fleet-change.ts'
import type { Surroundings } from './surroundings.ts'

export type ManagedKind = v2.ResourceKind

/** A resource by the number of its kind and its id. */
export type ResourceKey = readonly [kind: number, id: string]

/** The spec of each kind, as people write it. */
export type SpecOf = {
  readonly [Kind in ManagedKind]: Extract<v2.Resource, { readonly kind: Kind }>['spec']
}

/** A resource as it was sent; its shape has been validated. */
export interface Sent<Spec = unknown> {
  readonly metadata: Pick<v2.Metadata, 'id' | 'name' | 'labels'>
  readonly spec: Spec
}

/** Everything that is wrong with a resource. isNew: it is created, not changed. */
export type Judge<Spec> = (sent: Sent<Spec>, around: Surroundings, isNew: boolean) => FieldError[]

export type DriverCategory = v2.JobType['spec']['kind']

/** The path of a driver in a spec. */
export interface DriverPlace {
  readonly category: DriverCategory
  readonly path: readonly string[]
}

/** A kind's part of the head of the fleet; head-part.ts reads and writes it by id. */
export interface HeadPart<Spec> {
  readonly name: HeadPartName
  /** What fleet files call it. */
  readonly section: string
  toFleet(spec: Spec, named: Named, drivers: DriverShapes): HeadEntry
  toSpec(entry: HeadEntry): Spec
  /** What people call it, if files say that; null if they do not. */
  nameOf?(entry: HeadEntry): string | null
}

interface Named {
  readonly id: string
  readonly name: string | null
}

export type HeadPartName =
  | 'endpoints'
  | 'groups'
  | 'routes'
  | 'people'
  | 'schedules'
  | 'escalationPolicies'
  | 'statusPages'
  | 'badges'

export type HeadEntry =
  | EndpointDefinition
  | readonly string[]
  | RouteDefinition
  | PersonDefinition
  | ScheduleDefinition
  | EscalationPolicy
  | StatusPageDefinition
  | BadgeDefinition

/** The running fleet, and what files contain besides their monitors. */
export interface Running {
  readonly fleet: Fleet
  readonly files: FleetHead
}

export interface Kind<Spec = unknown> {
  /** The paths at which drivers are found, validated and redacted. */
  readonly drivers: readonly DriverPlace[]
  /** What it refers to, apart from what its drivers use. */
  names(spec: Spec): readonly ResourceKey[]
  /** Called once for the available drivers. */
  judge(drivers: DriverShapes): Judge<Spec>
  /** The member of the spec that is stored encrypted and never shown. */
  readonly secret: 'value' | null
  /** Whether the digest of every version is kept, because versions never change. */
  readonly keepsVersions: boolean
  /** Null for a kind that enters the fleet in another way, or not at all. */
  readonly head: HeadPart<Spec> | null
  /** What in the running fleet or in a file refers to it, as people call it. Uncommitted references are found elsewhere. */
  usersIn(running: Running, id: string): Iterable<string>
}

const usual: Omit<Kind, 'judge'> = {
  drivers: [],
  names: () => [],
  secret: null,
  keepsVersions: false,
  head: null,
  usersIn: () => [],
}

/** By default a kind refers to nothing, has no secret and is not in the fleet. */
export function defineKind<Name extends ManagedKind>(
  kind: Pick<Kind<SpecOf[Name]>, 'judge'> & Partial<Kind<SpecOf[Name]>>,
): Kind<SpecOf[Name]> {
  return { ...(usual as Kind<SpecOf[Name]>), ...kind }
}
