// bulk/current-resources.ts: resources as last committed, for comparison with uploads.
import type { ResourceKey } from '../kinds/kind.ts'
import { kindNamed } from '../kinds/kind-table.ts'
import { hasMoreInStore, partsOfStored } from '../kinds/managed-resource.ts'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import type { ReadResource, ResourceReader } from '../store/resource-reader.ts'

/** Its spec is what people wrote. */
export type CurrentResource = ReadResource

export class CurrentResources {
  readonly #reader: ResourceReader

  constructor(reader: ResourceReader) {
    this.#reader = reader
  }

  /** All of them at one position. */
  async read(keys: readonly ResourceKey[]): Promise<readonly (CurrentResource | null)[]> {
    const found = await this.#reader.read(keys)
    return found.map((resource, index) =>
      resource === null ? null : { ...resource, spec: specOf(keys[index]![0], resource.spec) },
    )
  }
}

/** Without what the store keeps in addition to what people wrote. */
function specOf(kind: number, spec: string): string {
  const name = kindNamed(kind)
  return hasMoreInStore(name) ? canonicalJson(partsOfStored(name, JSON.parse(spec)).own) : spec
}

/** Labels of a store may be in another order: numeric keys come first in objects. */
export function sameText(one: string, other: string): boolean {
  return one === other || canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other))
}
