// managing/adopt.ts: moves a fleet from files to v2: everything in the files becomes managed through v2, with the same
// ids, numbers, states and history. It happens before the engine starts, in separate commits, each of which leaves a
// fleet that can run: what is adopted is in the store, the rest is still in the files, and the next start continues.
// Nothing is written before everything has been validated.

import { v2 } from '@pulseward/contract'
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { FieldError } from '../config/shape/explain.ts'
import { arrange } from '../fleet/arrangement.ts'
import { Fingerprints } from '../fleet/fingerprints.ts'
import { headOf } from '../fleet/fleet-change.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import { type FileResource, fileMonitor, takenOver } from '../kinds/file-resources.ts'
import {
  asMonitor,
  asStored,
  compareContent,
  fromStored,
  type ManagedResource,
} from '../kinds/managed-resource.ts'
import { monitorDocument } from '../kinds/monitor-document.ts'
import type { Surroundings } from '../kinds/surroundings.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { RowIndex } from '../platform/row-index.ts'
import { UsageError } from '../platform/usage-error.ts'
import { emptyBatch } from '../store/record-types.ts'
import { emptyEvent, type Recovered, type Store, type StoredIdentity } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Vault } from '../vault/vault.ts'
import type { Registry } from './registry.ts'

export interface AdoptOptions {
  readonly loaded: LoadedArrangement
  readonly registry: Registry
  readonly vault: Pick<Vault, 'prepare' | 'seal'>
  readonly store: Pick<Store, 'commit'>
  readonly recovered: Recovered
  readonly validator: ResourceValidator
  readonly newUid: () => string
  readonly now: () => number
  readonly log: Log
}

/** How many resources became managed through v2. */
export interface Adopted {
  readonly monitors: number
  readonly others: number
}

/** The actor in its events: no principal asked for it. */
const actor = 'serve --adopt'
const atOnce = 1_000
const mostErrors = 5

/** Throws a UsageError if something cannot be adopted; then nothing was. Throws a StoreError if it cannot be stored. */
export async function adoptFleet(options: AdoptOptions): Promise<Adopted> {
  const adoption = new Adoption(options)
  await adoption.recallManaged()
  adoption.requireRight()
  return { others: await adoption.adoptOthers(), monitors: await adoption.adoptMonitors() }
}

/** What is left of the files when they are adopted: nothing. */
export function withoutAdopted(loaded: LoadedArrangement): LoadedArrangement {
  const nothing = new DefinitionBuilder().finish({})
  return { ...loaded, arrangement: arrange(nothing, null), credentials: new Map() }
}

class Adoption {
  readonly #options: AdoptOptions
  readonly #definition: FleetDefinition
  readonly #ids: PackedReader
  readonly #index: RowIndex
  readonly #fingerprints: Fingerprints
  /** Rows of monitors that v2 already has, and those left out because v2 has another one. */
  readonly #isManaged: Uint8Array
  #clashes: string[] = []

  constructor(options: AdoptOptions) {
    const { definition, rowTable } = options.loaded.arrangement
    this.#options = options
    this.#definition = definition
    this.#ids = new PackedReader(definition.ids)
    this.#index = new RowIndex(rowTable)
    this.#fingerprints = new Fingerprints(definition)
    this.#isManaged = new Uint8Array(definition.count)
  }

