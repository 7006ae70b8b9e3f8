// bulk/current-resources.ts: resources as they were last committed, for comparing with what was uploaded. From the files of
// the store, beside its thread; or from a store in memory.

import type { ResourceKey } from '../kinds/kind.ts'
import { kindNamed } from '../kinds/kind-table.ts'
import { hasMoreInStore, partsOfStored } from '../kinds/managed-resource.ts'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import type { ReadResource, ResourceReader } from '../store/sqlite/resource-reader.ts'
import type { Store } from '../store/store.ts'

export interface CurrentResource {
  readonly change: number
  readonly uid: string
  readonly generation: number
  readonly createdAt: number
  readonly name: string | null
  /** Canonical JSON, as is the spec. */
  readonly labels: string
  readonly spec: string
}

export interface CurrentResources {
  /** All of them at one position. */
  read(keys: readonly ResourceKey[]): Promise<readonly (CurrentResource | null)[]>
}

export class CurrentInFiles implements CurrentResources {
  readonly #reader: ResourceReader

  constructor(reader: ResourceReader) {
    this.#reader = reader
  }

  async read(keys: readonly ResourceKey[]): Promise<readonly (CurrentResource | null)[]> {
    const reader = this.#reader
    return reader.together(() =>
      keys.map(([kind, id]) => {
        const found = reader.read(kind, id)
        return found === null ? null : currentOf(kind, found)
      }),
    )
  }
}

function currentOf(kind: number, { change, labels, body }: ReadResource): CurrentResource {
  const headEnd = body.indexOf('\n')
  const [uid, generation, createdAt, , name] = JSON.parse(body.slice(0, headEnd))
  return { change, uid, generation, createdAt, name, labels, spec: specOf(kind, body.slice(headEnd + 1)) }
}

export class CurrentInMemory implements CurrentResources {
  readonly #store: Pick<Store, 'readResource'>

  constructor(store: Pick<Store, 'readResource'>) {
    this.#store = store
  }

  read(keys: readonly ResourceKey[]): Promise<readonly (CurrentResource | null)[]> {
    return Promise.all(
      keys.map(async ([kind, id]) => {
        const found = await this.#store.readResource(kindNamed(kind), id)
        if (found === null) return null
        const { change, uid, generation, createdAt, name, labels, spec } = found
        return {
          change,
          uid,
          generation,
          createdAt,
          name,
          labels: canonicalJson(labels),
          spec: specOf(kind, spec),
        }
      }),
    )
  }
}

/** Without what the store keeps beside what people wrote. */
function specOf(kind: number, spec: string): string {
  const name = kindNamed(kind)
  return hasMoreInStore(name) ? canonicalJson(partsOfStored(name, JSON.parse(spec)).own) : spec
}

/** Labels of a store may have another order: numbers come first in objects. */
export function sameText(one: string, other: string): boolean {
  return one === other || canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other))
}
