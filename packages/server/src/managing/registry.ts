// managing/registry.ts: every resource from files and v2, in two views: as last committed, and as the next turn must see
// it, with the uncommitted changes of earlier turns. Of monitors it holds only those with an uncommitted change. When a turn
// or its commit fails, its changes are rolled back.
import { v2 } from '@pulseward/contract'
import { type Credentials, credentialName } from '../config/fleet-file/credentials.ts'
import { sharedValue } from '../config/fleet-file/definition.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { FleetHead } from '../fleet/fleet-change.ts'
import { entriesOf, hasEntry, withEntries } from '../kinds/head-part.ts'
import { builtInNames, compileJobType, type JobTypeInForce } from '../kinds/job-type-in-force.ts'
import type { ManagedKind, SpecOf } from '../kinds/kind.ts'
import { kindOf, perKind } from '../kinds/kind-table.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'
import { userOf } from '../kinds/named-in-fleet.ts'
import { keyText, referencesOf } from '../kinds/references.ts'
import { mostIds, type Surroundings } from '../kinds/surroundings.ts'
import { PackedMap } from '../platform/packed-map.ts'
import type { ResealedValue } from '../store/resource.ts'
import { type PendingWrite, PendingWrites } from './pending-writes.ts'
import { type KeysInForce, PushKeyOwners } from './push-key-owners.ts'
import { ResourceUse } from './resource-use.ts'

/** A kind whose committed resources are held here. */
export type HeldKind = Exclude<ManagedKind, 'Monitor'>

type Held<Kind extends ManagedKind> = ManagedResource<SpecOf[Kind]>

export interface RegistryOptions {
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  /** The value of a credential; null if it cannot be decrypted. */
  readonly reveal: (credential: ManagedResource) => string | null
}

/** What the fleet files define besides monitors. */
export interface FromFiles {
  readonly head: FleetHead
  readonly credentials: Credentials
}

interface PageOutline {
  readonly host: string | null
  readonly groups: readonly { readonly components: readonly { readonly id: string }[] }[]
}

