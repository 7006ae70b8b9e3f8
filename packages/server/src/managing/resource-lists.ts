// managing/resource-lists.ts: pages of resources in id order, and single ones. Resources created through v2 come from the
// store, where all pages of a list show one committed position, however much is written meanwhile. Those of fleet files
// are merged in as they are now: a reload neither repeats nor skips what it does not change.
import type { v2 } from '@pulseward/contract'
import type { Fleet } from '../fleet/fleet.ts'
import { type FileResource, fileMonitor, fileResources } from '../kinds/file-resources.ts'
import type { ManagedKind } from '../kinds/kind.ts'
import { fromStored, type ManagedResource } from '../kinds/managed-resource.ts'
import { matchesSelector } from '../store/selector.ts'
import type { Store } from '../store/store.ts'
import type { Registry } from './registry.ts'

export type AnyResource = ManagedResource | FileResource

export interface ListQuery {
  /** As of this change. */
  readonly upToChange: number
  /** Exclusive; null for the first page. */
  readonly after: string | null
  readonly limit: number
  readonly selector: v2.Selector
}

export interface ListedPage {
  readonly resources: readonly AnyResource[]
  readonly more: boolean
}

/** The state of the first page is no longer kept, or cannot be read now. */
export type NoPage = 'expired' | 'unavailable'

export interface ResourceListsOptions {
  readonly store: Store
  readonly registry: Registry
  readonly fleet: Fleet
  /** Rows of monitors from files in id order; null if they cannot be read now. */
  readonly monitorsOfFiles: (
    after: string | null,
    size: number,
    labels: readonly number[] | null,
  ) => Promise<Uint32Array | null>
}

export class ResourceLists {
  readonly #options: ResourceListsOptions

  constructor(options: ResourceListsOptions) {
    this.#options = options
  }

  /** As last committed, or as its file has it now; null if there is none. */
  async find(kind: ManagedKind, id: string): Promise<AnyResource | null> {
    const { store, registry, fleet } = this.#options
    if (registry.isFromFile(kind, id)) {
      if (kind !== 'Monitor') return this.#fromHead(kind).find((resource) => resource.id === id) ?? null
      return fileMonitor(fleet.definition, fleet.rowOf(id), store.identity.id)
    }
    if (kind !== 'Monitor') return registry.find(kind, id) ?? null
    const stored = await store.readResource(kind, id)
    return stored === null ? null : fromStored(stored)
  }

  async page(kind: ManagedKind, query: ListQuery): Promise<ListedPage | NoPage> {
    const { upToChange, after, limit, selector } = query
    const [own, ofFiles] = await Promise.all([
      this.#options.store.listResources({
        kind,
        upToChange,
        afterId: after,
        limit,
        selector: selector.length === 0 ? null : selector,
      }),
      this.#ofFiles(kind, query),
    ])
    if (own === 'expired') return 'expired'
    if (ofFiles === null) return 'unavailable'
    // A resource that was deleted since the first page and is now in a file is listed as it was.
    const listed = new Set(own.resources.map(({ id }) => id))
    const others = ofFiles.filter(({ id }) => !listed.has(id))
    const all = inOrder([...own.resources.map(fromStored), ...others])
    return { resources: all.slice(0, limit), more: own.more || all.length > limit }
  }

  /** One more than the page has, to tell whether there are more; null if they cannot be read now. */
  async #ofFiles(kind: ManagedKind, { after, limit, selector }: ListQuery): Promise<FileResource[] | null> {
    const { fleet, store, monitorsOfFiles } = this.#options
    if (kind !== 'Monitor')
      return this.#fromHead(kind)
        .filter(
          ({ id, labels }) =>
            (after === null || compareIds(id, after) > 0) && matchesSelector(labels, selector),
        )
        .slice(0, limit + 1)
    if (!fleet.someHas('sources', (source) => source !== null)) return []
    const { labels } = fleet.definition
    const numbers = labels.values.flatMap((value, number) =>
      matchesSelector(value, selector) ? [number] : [],
    )
    const rows = await monitorsOfFiles(after, limit + 1, selector.length === 0 ? null : numbers)
    if (rows === null) return null
    return Array.from(rows)
      .filter((row) => fleet.has(row))
      .map((row) => fileMonitor(fleet.definition, row, store.identity.id))
  }

  #fromHead(kind: ManagedKind): FileResource[] {
    const { registry, store } = this.#options
    return inOrder(fileResources(kind, registry.fileHead, store.identity.id))
  }
}

function inOrder<Resource extends { readonly id: string }>(resources: Resource[]): Resource[] {
  return resources.sort((one, other) => compareIds(one.id, other.id))
}

/** Ids are ASCII, so comparing code units compares bytes. */
function compareIds(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