  /** Finds what v2 has under the same ids: adopted by an interrupted start, or created through v2. */
  async recallManaged(): Promise<void> {
    const { recovered } = this.#options
    for await (const chunk of recovered.monitors) {
      for (const stored of chunk) {
        const row = this.#rowOf(stored.id)
        if (row === -1) continue
        this.#isManaged[row] = 1
        if (!isSame(fromStored(stored), this.#fileMonitor(row))) this.#clashes.push(`monitor ${stored.id}`)
      }
    }
  }

  requireRight(): void {
    const errors = [...this.#credentialClashes(), ...this.#mistakes()]
    if (errors.length === 0) return
    const shown = errors.slice(0, mostErrors).join(' ')
    const others = errors.length - mostErrors
    const more = others > 0 ? ` Mistakes that are not shown: ${others}.` : ''
    throw new UsageError(`The fleet cannot be adopted, and nothing was changed. ${shown}${more}`)
  }

  /** Credentials first, then what refers to them. */
  async adoptOthers(): Promise<number> {
    const { loaded, registry, vault } = this.#options
    const secrets = [...loaded.credentials].filter(([id]) => !registry.has('Credential', id))
    if (secrets.length > 0) await vault.prepare()
    const resources = secrets.map(([id, value]): ManagedResource => {
      const credential = this.#made({ kind: 'Credential', id, name: null, labels: {}, spec: {} })
      const { change } = credential
      return { ...credential, sealed: { value: vault.seal(id, String(change), value), change } }
    })
    for (const file of this.#ofHead()) resources.push(...this.#taken(file))
    this.#reportClashes()
    for (let from = 0; from < resources.length; from += atOnce)
      await this.#commit(resources.slice(from, from + atOnce), [])
    return resources.length
  }

  /** Monitors that were in the fleet before keep their numbers and, if unchanged since, their state. */
  async adoptMonitors(): Promise<number> {
    const { recovered } = this.#options
    let count = 0
    for await (const chunk of recovered.identities) {
      const known = chunk.filter(({ monitorId }) => this.#isLeft(this.#rowOf(monitorId)))
      count += await this.#adoptKnown(known)
    }
    let number = recovered.highestNumericId
    for (let row = 0; row < this.#definition.count; ) {
      const fresh: StoredIdentity[] = []
      for (; row < this.#definition.count && fresh.length < atOnce; row++)
        if (this.#isLeft(row))
          fresh.push({ ...newIdentity, monitorId: this.#ids.get(row), numericId: ++number })
      count += await this.#adoptKnown(fresh)
    }
    return count
  }

  async #adoptKnown(identities: readonly StoredIdentity[]): Promise<number> {
    for (let from = 0; from < identities.length; from += atOnce) {
      const some = identities.slice(from, from + atOnce)
      const monitors = some.map(({ monitorId }) => this.#made(this.#fileMonitor(this.#rowOf(monitorId))))
      await this.#commit(monitors, this.#withFingerprints(some, monitors))
      for (const { monitorId } of some) this.#isManaged[this.#rowOf(monitorId)] = 1
    }
    return identities.length
  }

  /**
   * The next start compares configurations by their text, and the same configuration has another text in the store. What
   * was equal to the file is made equal to the store; what the file changed since stays different, and is noticed.
   */
  #withFingerprints(
    identities: readonly StoredIdentity[],
    monitors: readonly ManagedResource[],
  ): StoredIdentity[] {
    const { drivers } = this.#options.registry
    const builder = new DefinitionBuilder()
    for (const monitor of monitors)
      builder.add(monitorDocument(asMonitor(fromStored(asStored(monitor))), drivers), null)
    const inStore = new Fingerprints(builder.finish({}))
    return identities.map((identity, index) => {
      const before = this.#fingerprints.of(this.#rowOf(identity.monitorId))
      const after = inStore.of(index)
      const isNew = identity.fingerprint === ''
      return {
        ...identity,
        fingerprint: isNew || identity.fingerprint === before.whole ? after.whole : identity.fingerprint,
        checkFingerprint:
          isNew || identity.checkFingerprint === before.check ? after.check : identity.checkFingerprint,
      }
    })
  }

  async #commit(resources: readonly ManagedResource[], identities: readonly StoredIdentity[]): Promise<void> {
    if (resources.length === 0) return
    const { store, now } = this.#options
    const events = resources.map(({ kind, id, uid }, index) => ({
      ...emptyEvent,
      monitorId: kind === 'Monitor' ? id : null,
      numericId: identities[index]?.numericId ?? null,
      revision: identities[index]?.revision ?? null,
      at: now(),
      type: 'resource_created',
      actor,
      resource: { kind, id, uid },
    }))
    await store.commit({ ...emptyBatch, resources: resources.map(asStored), identities, events })
  }

  #made({ kind, id, name, labels, spec }: Omit<FileResource, 'uid' | 'digest'>): ManagedResource {
    const { registry, newUid, now } = this.#options
    const at = now()
    return {
      kind,
      id,
      uid: newUid(),
      change: registry.nextChange(),
      generation: 1,
      name,
      labels,
      spec,
      createdAt: at,
      updatedAt: at,
      sealed: null,
    }
  }

  /** Empty if v2 has one under this id. */
  #taken(file: FileResource): ManagedResource[] {
    const { registry } = this.#options
    if (file.kind === 'Monitor') return []
    const known = registry.find(file.kind, file.id)
    if (known === undefined) return [this.#made(file)]
    if (!isSame(known, file)) this.#clashes.push(`${file.kind} ${file.id}`)
    return []
  }

  #reportClashes(): void {
    for (const what of this.#clashes.splice(0))
      this.#options.log.error(`v2 has another ${what}; the one of the fleet files was left out`)
  }

  *#credentialClashes(): Generator<string> {
    const { loaded, registry } = this.#options
    for (const [id, value] of loaded.credentials) {
      if (registry.has('Credential', id) && registry.credentialValue(id) !== value)
        yield `v2 has another value for the credential ${id}; give it another name in the fleet file.`
    }
  }

  *#mistakes(): Generator<string> {
    const { validator } = this.#options
    const around = this.#surroundings()
    const say = (what: string, errors: readonly FieldError[]) =>
      errors.map(({ field, message }) => `${what}: ${field}: ${message}`)
    for (const { kind, id, name, spec } of this.#ofHead())
      yield* say(
        `${v2.kinds[kind].names[0]} ${id}`,
        validator.errors(kind, { metadata: { id, ...(name === null ? {} : { name }) }, spec }, around, true),
      )
    for (let row = 0; row < this.#definition.count; row++) {
      if (!this.#isLeft(row)) continue
      const { id, name, labels, spec } = this.#fileMonitor(row)
      const metadata = { id, labels: { ...labels }, ...(name === null ? {} : { name }) }
      yield* say(`monitor ${id}`, validator.errors('Monitor', { metadata, spec }, around, true))
    }
  }

  /** Everything in the files and in v2. The files are known to have no dependency cycle. */
  #surroundings(): Surroundings {
    const { loaded, registry } = this.#options
    const inHead = new Set(this.#ofHead().map(({ kind, id }) => `${kind} ${id}`))
    return {
      drivers: registry.drivers,
      allowsLocalDrivers: registry.allowsLocalDrivers,
      allowsJobTypes: registry.allowsJobTypes,
      jobType: (id) => registry.jobType(id),
      has: (kind, id) =>
        (kind === 'Monitor' && this.#rowOf(id) !== -1) ||
        (kind === 'Credential' && loaded.credentials.has(id)) ||
        inHead.has(`${kind} ${id}`) ||
        (kind !== 'Monitor' && registry.has(kind, id)),
      // The files have been validated: nothing that they name is missing.
      someIds: () => [],
      credentialValue: (id) => loaded.credentials.get(id) ?? registry.credentialValue(id),
      monitorWithKey: (key) => registry.monitorWithKey(key),
      pageAtHost: (host, than) => registry.pageAtHost(host, than),
      // The files have been validated: what their badges name is there.
      componentsOf: () => null,
      parentsOf: () => [],
    }
  }

  /** The files' resources besides monitors and credentials, referenced ones first. */
  #ofHead(): FileResource[] {
    const isFree = (route: FileResource) => {
      const known = this.#options.registry.find('Route', route.id)
      return known === undefined || isSame(known, route)
    }
    return takenOver(headOf(this.#definition), isFree).map(({ resource }) => resource)
  }

  #fileMonitor(row: number): FileResource {
    return fileMonitor(this.#definition, row, '')
  }

  #isLeft(row: number): boolean {
    return row !== -1 && this.#isManaged[row] === 0
  }

  #rowOf(id: string): number {
    return this.#index.find(id, this.#ids)
  }
}

/** The fingerprints are computed from its configuration. */
const newIdentity = { revision: 1, fingerprint: '', checkFingerprint: '', removedAt: null }

function isSame(known: ManagedResource, file: FileResource): boolean {
  return compareContent(known, file).isSame
}
