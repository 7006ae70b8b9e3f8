// managing/registry.ts: which resources there are, from files and through v2, as the next turn has to see them: with
// what earlier turns have written and is still being committed. Monitors are in the fleet, which holds a million of
// them; only those that are on their way into it, or out of it, are held here. The changes of a turn that fails, or whose
// commit does, are taken back. What runs and what is read is what was committed, and nothing else.
import type { v2 } from '@pulseward/contract'
import { type Credentials, credentialName } from '../config/fleet-file/credentials.ts'
import {
  type Destinations,
  type EndpointDefinition,
  type NotifyDefinition,
  sharedValue,
} from '../config/fleet-file/definition.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { FleetHead } from '../fleet/fleet-change.ts'
import { compileJobType, type JobTypeInForce } from '../resources/job-type.ts'
import type { ResealedValue } from '../store/resource.ts'
import { runningDriver } from './driver-config.ts'
import type { ManagedKind, ManagedResource, SpecOf } from './managed-resource.ts'
import { ResourceUse } from './resource-use.ts'
import type { Surroundings } from './surroundings.ts'
import { UncommittedChanges } from './uncommitted-changes.ts'
import { builtInNames } from './validate-resource.ts'

type SmallKind = Exclude<ManagedKind, 'Monitor'>
type Held<Kind extends ManagedKind> = ManagedResource<SpecOf[Kind]>

export interface RegistryOptions {
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  /** The value of a credential; null when it cannot be decrypted. */
  readonly reveal: (credential: ManagedResource) => string | null
}

/** What the files say besides their monitors. */
export interface FromFiles {
  readonly head: FleetHead
  readonly credentials: Credentials
}

type HeldMaps = { readonly [Kind in SmallKind]: Map<string, Held<Kind>> }

export class Registry implements Surroundings {
  readonly drivers: DriverShapes
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  readonly #builtInNames: ReadonlySet<string>
  /** Compiled when it is first asked for; a version that is written is another object. */
  readonly #jobTypes = new WeakMap<Held<'JobType'>, JobTypeInForce>()
  readonly #fleet: Fleet
  readonly #reveal: RegistryOptions['reveal']
  /** As the next turn has to see them. */
  readonly #held = emptyMaps()
  /** As they were last committed. */
  readonly #committed = emptyMaps()
  /** Monitors that are being committed; null: is being deleted. */
  readonly #monitors = new Map<string, Held<'Monitor'> | null>()
  readonly #uncommitted = new UncommittedChanges()
  /** What takes values from credentials, and what job types carry out. */
  readonly uses: ResourceUse
  #files: FromFiles
  #lastChange: number

  constructor(
    { fleet, drivers, allowsLocalDrivers, allowsJobTypes, reveal }: RegistryOptions,
    files: FromFiles,
    lastChange: number,
  ) {
    this.#fleet = fleet
    this.drivers = drivers
    this.allowsLocalDrivers = allowsLocalDrivers
    this.allowsJobTypes = allowsJobTypes
    this.#builtInNames = builtInNames(drivers)
    this.#reveal = reveal
    this.#files = files
    this.#lastChange = lastChange
    this.uses = new ResourceUse({
      fleet,
      drivers,
      endpoints: () => this.#held.NotificationEndpoint.values(),
      pending: () => this.#monitors.values().filter((monitor) => monitor !== null),
      credentialValue: this.credentialValue,
    })
  }

  /** The number of the next change. Numbers of changes that were taken back are not given again. */
  nextChange(): number {
    this.#lastChange++
    return this.#lastChange
  }

  get lastChange(): number {
    return this.#lastChange
  }

  /** What the previous process left. */
  restore(resource: ManagedResource): void {
    if (resource.kind === 'Monitor') return
    this.#mapOf(resource.kind).set(resource.id, resource)
    this.#committedOf(resource.kind).set(resource.id, resource)
    this.uses.noteWrite(resource.kind, resource.id, resource)
  }

