// kinds/kind.ts: what the service has to know of a kind of resource. Each kind is one file that calls defineKind, and one
// line in kind-table.ts; store, lists, writes, operations, files and the fleet walk that table.
import type { v2 } from '@pulseward/contract'
import type { EndpointDefinition } from '../config/fleet-file/definition.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { FieldError } from '../config/shape/explain.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { FleetHead } from '../fleet/fleet-change.ts'
import type { Surroundings } from './surroundings.ts'

export type ManagedKind = v2.ResourceKind

/** A resource by the number of its kind and its id. */
export type ResourceKey = readonly [kind: number, id: string]

/** What people write of each kind. */
export type SpecOf = {
  readonly [Kind in ManagedKind]: Extract<v2.Resource, { readonly kind: Kind }>['spec']
}

/** A resource as it was sent; its shape is right. */
export interface Sent<Spec = unknown> {
  readonly metadata: Pick<v2.Metadata, 'id' | 'name' | 'labels'>
  readonly spec: Spec
}

/** Everything that is wrong with a resource. isNew: it is created, not changed. */
export type Judge<Spec> = (sent: Sent<Spec>, around: Surroundings, isNew: boolean) => FieldError[]

export type DriverCategory = v2.JobType['spec']['kind']

/** Where a driver stands in a spec. */
export interface DriverPlace {
  readonly category: DriverCategory
  readonly path: readonly string[]
}

/** The part of the fleet's head that a kind makes, each under its id. */
export interface HeadPart<Spec> {
  readonly name: 'endpoints' | 'groups'
  toFleet(spec: Spec, drivers: DriverShapes): HeadEntry
  toSpec(entry: HeadEntry): Spec
}

export type HeadEntry = EndpointDefinition | readonly string[]

/** What the fleet has that runs, and what files say besides their monitors. */
export interface Running {
  readonly fleet: Fleet
  readonly files: FleetHead
}

export interface Kind<Spec = unknown> {
  /** What its drivers use is found, judged and redacted at these places. */
  readonly drivers: readonly DriverPlace[]
  /** What it names besides what its drivers use. */
  names(spec: Spec): readonly ResourceKey[]
  /** Made once for the drivers that there are. */
  judge(drivers: DriverShapes): Judge<Spec>
  /** The member of the spec that is kept encrypted and never shown. */
  readonly secret: 'value' | null
  /** The digest of every version is kept, because a version never changes. */
  readonly keepsVersions: boolean
  /** Null for what enters the fleet in another way, or not at all. */
  readonly head: HeadPart<Spec> | null
  /** Whether the running fleet or a file names it. What is being committed is known elsewhere. */
  isNamedIn(running: Running, id: string): boolean
}

const usual: Omit<Kind, 'judge'> = {
  drivers: [],
  names: () => [],
  secret: null,
  keepsVersions: false,
  head: null,
  isNamedIn: () => false,
}

/** What is left out is as of a kind that names nothing, hides nothing and is not in the fleet. */
export function defineKind<Name extends ManagedKind>(
  kind: Pick<Kind<SpecOf[Name]>, 'judge'> & Partial<Kind<SpecOf[Name]>>,
): Kind<SpecOf[Name]> {
  return { ...(usual as Kind<SpecOf[Name]>), ...kind }
}
