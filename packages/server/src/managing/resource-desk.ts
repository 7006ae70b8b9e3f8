// managing/resource-desk.ts: where resources are written through v2. A write is a turn of the engine: it is validated
// against what earlier turns have written, committed before it has an effect, put into the fleet when it is committed,
// and only then answered. Writes of one resource are serialized, so a version that was compared stays current.

import type { FieldError } from '../config/shape/explain.ts'
import type { WriteTurn } from '../engine/engine-turn.ts'
import { changedFields, type FieldChange, type ResourceContent } from '../kinds/changed-fields.ts'
import { builtInNames, compileJobType } from '../kinds/job-type-in-force.ts'
import { versionProblem, withVersion } from '../kinds/job-type-versions.ts'
import type { ManagedKind, Sent, SpecOf } from '../kinds/kind.ts'
import { kindOf } from '../kinds/kind-table.ts'
import {
  asStored,
  compareContent,
  contentOf,
  fromStored,
  type ManagedResource,
  secretIn,
  written,
} from '../kinds/managed-resource.ts'
import type { DriverSchemas } from '../kinds/redact-config.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import type { Json } from '../platform/json/json.ts'
import { mergePatch } from '../platform/json/merge-patch.ts'
import type { StoredOperation } from '../store/resource.ts'
import type { Store } from '../store/store.ts'
import { vaultTrouble } from '../vault/credential-vault.ts'
import { type Vault, VaultUnavailable } from '../vault/vault.ts'
import type { KeyedLock } from './keyed-lock.ts'
import type { Registry } from './registry.ts'
import type { Judgement } from './resource-use.ts'
import { TurnWrites } from './turn-writes.ts'
import type { WritePath } from './write-path.ts'
import { WriteRefusal } from './write-refusal.ts'

export interface ResourceDeskOptions {
  readonly registry: Registry
  readonly store: Pick<Store, 'readResource'>
  readonly vault: Pick<Vault, 'prepare' | 'seal' | 'trouble'>
  readonly validator: ResourceValidator
  readonly schemas: DriverSchemas
  readonly newUid: () => string
  readonly versionOf: (change: number) => string
  /** Held while a resource is written; shared with everything else that writes resources. */
  readonly lock: KeyedLock
  readonly path: WritePath
}

/** The caller, and the operation that records the write. */
export interface Author {
  readonly principal: string
  readonly operation: number
}

export interface Written {
  readonly resource: ManagedResource
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted'
}

/** A write that was validated. */
interface Planned {
  readonly before: ManagedResource | null
  readonly after: ManagedResource | null
  readonly outcome: Written['outcome']
}

const mostUsersNamed = 5

export class ResourceDesk {
  readonly #options: ResourceDeskOptions

  constructor(options: ResourceDeskOptions) {
    this.#options = options
  }

  /** The last committed version; undefined if there is none. */
  async find(kind: ManagedKind, id: string): Promise<ManagedResource | undefined> {
    if (kind !== 'Monitor') return this.#options.registry.find(kind, id)
    const stored = await this.#options.store.readResource(kind, id)
    return stored === null ? undefined : fromStored(stored)
  }

