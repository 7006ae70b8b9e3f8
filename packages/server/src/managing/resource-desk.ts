// managing/resource-desk.ts: where resources are written through v2. A write is a turn of the engine: it is judged on
// what earlier turns have written, committed before it has an effect, put into the fleet when it is committed, and only
// then answered. Writes of one resource go one after the other, so a version that was compared stays what it was.
import type { v2 } from '@pulseward/contract'
import type { Engine, Write, WriteTurn } from '../engine/engine.ts'
import { canonicalJson } from '../resources/canonical-json.ts'
import { changedFields, type ResourceContent } from '../resources/changed-fields.ts'
import { isJsonObject, type Json } from '../resources/json.ts'
import { mergePatch } from '../resources/merge-patch.ts'
import type { DriverSchemas } from '../resources/redact-config.ts'
import type { StoredOperation } from '../store/resource.ts'
import { emptyEvent, type Store } from '../store/store.ts'
import { type Vault, VaultUnavailable } from '../vault/vault.ts'
import type { CommittedWrites } from './committed-writes.ts'
import { vaultTrouble } from './credential-vault.ts'
import type { KeyedLock } from './keyed-lock.ts'
import {
  asStored,
  type Content,
  compareContent,
  fromStored,
  type ManagedKind,
  type ManagedResource,
} from './managed-resource.ts'
import type { Registry } from './registry.ts'
import type { FieldError, ResourceValidator } from './validate-resource.ts'

/** Why a write was not made; nothing of it is there. */
export class WriteRefusal extends Error {
  readonly code: RefusalCode
  readonly errors: readonly FieldError[]
  constructor(code: RefusalCode, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.name = 'WriteRefusal'
    this.code = code
    this.errors = errors
  }
}

export type RefusalCode =
  | 'notFound'
  | 'versionConflict'
  | 'managedByFile'
  | 'resourceReferenced'
  | 'invalidResource'
  | 'unavailable'

/** Who writes, and under which operation. */
export interface Author {
  readonly principal: string
  readonly operation: number
}

/** A resource as it was sent; its shape is right. */
export interface Sent {
  readonly metadata: Pick<v2.Metadata, 'id' | 'name' | 'labels'>
  readonly spec: Json
}

export interface Written {
  readonly resource: ManagedResource
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted'
}

export interface ResourceDeskOptions {
  readonly engine: Pick<Engine, 'write'>
  readonly registry: Registry
  readonly store: Pick<Store, 'readResource'>
  readonly vault: Pick<Vault, 'prepare' | 'seal' | 'trouble'>
  readonly validator: ResourceValidator
  readonly schemas: DriverSchemas
  readonly newUid: () => string
  readonly versionOf: (change: number) => string
  /** Held while a resource is written; shared with everything else that writes resources. */
  readonly lock: KeyedLock
  /** Shared in the same way. */
  readonly committed: CommittedWrites
}

/** The parts of a write that differ from kind to kind have been put together: this one is made. */
interface Planned {
  readonly before: ManagedResource | null
  readonly after: ManagedResource | null
  readonly outcome: Written['outcome']
}

const mostUsersNamed = 5

export class ResourceDesk {
  readonly #options: ResourceDeskOptions
  readonly #lock: KeyedLock

  constructor(options: ResourceDeskOptions) {
    this.#options = options
    this.#lock = options.lock
  }

