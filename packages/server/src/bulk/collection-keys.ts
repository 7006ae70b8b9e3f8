// bulk/collection-keys.ts: whose the push keys of a collection are: of a monitor that comes before it in the
// collection, or of one in force that the collection does not write. Keys of the collection are kept as digests.
import { v2 } from '@pulseward/contract'
import { keyReferences } from '../kinds/push-keys.ts'
import { KeyTable, keyDigest } from '../platform/key-table.ts'
import type { StagedItem, StagedOperation } from '../store/staging.ts'
import type { AroundWork } from './work.ts'

export interface CollectionKeysOptions {
  readonly file: Pick<StagedOperation, 'uploaded' | 'itemsFrom' | 'ordinalOf'>
  readonly around: Pick<AroundWork, 'keyOwners'>
}

const monitorKind = v2.kindNumber('Monitor')

export class CollectionKeys {
  readonly #options: CollectionKeysOptions
  /** By ordinal. */
  readonly #keys = new KeyTable()
  #hasKeys = false

  constructor(options: CollectionKeysOptions) {
    this.#options = options
  }

  /** The owners of the keys of these items, as far as they have one before them. Each item is asked about once. */
  async ownersOf(
    items: readonly StagedItem[],
    specs: readonly unknown[],
    credentialValue: (id: string) => string | null,
  ): Promise<ReadonlyMap<string, string>> {
    const owners = new Map<string, string>()
    const rest = new Set<string>()
    for (const [index, item] of items.entries())
      for (const { key, isPrevious } of keysOf(item, specs[index], credentialValue)) {
        const owner = this.#add(key, item.ordinal, isPrevious)
        if (owner === null) rest.add(key)
        else owners.set(key, owner)
      }
    if (rest.size === 0) return owners
    const { file, around } = this.#options
    const inForce = await around.keyOwners([...rest])
    for (const [index, key] of [...rest].entries()) {
      const owner = inForce[index] ?? null
      // A monitor of the collection is judged with the keys that it will have.
      if (owner !== null && file.ordinalOf(monitorKind, owner) === -1) owners.set(key, owner)
    }
    return owners
  }

  /** The id of the monitor that has it already. */
  #add(key: string, ordinal: number, isPrevious: boolean): string | null {
    const { file } = this.#options
    if (!this.#hasKeys) this.#keys.growFor(file.uploaded)
    this.#hasKeys = true
    const owner = this.#keys.add(keyDigest(key), ordinal, isPrevious)
    return owner === null ? null : (file.itemsFrom(owner, 1)[0]?.id ?? null)
  }
}

interface KeyOfItem {
  readonly key: string
  readonly isPrevious: boolean
}

function keysOf(
  { kind, hasReferences }: StagedItem,
  spec: unknown,
  credentialValue: (id: string) => string | null,
): KeyOfItem[] {
  if (kind !== monitorKind || hasReferences === 0) return []
  return keyReferences((spec as v2.Monitor['spec']).check.driver).flatMap(({ field, credentialId }) => {
    const key = credentialValue(credentialId)
    return key === null ? [] : [{ key, isPrevious: field === 'previous_key' }]
  })
}
