// managing/resource-desk.ts: where resources are written through v2. A write is a turn of the engine: it is judged on
// what earlier turns have written, committed before it has an effect, put into the fleet when it is committed, and only
// then answered. Writes of one resource go one after the other, so a version that was compared stays what it was.
import { compileJobType } from '../resources/job-type.ts'
import type { Json } from '../resources/json.ts'
import { mergePatch } from '../resources/merge-patch.ts'
import type { Store } from '../store/store.ts'
import { type Vault, VaultUnavailable } from '../vault/vault.ts'
import { vaultTrouble } from './credential-vault.ts'
import type { FieldError } from './field-error.ts'
import { versionProblem, withVersion } from './job-type-versions.ts'
import type { KeyedLock } from './keyed-lock.ts'
import {
  compareContent,
  fromStored,
  type ManagedKind,
  type ManagedResource,
  type SpecOf,
} from './managed-resource.ts'
import type { Judgement } from './resource-use.ts'
import { contentOf, errorsOf, type Sent, secretIn, shown } from './sent-resource.ts'
import { builtInNames, type ResourceValidator } from './validate-resource.ts'
import {
  type Author,
  ResourceTurn,
  type ResourceTurnOptions,
  WriteRefusal,
  type Written,
} from './write-turn.ts'

export interface ResourceDeskOptions extends ResourceTurnOptions {
  readonly store: Pick<Store, 'readResource'>
  readonly vault: Pick<Vault, 'prepare' | 'seal' | 'trouble'>
  readonly validator: ResourceValidator
  readonly newUid: () => string
  /** Held while a resource is written; shared with everything else that writes resources. */
  readonly lock: KeyedLock
}

const mostUsersNamed = 5

export class ResourceDesk {
  readonly #options: ResourceDeskOptions
  readonly #turn: ResourceTurn

  constructor(options: ResourceDeskOptions) {
    this.#options = options
    this.#turn = new ResourceTurn(options)
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
      return this.#turn.write(by, (turn) => {
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
          ...versionsWith(kind, [], sent),
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
      return this.#turn.write(by, () => {
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
        return await this.#turn.write(by, () => ({ before, after: before, outcome: 'unchanged' }))
      const value = isSameValue ? null : secretIn(kind, sent)
      using judgement = sameSpec && value === null ? null : await this.#judgeUsers(kind, sent, value)
      return await this.#turn.write(by, (turn) => {
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

  async #exclusively(kind: ManagedKind, id: string, work: () => Promise<Written>): Promise<Written> {
    using _ = await this.#options.lock.take(`${kind} ${id}`)
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

  /** What would become of everything that takes the value of a credential, or that a job type carries out. */
  async #judgeUsers(kind: ManagedKind, sent: Sent, value: string | null): Promise<Judgement | null> {
    const { registry } = this.#options
    const { id } = sent.metadata
    if (value !== null) return await registry.uses.judgeValue(id, value)
    if (kind !== 'JobType') return null
    const { jobType } = compileJobType(id, jobTypeSpec(sent), builtInNames(registry.drivers))
    return jobType === null ? null : await registry.uses.judgeJobType(jobType)
  }

  #keepVersion({ kind, versions = [] }: ManagedResource, sent: Sent): void {
    const problem = kind === 'JobType' ? versionProblem(versions, jobTypeSpec(sent)) : null
    if (problem === null) return
    const field = '/spec/version'
    throw new WriteRefusal('jobTypeImmutable', `${field} ${problem}.`, [
      { field, reason: 'notAllowed', message: problem },
    ])
  }

  /** ofUsers: what would be wrong with those that use it. */
  #judge(kind: ManagedKind, sent: Sent, isNew: boolean, ofUsers: readonly FieldError[] = []): void {
    const { registry, validator } = this.#options
    const errors = [...errorsOf(validator, registry, kind, sent, isNew), ...ofUsers]
    if (errors.length > 0)
      throw new WriteRefusal('invalidResource', `The ${kind} ${sent.metadata.id} is not valid.`, errors)
  }

  /** The end of a sentence: some of those that refer to it, where that is known. */
  #usersOf(kind: ManagedKind, id: string): string {
    if (kind !== 'Credential' && kind !== 'JobType') return ''
    const users = [...this.#options.registry.uses.allUsersOf({ kind, id }).take(mostUsersNamed + 1)]
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
    // The log names the file; a client is told what is wrong with it.
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

/** The shape has been checked. */
function jobTypeSpec({ spec }: Sent): SpecOf['JobType'] {
  return spec as unknown as SpecOf['JobType']
}

function versionsWith(
  kind: ManagedKind,
  versions: ManagedResource['versions'],
  sent: Sent,
): Pick<ManagedResource, 'versions'> {
  return kind === 'JobType' ? { versions: withVersion(versions ?? [], jobTypeSpec(sent)) } : {}
}