  /** The last committed version; undefined when there is none. */
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
        if (registry.exists(kind, id))
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
        }
        return { before: null, after, outcome: 'created' }
      })
    })
  }

  replace(kind: ManagedKind, sent: Sent, version: number | null, by: Author): Promise<Written> {
    return this.#edit(kind, sent.metadata.id, version, by, () => sent)
  }

  /** JSON merge patch of the resource as it is shown; `sentOf` checks the shape of what comes out. */
  patch(
    kind: ManagedKind,
    id: string,
    patch: Json,
    version: number | null,
    by: Author,
    sentOf: (patched: Json) => Sent,
  ): Promise<Written> {
    return this.#edit(kind, id, version, by, (before) => sentOf(mergePatch(shown(before), patch)))
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
      using judgement = value === null ? null : await this.#options.registry.uses.judge(id, value)
      return await this.#write(by, (turn) => {
        this.#judge(kind, sent, false, judgement?.errors())
        const change = this.#options.registry.nextChange()
        const after: ManagedResource = {
          ...before,
          ...content,
          change,
          generation: before.generation + (sameSpec && isSameValue ? 0 : 1),
          updatedAt: turn.now,
          sealed: isSameValue ? this.#sealedNow(before) : this.#seal(kind, sent, change),
        }
        return { before, after, outcome: 'updated' }
      })
    })
  }

  async #exclusively(kind: ManagedKind, id: string, work: () => Promise<Written>): Promise<Written> {
    using _ = await this.#lock.take(`${kind} ${id}`)
    return await work()
  }

  /** The resource in the version that the client has seen. */
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

  /** ofUsers: what would be wrong with those that take its value. */
  #judge(kind: ManagedKind, sent: Sent, isNew: boolean, ofUsers: readonly FieldError[] = []): void {
    const { registry, validator } = this.#options
    const errors = [...errorsOf(validator, registry, kind, sent, isNew), ...ofUsers]
    if (errors.length > 0)
      throw new WriteRefusal('invalidResource', `The ${kind} ${sent.metadata.id} is not valid.`, errors)
  }

  /** The end of a sentence: some of those that refer to it, where that is known. */
  #usersOf(kind: ManagedKind, id: string): string {
    if (kind !== 'Credential') return ''
    const users = [...this.#options.registry.uses.allUsersOf(id).take(mostUsersNamed + 1)]
    const named = users.slice(0, mostUsersNamed).join(', ')
    return users.length > mostUsersNamed ? `: ${named} and others` : `: ${named}`
  }

  /** One turn of its own. What cannot be stored now is taken back whole. */
  async #write(by: Author, plan: (turn: WriteTurn) => Planned): Promise<Written> {
    const { engine, registry, committed } = this.#options
    let planned: Planned | null = null
    const isStored = await engine.write((turn) => {
      const made = plan(turn)
      planned = made
      this.#keep(turn, made, by)
      const { kind, id } = resourceOf(made)
      if (made.outcome !== 'unchanged')
        turn.afterCommit(() => committed.note({ kind, id, after: made.after }))
    })
    committed.apply()
    if (!isStored || planned === null) {
      // Without a plan it was not begun, and what others have begun may still be stored.
      if (planned !== null) registry.takeBack()
      throw new WriteRefusal('unavailable', 'The change could not be stored, and nothing of it was made.')
    }
    const { outcome }: Planned = planned
    return { resource: resourceOf(planned), outcome }
  }

  /** A write that changes nothing leaves its operation, and neither a version nor an event. */
  #keep(turn: WriteTurn, planned: Planned, by: Author): void {
    const { versionOf } = this.#options
    const { before, after, outcome } = planned
    const { kind, id } = resourceOf(planned)
    const operation: StoredOperation = {
      id: by.operation,
      at: turn.now,
      principal: by.principal,
      state: 'completed',
      write: {
        verb: outcome,
        kind,
        id,
        oldVersion: before === null ? null : versionOf(before.change),
        newVersion: after === null ? null : versionOf(after.change),
      },
      outcome,
      reason: null,
    }
    const change = outcome === 'unchanged' ? null : this.#change(turn, planned, by)
    turn.keep({ operation, change })
  }

  /** What is written, and what is told of it. */
  #change(turn: WriteTurn, planned: Planned, by: Author): Write['change'] {
    const { registry } = this.#options
    const { before, after, outcome } = planned
    const { kind, id, uid } = resourceOf(planned)
    const change = after?.change ?? registry.nextChange()
    if (after === null) registry.remove(kind, id)
    else registry.put(after)
    const changes = this.#changesOf(before, after)
    return {
      resource: after === null ? { change, kind, id, deleted: true } : asStored(after),
      event: {
        ...emptyEvent,
        monitorId: kind === 'Monitor' ? id : null,
        at: turn.now,
        type: `resource_${outcome}`,
        actor: by.principal,
        resource: { kind, id, uid },
        ...(changes.length === 0 ? {} : { changes }),
      },
    }
  }

  #changesOf(before: ManagedResource | null, after: ManagedResource | null) {
    if (before === null || after === null) return []
    return changedFields(asContent(before), asContent(after), this.#options.schemas)
  }

  async #prepareValue(kind: ManagedKind, sent: Sent): Promise<void> {
    if (secretIn(kind, sent) === null) return
    try {
      await this.#options.vault.prepare()
    } catch (error) {
      if (!(error instanceof VaultUnavailable)) throw error
      // The log names the file; a client is told what is wrong with it.
      const why = vaultTrouble(this.#options.vault) ?? 'the key file of credentials cannot be made'
      throw new WriteRefusal('unavailable', `The value cannot be stored: ${why}.`)
    }
  }

  #seal(kind: ManagedKind, sent: Sent, change: number): ManagedResource['sealed'] {
    const value = secretIn(kind, sent)
    if (value === null) return null
    return { value: this.#options.vault.seal(sent.metadata.id, String(change), value), change }
  }

  /** It may have been rewrapped since it was read. */
  #sealedNow(before: ManagedResource): ManagedResource['sealed'] {
    if (before.kind !== 'Credential') return null
    return this.#options.registry.find('Credential', before.id)?.sealed ?? before.sealed
  }

  /** An update without a value keeps the one that is there, and so does one with the same. */
  #isSameValue(before: ManagedResource, sent: Sent): boolean {
    const value = secretIn(before.kind, sent)
    return value === null || this.#options.registry.credentialValue(before.id) === value
  }
}