  /** The value of a credential is in another envelope; it is the same version. */
  resealed({ id, change, sealed }: ResealedValue): void {
    for (const { Credential } of [this.#held, this.#committed]) {
      const held = Credential.get(id)
      if (held?.change === change && held.sealed !== null)
        Credential.set(id, { ...held, sealed: { ...held.sealed, value: sealed } })
    }
  }

  filesChanged(files: FromFiles): void {
    this.#files = files
  }

  get fileHead(): FleetHead {
    return this.#files.head
  }

  /** As it was last committed. */
  find<Kind extends SmallKind>(kind: Kind, id: string): Held<Kind> | undefined {
    return this.#committedOf(kind).get(id) as Held<Kind> | undefined
  }

  /** Also those that are being committed. */
  allCredentials(): Iterable<ManagedResource> {
    return this.#held.Credential.values()
  }

  /** As they were last committed. */
  groups(): Iterable<Held<'NotificationGroup'>> {
    return this.#committed.NotificationGroup.values()
  }

  /** Whether v2 manages it, is about to, or has not yet let go of it: no file may have it then. */
  isManaged(kind: Exclude<ManagedKind, 'Credential' | 'JobType'>, id: string): boolean {
    if (kind !== 'Monitor') return this.#mapOf(kind).has(id) || this.#committedOf(kind).has(id)
    if (this.#monitors.has(id)) return true
    const row = this.#fleet.rowOf(id)
    return row !== -1 && sharedValue(this.#fleet.definition.sources, row) === null
  }

  /** Whether the id is taken, by a file or through v2. */
  exists(kind: ManagedKind, id: string): boolean {
    if (kind === 'Monitor') return this.hasMonitor(id)
    if (kind === 'NotificationEndpoint') return this.hasEndpoint(id)
    if (kind === 'JobType') return this.#held.JobType.has(id)
    return kind === 'NotificationGroup' ? this.hasGroup(id) : this.hasCredential(id)
  }

  /** The file that has it; null when none does, and when it is not known which. */
  isFromFile(kind: ManagedKind, id: string): boolean {
    if (kind === 'Credential' || kind === 'JobType') return false
    if (kind === 'NotificationEndpoint') return this.#files.head.endpoints.has(id)
    if (kind === 'NotificationGroup') return this.#files.head.groups.has(id)
    return !this.#monitors.has(id) && this.fileOf(id) !== null
  }

  /** The file of a monitor; null for one that was created through v2, and for none. */
  fileOf(monitorId: string): string | null {
    const row = this.#fleet.rowOf(monitorId)
    return row === -1 ? null : sharedValue(this.#fleet.definition.sources, row)
  }

  put(resource: ManagedResource): void {
    const { kind, id, change } = resource
    const map: Map<string, ManagedResource | null> = this.#mapOf(kind)
    this.#remember(change, map, kind, id, resource)
    map.set(id, resource)
    this.uses.noteWrite(kind, id, resource)
  }

  /** `change`: the number of the change that deletes it. */
  remove(kind: ManagedKind, id: string, change: number): void {
    const map: Map<string, ManagedResource | null> = this.#mapOf(kind)
    this.#remember(change, map, kind, id, null)
    if (kind === 'Monitor') map.set(id, null)
    else map.delete(id)
    this.uses.noteWrite(kind, id, null)
  }

  /** The change is on disk, and comes into the fleet now. */
  committed(change: number): void {
    const { kind, id, after } = this.#uncommitted.end(change)
    if (kind !== 'Monitor') {
      // The same version may have got another envelope meanwhile.
      const held = this.#mapOf(kind).get(id)
      if (after === null) this.#committedOf(kind).delete(id)
      else this.#committedOf(kind).set(id, held?.change === after.change ? held : after)
      return
    }
    // A later change of the same monitor may be on its way already.
    if (this.#monitors.get(id) === after) this.#monitors.delete(id)
  }

  /** These changes could not be stored: nothing of them is there. */
  takeBack(changes: Iterable<number>): void {
    this.#uncommitted.takeBack(changes)
  }

  /** Runs what a turn writes. If it throws, nothing of it is there. */
  whole<Result>(write: () => Result): Result {
    const before = this.#lastChange
    try {
      return write()
    } catch (error) {
      this.takeBack(this.#uncommitted.since(before))
      throw error
    }
  }

  hasMonitor(id: string): boolean {
    const pending = this.#monitors.get(id)
    return pending === undefined ? this.#fleet.rowOf(id) !== -1 : pending !== null
  }

  hasEndpoint(id: string): boolean {
    return this.#held.NotificationEndpoint.has(id) || this.#files.head.endpoints.has(id)
  }

  hasGroup(id: string): boolean {
    return this.#held.NotificationGroup.has(id) || this.#files.head.groups.has(id)
  }

  hasCredential(id: string): boolean {
    return this.#held.Credential.has(id)
  }

  readonly credentialValue = (id: string): string | null => {
    const credential = this.#held.Credential.get(id)
    return credential === undefined ? null : this.#reveal(credential)
  }

  /** Without external jobs nothing can be written that uses one. */
  jobType(id: string): JobTypeInForce | null {
    const held = this.allowsJobTypes ? this.#held.JobType.get(id) : undefined
    if (held === undefined) return null
    const known = this.#jobTypes.get(held)
    if (known !== undefined) return known
    const { jobType } = compileJobType(id, held.spec, this.#builtInNames)
    if (jobType !== null) this.#jobTypes.set(held, jobType)
    return jobType
  }

  parentsOf(id: string): readonly string[] {
    const pending = this.#monitors.get(id)
    if (pending !== undefined) return pending?.spec.dependsOn ?? []
    const row = this.#fleet.rowOf(id)
    return row === -1 ? [] : sharedValue(this.#fleet.definition.dependencies, row)
  }

  /** Whether anything refers to it, so that it must stay. */
  isReferenced(kind: ManagedKind, id: string): boolean {
    switch (kind) {
      case 'Monitor':
        return (
          this.#fleet.someHas('dependencies', (parents) => parents.includes(id)) ||
          this.#somePending(({ dependsOn = [] }) => dependsOn.includes(id))
        )
      case 'NotificationEndpoint':
        return this.#isDestination('endpoints', 'endpointRefs', id) || this.#isInGroup(id)
      case 'NotificationGroup':
        return this.#isDestination('groups', 'groupRefs', id)
      case 'Credential':
      case 'JobType':
        return !this.uses.allUsersOf({ kind, id }).next().done
    }
  }

  /** Where notifications go, from files and through v2. */
  head(): FleetHead {
    const { endpoints, groups, routes } = this.#files.head
    const own = this.#committed
    const ownEndpoints = [...own.NotificationEndpoint.values()].map(
      ({ id, spec }): [string, EndpointDefinition] => [id, runningDriver(spec, this.drivers.notifiers)],
    )
    const ownGroups = [...own.NotificationGroup.values()].map(({ id, spec }): [string, readonly string[]] => [
      id,
      spec.endpointRefs,
    ])
    return {
      endpoints: new Map([...endpoints, ...ownEndpoints]),
      groups: new Map([...groups, ...ownGroups]),
      routes,
    }
  }

  /** The values of all credentials, each under the name that the fleet knows it by. */
  credentials(): Credentials {
    const own = [...this.#committed.Credential.values()].map((credential): [string, string] => [
      credentialName(credential.id),
      this.#reveal(credential) ?? '',
    ])
    return new Map([...this.#files.credentials, ...own])
  }

  #isDestination(inFleet: keyof Destinations, inSpec: 'endpointRefs' | 'groupRefs', id: string): boolean {
    const names = ({ colors }: NotifyDefinition) =>
      Object.values(colors).some((destinations) => destinations[inFleet].includes(id))
    return (
      this.#fleet.someHas('notifications', names) ||
      this.#files.head.routes.some(({ destinations }) => destinations[inFleet].includes(id)) ||
      this.#somePending(({ notifications = {} }) =>
        Object.values(notifications).some((rule) => rule[inSpec]?.includes(id) ?? false),
      )
    )
  }

  #isInGroup(endpointId: string): boolean {
    const ofFiles = [...this.#files.head.groups.values()]
    const own = [...this.#held.NotificationGroup.values()].map(({ spec }) => spec.endpointRefs)
    return [...ofFiles, ...own].some((members) => members.includes(endpointId))
  }

  #somePending(isMeant: (spec: v2.Monitor['spec']) => boolean): boolean {
    return [...this.#monitors.values()].some((monitor) => monitor !== null && isMeant(monitor.spec))
  }

  #remember(
    change: number,
    map: Map<string, ManagedResource | null>,
    kind: ManagedKind,
    id: string,
    after: ManagedResource | null,
  ): void {
    const before = map.get(id)
    const takeBack = () => {
      if (before === undefined) map.delete(id)
      else map.set(id, before)
      this.uses.noteWrite(kind, id, before ?? null)
    }
    this.#uncommitted.add(change, { kind, id, after, takeBack })
  }

  #committedOf(kind: SmallKind): Map<string, ManagedResource> {
    return this.#committed[kind] as Map<string, ManagedResource>
  }

  #mapOf(kind: ManagedKind): Map<string, ManagedResource> {
    const map = kind === 'Monitor' ? this.#monitors : this.#held[kind]
    return map as Map<string, ManagedResource>
  }
}

function emptyMaps(): HeldMaps {
  return {
    NotificationEndpoint: new Map(),
    NotificationGroup: new Map(),
    Credential: new Map(),
    JobType: new Map(),
  }
}
