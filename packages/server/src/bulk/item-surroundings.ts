// bulk/item-surroundings.ts: validates some items of a collection, each like a single write, except that what
// it names may also be in the collection. Cycles are detected elsewhere, in the whole collection.
import { v2 } from '@pulseward/contract'
import type { FieldError } from '../config/shape/explain.ts'
import type { JobTypeInForce } from '../kinds/job-type-in-force.ts'
import type { ManagedKind } from '../kinds/kind.ts'
import { kindNamed, kindOf } from '../kinds/kind-table.ts'
import { keyText } from '../kinds/references.ts'
import type { Surroundings } from '../kinds/surroundings.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import type { StagedItem } from '../store/staging.ts'

export interface CredentialValues {
  /** The value that was sent, or null if the existing value is kept. */
  readonly uploaded: Map<string, { readonly value: string | null } | 'unreadable'>
  readonly present: Map<string, string | null>
}

/** As it will be when the collection is applied. */
export function valueIn({ uploaded, present }: CredentialValues, id: string): string | null {
  const sent = uploaded.get(id)
  return sent === 'unreadable' ? null : (sent?.value ?? present.get(id) ?? null)
}

/** In a collection where everything is wrong, looking for the right names would take longer than all else. */
const mostHints = 50

/** What exists for some items: in the collection, or already. Cycles are detected in the whole collection. */
export class ItemSurroundings implements Surroundings {
  readonly drivers: Surroundings['drivers']
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  readonly #staged: ReadonlyMap<string, StagedItem | null>
  readonly #there: ReadonlySet<string>
  readonly #values: CredentialValues
  readonly #jobTypes: ReadonlyMap<string, JobTypeInForce>
  readonly #keyOwners: ReadonlyMap<string, string>
  readonly #hosts: ReadonlyMap<string, string>
  readonly #someIds: ReadonlyMap<ManagedKind, readonly string[]> | null
  #hints = 0

  constructor({
    drivers,
    allowsLocalDrivers,
    allowsJobTypes,
    staged,
    there,
    values,
    jobTypes,
    keyOwners,
    hosts,
    someIds,
  }: {
    drivers: Surroundings['drivers']
    allowsLocalDrivers: boolean
    allowsJobTypes: boolean
    staged: ReadonlyMap<string, StagedItem | null>
    there: ReadonlySet<string>
    values: CredentialValues
    /** The job types that the items name, as they will be when the collection is applied. */
    jobTypes: ReadonlyMap<string, JobTypeInForce>
    /** Whose the push keys of these items are, if they have one owner already. */
    keyOwners: ReadonlyMap<string, string>
    /** The status pages that claim the hosts of these items first. */
    hosts: ReadonlyMap<string, string>
    /** Of the kinds of which something is missing; null for no hints. */
    someIds: ReadonlyMap<ManagedKind, readonly string[]> | null
  }) {
    this.drivers = drivers
    this.allowsLocalDrivers = allowsLocalDrivers
    this.#staged = staged
    this.#there = there
    this.#values = values
    this.allowsJobTypes = allowsJobTypes
    this.#jobTypes = jobTypes
    this.#keyOwners = keyOwners
    this.#hosts = hosts
    this.#someIds = someIds
  }

  has(kind: ManagedKind, id: string): boolean {
    const text = keyText([v2.kindNumber(kind), id])
    return this.#staged.has(text) || this.#there.has(text)
  }

  someIds(kind: ManagedKind): readonly string[] | null {
    this.#hints++
    return this.#hints > mostHints ? null : (this.#someIds?.get(kind) ?? null)
  }

  jobType(id: string): JobTypeInForce | null {
    return this.#jobTypes.get(id) ?? null
  }

  readonly credentialValue = (id: string): string | null => valueIn(this.#values, id)

  /** What was sent for a credential of the collection; undefined for any other. */
  uploaded(id: string): { readonly value: string | null } | 'unreadable' | undefined {
    return this.#values.uploaded.get(id)
  }

  /** Whether a credential of the collection keeps its existing value. */
  keepsValue(id: string): boolean {
    const sent = this.uploaded(id)
    if (sent === undefined || sent === 'unreadable') return false
    return sent.value === null || sent.value === this.#values.present.get(id)
  }

  /** The new value of a credential of the collection; null if it keeps its own. */
  newValue(id: string): string | null {
    const sent = this.uploaded(id)
    if (sent === undefined || sent === 'unreadable' || this.keepsValue(id)) return null
    return sent.value
  }

  monitorWithKey(key: string): string | null {
    return this.#keyOwners.get(key) ?? null
  }

  pageAtHost(host: string, than: string): string | null {
    const owner = this.#hosts.get(host) ?? null
    return owner === than ? null : owner
  }

  /** Those of the collection are staged, so they are not looked up. */
  componentsOf(): null {
    return null
  }

  parentsOf(): readonly string[] {
    return []
  }
}

/** Everything that is wrong with an item, as for a single write. */
export function errorsOf(
  validator: ResourceValidator,
  { kind: number, id, name }: StagedItem,
  spec: unknown,
  around: ItemSurroundings,
  isNew: boolean,
): FieldError[] {
  const kind = kindNamed(number)
  const { secret } = kindOf(kind)
  const sent = secret === null ? null : around.uploaded(id)
  if (sent === 'unreadable' || sent === undefined) return [unreadable]
  const metadata = { id, ...(name === null ? {} : { name }) }
  // Shapes were validated at upload. A secret was sealed separately.
  const whole = secret === null || sent?.value == null ? spec : { ...(spec as object), [secret]: sent.value }
  return validator.errors(kind, { metadata, spec: whole }, around, isNew)
}

const unreadable: FieldError = {
  field: '/spec/value',
  reason: 'rule',
  message: 'was sealed with a key that is gone; upload it again in another operation',
}

/** A resource from a file is not written here. */
export function fromFile({ kind }: StagedItem): FieldError {
  return {
    field: '/metadata/id',
    reason: 'notAllowed',
    message: `is a ${kindNamed(kind)} of a fleet file; change it there`,
  }
}
