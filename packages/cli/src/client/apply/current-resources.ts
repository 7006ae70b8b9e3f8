// client/apply/current-resources.ts: reads what the service currently has of the resources in files. A few are read one
// by one, several in parallel. Many are looked up in pages of their kind, as long as pages cost less than single reads;
// those not found by then are read one by one. So a window of documents costs at most twice the better of the two ways,
// however much the service has. A collection of several windows reads the pages once per window.
import { NotFoundError, type Response } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { inParallel } from '../in-parallel.ts'
import { findKind, type Kind } from '../kinds.ts'
import { pagesOf } from '../pages.ts'
import type { Session } from '../session.ts'
import { readAgain } from '../try-again.ts'
import type { SizedItem } from './collection.ts'

/** A full page costs the service and the command as much as this many single reads. */
const readsPerPage = 25
const readsAtOnce = 16
/** The size of a window: documents held in memory together with their current versions. */
const documentsAtOnce = 10_000

export interface Compared {
  readonly item: v2.ApplyItem
  /** Null if the service has none or was not asked. */
  readonly current: v2.Resource | null
}

/** Yields all items in order, those that `isAsked` selects with their current version. */
export async function* besideCurrent(
  session: Session,
  items: AsyncIterable<SizedItem>,
  isAsked: (item: v2.ApplyItem) => boolean = () => true,
): AsyncGenerator<Compared, void, undefined> {
  const reader = new CurrentReader(session)
  let held: v2.ApplyItem[] = []
  async function* compared() {
    const found = await reader.read(held.filter(isAsked))
    for (const item of held) yield { item, current: found.get(item.id) ?? null }
    held = []
  }
  for await (const { item } of items) {
    held.push(item)
    if (held.length === documentsAtOnce) yield* compared()
  }
  yield* compared()
}

/** Null if the service has no such resource. */
export async function currentOf(
  { client, signal }: Session,
  kind: Pick<Kind, 'get'>,
  id: string,
): Promise<Response<object> | null> {
  try {
    return await readAgain(signal, () => kind.get(client, id, { signal }))
  } catch (error) {
    if (error instanceof NotFoundError && error.code === 'notFound') return null
    throw error
  }
}

/** The item id for each resource id. */
type Wanted = Map<string, string>
type Found = Map<string, v2.Resource>

class CurrentReader {
  readonly #session: Session
  /** Kinds with too many resources to page through. */
  readonly #long = new Set<Kind>()

  constructor(session: Session) {
    this.#session = session
  }

  async read(items: readonly v2.ApplyItem[]): Promise<Found> {
    const found: Found = new Map()
    for (const [name, ofKind] of Map.groupBy(items, ({ resource }) => resource.kind)) {
      const kind = findKind(name)
      const wanted: Wanted = new Map(ofKind.map(({ id, resource }) => [resource.metadata.id, id]))
      if (!(await this.#lookThrough(kind, wanted, found))) await this.#readSingly(kind, wanted, found)
    }
    return found
  }

  /** Removes what it finds from `wanted`. Returns whether nothing is left to look for. */
  async #lookThrough(kind: Kind, wanted: Wanted, found: Found): Promise<boolean> {
    const { client, signal } = this.#session
    let pagesLeft = this.#long.has(kind) ? 0 : Math.floor(wanted.size / readsPerPage)
    if (pagesLeft === 0) return false
    const every = { limit: v2.limits.listLimit }
    for await (const { items, nextCursor } of pagesOf(kind.list!(client), every, { signal })) {
      for (const resource of items as v2.Resource[]) {
        const id = wanted.get(resource.metadata.id)
        if (id === undefined) continue
        found.set(id, resource)
        wanted.delete(resource.metadata.id)
      }
      if (nextCursor === undefined || wanted.size === 0) return true
      if (--pagesLeft === 0) break
    }
    this.#long.add(kind)
    return false
  }

  #readSingly(kind: Kind, wanted: Wanted, found: Found): Promise<void> {
    return inParallel(wanted, readsAtOnce, async ([id, item]) => {
      const current = await currentOf(this.#session, kind, id)
      if (current !== null) found.set(item, current.data as v2.Resource)
    })
  }
}