  create(kind: ManagedKind, sent: Sent, by: Author): Promise<Written> {
    const { id } = sent.metadata
    return this.#exclusively(kind, id, async () => {
      await this.#prepareValue(kind, sent)
      return this.#write(by, (turn) => {
        const { registry, newUid } = this.#options
        if (registry.has(kind, id))
          throw new WriteRefusal('versionConflict', `There is a ${kind} ${id} already.`)
        this.#judge(kind, sent, true)
        const change = registry.nextChange()
        const after: ManagedResource = {
          kind,
          id,
          uid: newUid(),
          change,
          generation: 1,
          ...contentOf(kind, sent),
          createdAt: turn.now,
          updatedAt: turn.now,
          sealed: this.#seal(kind, sent, change),
          ...versionsWith(kind, [], sent),
        }
        return { before: null, after, outcome: 'created' }
      })
    })
  }

  replace(kind: ManagedKind, sent: Sent, version: number | null, by: Author): Promise<Written> {
    return this.#edit(kind, sent.metadata.id, version, by, () => sent)
  }

  /** JSON merge patch of the resource as it is shown; `sentOf` checks the shape of the result. */
  patch(
    kind: ManagedKind,
    id: string,
    patch: Json,
    version: number | null,
    by: Author,
    sentOf: (patched: Json) => Sent,
  ): Promise<Written> {
    return this.#edit(kind, id, version, by, (before) =>
      sentOf(mergePatch(written(before) as unknown as Json, patch)),
    )
  }

  remove(kind: ManagedKind, id: string, version: number | null, by: Author): Promise<Written> {
    return this.#exclusively(kind, id, async () => {
      const before = await this.#expect(kind, id, version)
      return this.#write(by, () => {
        const { registry } = this.#options
        if (registry.isReferenced(kind, id))
          throw new WriteRefusal(
            'resourceReferenced',
            `Something still refers to the ${kind} ${id}${this.#usersOf(kind, id)}.`,
          )
        return { before, after: null, outcome: 'deleted' }
      })
    })
  }

  #edit(
    kind: ManagedKind,
    id: string,
    version: number | null,
    by: Author,
    sentOf: (before: ManagedResource) => Sent,
  ): Promise<Written> {
    return this.#exclusively(kind, id, async () => {
      const before = await this.#expect(kind, id, version)
      const sent = sentOf(before)
      await this.#prepareValue(kind, sent)
      const isSameValue = this.#isSameValue(before, sent)
      const content = contentOf(kind, sent)
      const { isSame, sameSpec } = compareContent(before, content)
      if (isSame && isSameValue)
        return await this.#write(by, () => ({ before, after: before, outcome: 'unchanged' }))
      const value = isSameValue ? null : secretIn(kind, sent)
      using judgement = sameSpec && value === null ? null : await this.#judgeUsers(kind, sent, value)
      return await this.#write(by, (turn) => {
        this.#keepVersion(before, sent)
        this.#judge(kind, sent, false, judgement?.errors())
        const change = this.#options.registry.nextChange()
        const after: ManagedResource = {
          ...before,
          ...content,
          change,
          generation: before.generation + (sameSpec && isSameValue ? 0 : 1),
          updatedAt: turn.now,
          sealed: isSameValue ? this.#sealedNow(before) : this.#seal(kind, sent, change),
          ...versionsWith(kind, before.versions, sent),
        }
        return { before, after, outcome: 'updated' }
      })
    })
  }

  /** A turn with one write. */
  async #write(by: Author, plan: (turn: WriteTurn) => Planned): Promise<Written> {
    const { registry, path } = this.#options
    const made: { planned?: Planned } = {}
    const turnMs = await path.write((turn) => {
      const planned = plan(turn)
      const { before, after, outcome } = planned
      const writes = new TurnWrites(registry, { actor: by.principal, now: turn.now })
      if (after === null) writes.remove(resourceOf(planned))
      else if (outcome !== 'unchanged')
        writes.put(after, asStored(after), before === null, this.#changesOf(before, after))
      made.planned = planned
      return { writes, record: this.#record(planned, by, turn.now) }
    })
    if (turnMs === null || made.planned === undefined)
      throw new WriteRefusal('unavailable', 'The change could not be stored, and nothing of it was made.')
    return { resource: resourceOf(made.planned), outcome: made.planned.outcome }
  }

  /** A write that changes nothing also leaves a record, but neither a version nor an event. */
  #record(planned: Planned, by: Author, at: number): StoredOperation {
    const { before, after, outcome } = planned
    const { kind, id } = resourceOf(planned)
    const versionOf = (resource: ManagedResource | null) =>
      resource === null ? null : this.#options.versionOf(resource.change)
    return {
      id: by.operation,
      at,
      principal: by.principal,
      state: 'completed',
      write: { verb: outcome, kind, id, oldVersion: versionOf(before), newVersion: versionOf(after) },
      outcome,
      reason: null,
    }
  }

  #changesOf(before: ManagedResource | null, after: ManagedResource): readonly FieldChange[] {
    return before === null ? [] : changedFields(asContent(before), asContent(after), this.#options.schemas)
  }

  async #exclusively(kind: ManagedKind, id: string, work: () => Promise<Written>): Promise<Written> {
    using _ = await this.#options.lock.take(`${kind} ${id}`)
    return await work()
  }

  /** The resource, if it has the version that the client has seen. */
  async #expect(kind: ManagedKind, id: string, version: number | null): Promise<ManagedResource> {
    const { registry } = this.#options
    if (registry.isFromFile(kind, id)) {
      const file = kind === 'Monitor' ? registry.fileOf(id) : null
      throw new WriteRefusal(
        'managedByFile',
        `The ${kind} ${id} comes from ${file ? `the fleet file ${file}` : 'a fleet file'}; change it there.`,
      )
    }
    const before = await this.find(kind, id)
    if (before === undefined) throw new WriteRefusal('notFound', `There is no ${kind} ${id}.`)
    if (version !== before.change)
      throw new WriteRefusal('versionConflict', `The ${kind} ${id} was changed since it was read.`)
    return before
  }

  /** Validates everything that uses the value of a credential, or a job type, against the new one. */
  async #judgeUsers(kind: ManagedKind, sent: Sent, value: string | null): Promise<Judgement | null> {
    const { registry } = this.#options
    const { id } = sent.metadata
    if (value !== null) return await registry.uses.judgeValue(id, value)
    if (!kindOf(kind).keepsVersions) return null
    const { jobType } = compileJobType(id, jobTypeSpec(sent), builtInNames(registry.drivers))
    return jobType === null ? null : await registry.uses.judgeJobType(jobType)
  }

  #keepVersion({ kind, versions = [] }: ManagedResource, sent: Sent): void {
    const problem = kindOf(kind).keepsVersions ? versionProblem(versions, jobTypeSpec(sent)) : null
    if (problem === null) return
    const field = '/spec/version'
    throw new WriteRefusal('jobTypeImmutable', `${field} ${problem}.`, [
      { field, reason: 'notAllowed', message: problem },
    ])
  }

  /** ofUsers: what would be wrong with those that use it. */
  #judge(kind: ManagedKind, sent: Sent, isNew: boolean, ofUsers: readonly FieldError[] = []): void {
    const { registry, validator } = this.#options
    const errors = [...validator.errors(kind, sent, registry, isNew), ...ofUsers]
    if (errors.length > 0)
      throw new WriteRefusal('invalidResource', `The ${kind} ${sent.metadata.id} is not valid.`, errors)
  }

  /** The end of a sentence: some of its users. */
  #usersOf(kind: ManagedKind, id: string): string {
    const { registry } = this.#options
    // The users of these are known by name, whatever their number.
    const all =
      kind === 'Credential' || kind === 'JobType'
        ? registry.uses.allUsersOf({ kind, id })
        : registry.usersOf(kind, id)
    const users = [...all.take(mostUsersNamed + 1)]
    const named = users.slice(0, mostUsersNamed).join(', ')
    return users.length > mostUsersNamed ? `: ${named} and others` : `: ${named}`
  }

  async #prepareValue(kind: ManagedKind, sent: Sent): Promise<void> {
    if (secretIn(kind, sent) === null) return
    try {
      await this.#options.vault.prepare()
    } catch (error) {
      throw this.#asRefusal(error)
    }
  }

  /** The key file may have become unusable since the value was prepared. */
  #asRefusal(error: unknown): unknown {
    if (!(error instanceof VaultUnavailable)) return error
    // The log names the file; a client is only told what is wrong with it.
    const why = vaultTrouble(this.#options.vault) ?? 'the key file of credentials cannot be made'
    return new WriteRefusal('unavailable', `The value cannot be stored: ${why}.`)
  }

  #seal(kind: ManagedKind, sent: Sent, change: number): ManagedResource['sealed'] {
    const value = secretIn(kind, sent)
    if (value === null) return null
    try {
      return { value: this.#options.vault.seal(sent.metadata.id, String(change), value), change }
    } catch (error) {
      throw this.#asRefusal(error)
    }
  }

  /** The value may have been rewrapped since it was read. */
  #sealedNow(before: ManagedResource): ManagedResource['sealed'] {
    if (before.kind === 'Monitor') return null
    return this.#options.registry.find(before.kind, before.id)?.sealed ?? before.sealed
  }

  /** An update without a value, or with the same value, keeps the existing one. */
  #isSameValue(before: ManagedResource, sent: Sent): boolean {
    const value = secretIn(before.kind, sent)
    return value === null || this.#options.registry.credentialValue(before.id) === value
  }
}

/** The shape has been validated. */
function jobTypeSpec({ spec }: Sent): SpecOf['JobType'] {
  return spec as SpecOf['JobType']
}

function versionsWith(
  kind: ManagedKind,
  versions: ManagedResource['versions'],
  sent: Sent,
): Pick<ManagedResource, 'versions'> {
  return kindOf(kind).keepsVersions ? { versions: withVersion(versions ?? [], jobTypeSpec(sent)) } : {}
}

/** The resource after the write, or before it if it was deleted. */
function resourceOf({ before, after }: Planned): ManagedResource {
  const resource = after ?? before
  if (resource === null) throw new Error('a write without a resource')
  return resource
}

/** A secret is replaced by the change that set it: the event shows that it changed, and both values stay hidden. */
function asContent({ kind, name, labels, spec, sealed }: ManagedResource): ResourceContent {
  const { secret } = kindOf(kind)
  const shown =
    sealed === null || secret === null ? spec : { ...(spec as object), [secret]: String(sealed.change) }
  return { kind, name: name ?? undefined, labels, spec: shown as Json }
}