export class Registry implements Surroundings {
  readonly drivers: DriverShapes
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  readonly #builtInNames: ReadonlySet<string>
  /** Compiled on first use. Each version of a job type is another object, so no entry goes stale. */
  readonly #jobTypes = new WeakMap<ManagedResource, JobTypeInForce>()
  readonly #fleet: Fleet
  readonly #reveal: RegistryOptions['reveal']
  /** As the next turn must see them. Of monitors, only those being committed; null is a deletion. */
  readonly #held = perKind(() => new Map<string, ManagedResource | null>())
  /** As last committed; without monitors. */
  readonly #committed = perKind(() => new Map<string, ManagedResource>())
  /** How often anything of a kind was committed. */
  readonly #commits = perKind(() => ({ count: 0 }))
  readonly pending = new PendingWrites()
  /** What uses credentials and job types. */
  readonly uses: ResourceUse
  readonly #keyOwners: PushKeyOwners
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
    this.#keyOwners = new PushKeyOwners((row) => fleet.idOf(row), this.credentialValue)
    this.uses = new ResourceUse({
      fleet,
      drivers,
      held: (kind) => this.#all(kind),
      credentialValue: this.credentialValue,
      monitorWithKey: (key) => this.monitorWithKey(key),
    })
  }

  /** The number of the next change. Numbers of rolled-back changes are not reused. */
  nextChange(): number {
    this.#lastChange++
    return this.#lastChange
  }

  get lastChange(): number {
    return this.#lastChange
  }

  /** Restores a resource of the previous process. */
  restore(resource: ManagedResource): void {
    const { kind, id } = resource
    if (kind === 'Monitor') return
    this.#held[kind].set(id, resource)
    this.#committed[kind].set(id, resource)
    this.#commits[kind].count++
    this.uses.noteWrite(kind, id, resource)
  }

  /** Replaces the envelope of a credential's value; the value and its version stay the same. */
  resealed({ id, change, sealed }: ResealedValue): void {
    for (const { Credential } of [this.#held, this.#committed]) {
      const held = Credential.get(id)
      if (held?.change === change && held.sealed !== null)
        Credential.set(id, { ...held, sealed: { ...held.sealed, value: sealed } })
    }
  }

  /** Where the keys of push monitors are known, once the engine is open. */
  findKeysIn(keys: KeysInForce): void {
    this.#keyOwners.findIn(keys)
  }

  monitorWithKey(key: string): string | null {
    return this.#keyOwners.ownerOf(key)
  }

  filesChanged(files: FromFiles): void {
    this.#files = files
  }

  get fileHead(): FleetHead {
    return this.#files.head
  }

  /** As last committed. */
  find<Kind extends HeldKind>(kind: Kind, id: string): Held<Kind> | undefined {
    return this.#committed[kind].get(id) as Held<Kind> | undefined
  }

  /** Including those being committed. */
  allCredentials(): Iterable<ManagedResource> {
    return this.#all('Credential')
  }

  /** Changes whenever anything of the kind is committed. */
  commitsOf(kind: HeldKind): number {
    return this.#commits[kind].count
  }

  /** As last committed. */
  allCommitted<Kind extends HeldKind>(kind: Kind): Iterable<Held<Kind>> {
    return this.#committed[kind].values() as Iterable<Held<Kind>>
  }

  /** Whether v2 has it, or is about to create or delete it: then no file may define it. */
  isManaged(kind: ManagedKind, id: string): boolean {
    if (this.#held[kind].has(id) || this.#committed[kind].has(id)) return true
    const row = kind === 'Monitor' ? this.#fleet.rowOf(id) : -1
    return row !== -1 && sharedValue(this.#fleet.definition.sources, row) === null
  }

  /** Whether the id is taken, by a file or through v2. */
  has(kind: ManagedKind, id: string): boolean {
    const held = this.#held[kind].get(id)
    if (held !== undefined) return held !== null
    return kind === 'Monitor' ? this.#fleet.rowOf(id) !== -1 : this.#isInHead(kind, id)
  }

  someIds(kind: ManagedKind): string[] {
    const ids = this.#all(kind).map(({ id }) => id)
    return [...ids.take(mostIds), ...this.#idsInFiles(kind)].slice(0, mostIds)
  }

  isFromFile(kind: ManagedKind, id: string): boolean {
    if (kind !== 'Monitor') return this.#isInHead(kind, id)
    return !this.#held.Monitor.has(id) && this.fileOf(id) !== null
  }

  /** The file that defines a monitor; null if v2 created it or there is none. */
  fileOf(monitorId: string): string | null {
    const row = this.#fleet.rowOf(monitorId)
    return row === -1 ? null : sharedValue(this.#fleet.definition.sources, row)
  }

  put(resource: ManagedResource): void {
    this.#change(resource.kind, resource.id, resource.change, resource)
  }

  /** `change`: the number of the change that deletes it. */
  remove(kind: ManagedKind, id: string, change: number): void {
    this.#change(kind, id, change, null)
  }

  /** To be called when the change is on disk and is being applied to the fleet. */
  committed(change: number): PendingWrite {
    const write = this.pending.end(change)
    const { kind, id, after } = write
    const held = this.#held[kind].get(id)
    this.#commits[kind].count++
    if (kind === 'Monitor') {
      // A later change of the same monitor may still be uncommitted.
      if (held === after) {
        this.#held.Monitor.delete(id)
        this.#keyOwners.noteWrite(id, null)
      }
    } else if (after === null) this.#committed[kind].delete(id)
    // The same version may have got a new envelope meanwhile.
    else this.#committed[kind].set(id, held?.change === after.change ? held : after)
    return write
  }

  /** Rolls back changes that could not be stored. */
  takeBack(changes: Iterable<number>): void {
    this.pending.takeBack(changes)
  }

  /** Runs the writes of a turn, and rolls all of them back if one throws. */
  whole<Result>(write: () => Result): Result {
    const before = this.#lastChange
    try {
      return write()
    } catch (error) {
      this.takeBack(this.pending.since(before))
      throw error
    }
  }

  readonly credentialValue = (id: string): string | null => {
    const credential = this.#held.Credential.get(id)
    return credential == null ? null : this.#reveal(credential)
  }

  /** Null without external jobs: then nothing that uses one can be written. */
  jobType(id: string): JobTypeInForce | null {
    const held = this.allowsJobTypes ? (this.#held.JobType.get(id) as Held<'JobType'> | undefined) : undefined
    if (held === undefined) return null
    const known = this.#jobTypes.get(held)
    if (known !== undefined) return known
    const { jobType } = compileJobType(id, held.spec, this.#builtInNames)
    if (jobType !== null) this.#jobTypes.set(held, jobType)
    return jobType
  }

  pageAtHost(host: string, than: string): string | null {
    for (const [id, page] of this.#statusPages()) if (page.host === host && id !== than) return id
    return null
  }

  componentsOf(page: string): readonly string[] | null {
    for (const [id, { groups }] of this.#statusPages())
      if (id === page) return groups.flatMap(({ components }) => components.map((component) => component.id))
    return null
  }

  /** Of files and v2, uncommitted ones too: with their hosts and components. */
  *#statusPages(): Generator<[string, PageOutline]> {
    for (const [id, { host, groups }] of this.#files.head.statusPages)
      if (!this.#held.StatusPage.has(id)) yield [id, { host, groups }]
    for (const { id, spec } of this.#all('StatusPage') as Iterable<Held<'StatusPage'>>)
      yield [id, { host: spec.host ?? null, groups: spec.groups }]
  }

  /** Every page with a host of its own: its id by the host. */
  hostsOfPages(): Map<string, string> {
    const pages = [...this.#statusPages()]
    return new Map(pages.flatMap(([id, { host }]) => (host === null ? [] : [[host, id]])))
  }

  parentsOf(id: string): readonly string[] {
    const pending = this.#held.Monitor.get(id) as Held<'Monitor'> | null | undefined
    if (pending !== undefined) return pending?.spec.dependsOn ?? []
    const row = this.#fleet.rowOf(id)
    return row === -1 ? [] : sharedValue(this.#fleet.definition.dependencies, row)
  }

  /** Whether anything refers to it, so that it must stay. */
  isReferenced(kind: ManagedKind, id: string): boolean {
    return !this.usersOf(kind, id).next().done
  }

  /** What refers to it, as sentences name it. */
  *usersOf(kind: ManagedKind, id: string): Generator<string> {
    const key = keyText([v2.kindNumber(kind), id])
    for (const user of v2.resourceKinds) {
      if (!(v2.kinds[user].refersTo as readonly string[]).includes(kind)) continue
      for (const { spec, id: own } of this.#all(user))
        if (referencesOf(kindOf(user), spec, this.drivers).some((reference) => keyText(reference) === key))
          yield userOf(user, own)
    }
    yield* kindOf(kind).usersIn({ fleet: this.#fleet, files: this.#files.head }, id)
  }

  /** Where notifications go, from files and through v2. */
  head(): FleetHead {
    return v2.resourceKinds.reduce((head, kind) => this.#withOwn(head, kind), this.#files.head)
  }

  /** The values of all credentials, by their names in the fleet. */
  credentials(): Credentials {
    const { credentials: inFiles } = this.#files
    const own = this.#committed.Credential
    if (own.size === 0) return inFiles
    const reveal = this.#reveal
    const all = function* (): Generator<readonly [string, string]> {
      yield* inFiles
      for (const credential of own.values()) yield [credentialName(credential.id), reveal(credential) ?? '']
    }
    return PackedMap.of(all(), inFiles.size + own.size)
  }

  #withOwn(head: FleetHead, kind: ManagedKind): FleetHead {
    const part = kindOf(kind).head
    if (part === null) return head
    const entries = entriesOf(head, part.name)
    for (const resource of this.#committed[kind].values())
      entries.set(resource.id, part.toFleet(resource.spec, resource, this.drivers))
    return withEntries(head, part.name, entries)
  }

  /** Of monitors, those of the whole fleet. */
  *#idsInFiles(kind: ManagedKind): Generator<string> {
    const part = kindOf(kind).head
    if (part !== null) yield* entriesOf(this.#files.head, part.name).keys()
    if (kind !== 'Monitor') return
    const { rows, present } = this.#fleet
    for (let row = 0; row < Math.min(mostIds, rows); row++)
      if (present[row] === 1) yield this.#fleet.idOf(row)
  }

  #isInHead(kind: ManagedKind, id: string): boolean {
    const part = kindOf(kind).head
    return part !== null && hasEntry(this.#files.head, part.name, id)
  }

  /** Includes uncommitted changes; of monitors, only those. */
  #all(kind: ManagedKind): IteratorObject<ManagedResource> {
    return this.#held[kind].values().filter((resource) => resource !== null)
  }

  #change(kind: ManagedKind, id: string, change: number, after: ManagedResource | null): void {
    const map = this.#held[kind]
    const before = map.get(id)
    const takeBack = () => {
      if (before === undefined) map.delete(id)
      else map.set(id, before)
      this.#noteWrite(kind, id, before ?? null)
    }
    this.pending.begin(change, { kind, id, after, takeBack })
    if (after === null && kind !== 'Monitor') map.delete(id)
    else map.set(id, after)
    this.#noteWrite(kind, id, after)
  }

  #noteWrite(kind: ManagedKind, id: string, written: ManagedResource | null): void {
    this.uses.noteWrite(kind, id, written)
    if (kind === 'Monitor') this.#keyOwners.noteWrite(id, written)
  }
}
