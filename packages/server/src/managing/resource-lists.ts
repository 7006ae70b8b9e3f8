// managing/resource-lists.ts: pages of resources in the order of their ids, and single ones. All pages of a list show one
// committed position, however much is written meanwhile: what was created through v2 comes from the store, which keeps
// its recent past. Monitors, endpoints and groups of fleet files stand among them.
import type { v2 } from '@pulseward/contract'
import type { SelectorClause } from '../store/selector.ts'
import type { Store } from '../store/store.ts'
import { fromStored, type ManagedKind, type ManagedResource } from './managed-resource.ts'

export interface ListQuery {
  /** As of this change. */
  readonly upToChange: number
  /** Exclusive; null for the first page. */
  readonly after: string | null
  readonly limit: number
  readonly selector: v2.Selector
}

export interface ListedPage {
  readonly resources: readonly ManagedResource[]
  readonly more: boolean
}

/** The store's own words for a clause. */
function asStored(clause: v2.SelectorClause): SelectorClause {
  switch (clause.is) {
    case 'present':
      return { key: clause.key, op: 'exists', values: [] }
    case 'absent':
      return { key: clause.key, op: 'absent', values: [] }
    case 'in':
      return { key: clause.key, op: 'in', values: clause.values }
    case 'notIn':
      return { key: clause.key, op: 'notin', values: clause.values }
  }
}

export class ResourceLists {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** `expired` when what the list showed at its first page is not kept any more. */
  async page(
    kind: ManagedKind,
    { upToChange, after, limit, selector }: ListQuery,
  ): Promise<ListedPage | 'expired'> {
    const page = await this.#store.listResources({
      kind,
      upToChange,
      afterId: after,
      limit,
      selector: selector.length === 0 ? null : selector.map(asStored),
    })
    if (page === 'expired') return page
    return { resources: page.resources.map(fromStored), more: page.more }
  }
}
