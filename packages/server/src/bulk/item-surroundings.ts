// bulk/item-surroundings.ts: some items of a collection, each judged as a single write would be, except that what it names may
// also be in the collection. Circles are looked for elsewhere, in the whole collection.
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
  /** A value that was sent, or null where it is kept as it is. */
  readonly uploaded: Map<string, { readonly value: string | null } | 'unreadable'>
  readonly present: Map<string, string | null>
}

/** What is there for some items: in the collection, or already. Circles are looked for in the whole collection. */
export class ItemSurroundings implements Surroundings {
  readonly drivers: Surroundings['drivers']
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  readonly #staged: ReadonlyMap<string, StagedItem | null>
  readonly #there: ReadonlySet<string>
  readonly #values: CredentialValues
  readonly #jobTypes: ReadonlyMap<string, JobTypeInForce>

  constructor({
    drivers,
    allowsLocalDrivers,
    allowsJobTypes,
    staged,
    there,
    values,
    jobTypes,
  }: {
    drivers: Surroundings['drivers']
    allowsLocalDrivers: boolean
    allowsJobTypes: boolean
    staged: ReadonlyMap<string, StagedItem | null>
    there: ReadonlySet<string>
    values: CredentialValues
    /** Those that the items name, as they will be when the collection is applied. */
    jobTypes: ReadonlyMap<string, JobTypeInForce>
  }) {
    this.drivers = drivers
    this.allowsLocalDrivers = allowsLocalDrivers
    this.#staged = staged
    this.#there = there
    this.#values = values
    this.allowsJobTypes = allowsJobTypes
    this.#jobTypes = jobTypes
  }

  has(kind: ManagedKind, id: string): boolean {
    const text = keyText([v2.kindNumber(kind), id])
    return this.#staged.has(text) || this.#there.has(text)
  }

  jobType(id: string): JobTypeInForce | null {
    return this.#jobTypes.get(id) ?? null
  }

  readonly credentialValue = (id: string): string | null => {
    const sent = this.uploaded(id)
    if (sent === 'unreadable') return null
    return sent?.value ?? this.#values.present.get(id) ?? null
  }

  /** What was sent for a credential of the collection; undefined for any other. */
  uploaded(id: string): { readonly value: string | null } | 'unreadable' | undefined {
    return this.#values.uploaded.get(id)
  }

  /** Whether a credential of the collection has the value that is there. */
  keepsValue(id: string): boolean {
    const sent = this.uploaded(id)
    if (sent === undefined || sent === 'unreadable') return false
    return sent.value === null || sent.value === this.#values.present.get(id)
  }

  /** The value that a credential of the collection gets; null for one that keeps its own. */
  newValue(id: string): string | null {
    const sent = this.uploaded(id)
    if (sent === undefined || sent === 'unreadable' || this.keepsValue(id)) return null
    return sent.value
  }

  parentsOf(): readonly string[] {
    return []
  }
}

/** Everything that is wrong with an item, as of a single write. */
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
  // Shapes were checked when it was uploaded. A secret was sealed apart.
  const whole = secret === null || sent?.value == null ? spec : { ...(spec as object), [secret]: sent.value }
  return validator.errors(kind, { metadata, spec: whole }, around, isNew)
}

const unreadable: FieldError = {
  field: '/spec/value',
  reason: 'rule',
  message: 'was sealed with a key that is gone; upload it again in another operation',
}

/** What a file has is not written here. */
export function fromFile({ kind }: StagedItem): FieldError {
  return {
    field: '/metadata/id',
    reason: 'notAllowed',
    message: `is a ${kindNamed(kind)} of a fleet file; change it there`,
  }
}
