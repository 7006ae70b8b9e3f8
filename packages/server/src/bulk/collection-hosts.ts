// bulk/collection-hosts.ts: which status page of a collection claims a host first: one that comes before it in the
// collection, or one in force that the collection does not write.
import { v2 } from '@pulseward/contract'
import type { StagedItem, StagedOperation } from '../store/staging.ts'
import type { AroundWork } from './work.ts'

export interface CollectionHostsOptions {
  readonly file: Pick<StagedOperation, 'ordinalOf'>
  readonly around: Pick<AroundWork, 'hostsOfPages'>
}

const pageKind = v2.kindNumber('StatusPage')

export class CollectionHosts {
  readonly #options: CollectionHostsOptions
  /** The ids of pages, by their hosts. */
  #owners: Map<string, string> | null = null

  constructor(options: CollectionHostsOptions) {
    this.#options = options
  }

  /** Each item is asked about once, in the order of the collection. */
  async ownersFor(
    items: readonly StagedItem[],
    specs: readonly unknown[],
  ): Promise<ReadonlyMap<string, string>> {
    const pages = items.flatMap(({ kind, id }, index) => {
      const { host } = specs[index] as Partial<v2.StatusPage['spec']>
      return kind === pageKind && host !== undefined ? [{ id, host }] : []
    })
    if (pages.length === 0) return new Map()
    this.#owners ??= await this.#inForce()
    for (const { id, host } of pages) if (!this.#owners.has(host)) this.#owners.set(host, id)
    return this.#owners
  }

  async #inForce(): Promise<Map<string, string>> {
    const { file, around } = this.#options
    const hosts = await around.hostsOfPages()
    return new Map(hosts.filter(([, page]) => file.ordinalOf(pageKind, page) === -1))
  }
}