/** As it is after the write, or as it was when it is gone. */
function resourceOf({ before, after }: Planned): ManagedResource {
  const resource = after ?? before
  if (resource === null) throw new Error('a write without a resource')
  return resource
}

function errorsOf(
  validator: ResourceValidator,
  registry: Registry,
  kind: ManagedKind,
  sent: Sent,
  isNew: boolean,
): FieldError[] {
  // The schema of the contract has been checked, so each kind has the spec that it says.
  const resource = sent as never
  switch (kind) {
    case 'Monitor':
      return validator.monitor(resource, registry)
    case 'NotificationEndpoint':
      return validator.endpoint(resource, registry)
    case 'NotificationGroup':
      return validator.group(resource, registry)
    case 'Credential':
      return validator.credential(resource, isNew)
  }
}

/**
 * Without the value of a credential, which is kept apart. With its keys in the order that the store has them in: the next
 * process must not take the same configuration for a changed one.
 */
function contentOf(kind: ManagedKind, { metadata, spec }: Sent): Content {
  const { name, labels } = metadata
  const kept = kind === 'Credential' && isJsonObject(spec) ? withoutValue(spec) : spec
  return { name: name ?? null, labels: labels ?? {}, spec: JSON.parse(canonicalJson(kept)) }
}

function withoutValue({ value: _, ...rest }: { readonly [key: string]: Json }): Json {
  return rest
}

function secretIn(kind: ManagedKind, { spec }: Sent): string | null {
  const value = kind === 'Credential' && isJsonObject(spec) ? spec['value'] : undefined
  return typeof value === 'string' ? value : null
}

/** In place of a credential's value stands which change set it: another one is told of, and both stay hidden. */
function asContent({ kind, name, labels, spec, sealed }: ManagedResource): ResourceContent {
  const shown = sealed === null ? spec : { ...(spec as object), value: String(sealed.change) }
  return { kind, name: name ?? undefined, labels, spec: shown as Json }
}

/** What a merge patch is laid over: all that a client can write. */
function shown({ kind, id, name, labels, spec }: ManagedResource): Json {
  const metadata = {
    id,
    ...(name === null ? {} : { name }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  }
  return { apiVersion: 'pulseward/v2', kind, metadata, spec: spec as Json }
}
