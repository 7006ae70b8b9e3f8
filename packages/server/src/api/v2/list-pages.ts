// api/v2/list-pages.ts: what all v2 lists share besides their rows: the position that all pages read, the
// cursor to the next page, and the time.
import type { v2 } from '@pulseward/contract'
import type { Principal } from '../../access/principals-format.ts'
import type { Clock } from '../../platform/clock.ts'
import { timestamp } from '../../platform/wire.ts'
import type { CursorUse, ListCursors } from './list-cursor.ts'
import type { ListParameters } from './list-parameters.ts'

export interface ListPagesOptions {
  readonly cursors: ListCursors
  /** The epoch of the store; each restore begins a new one. */
  readonly epoch: string
  readonly clock: Clock
}

/** The page that a caller asks for. */
export interface AskedPage {
  readonly principal: Principal
  readonly query: ListParameters
}

export interface PageBody<Item> {
  items: Item[]
  nextCursor?: string
  snapshot?: string
  generatedAt: string
}

export class ListPages {
  readonly #options: ListPagesOptions

  constructor(options: ListPagesOptions) {
    this.#options = options
  }

  /**
   * The requested page of a list that is now at this position. Refuses a cursor that the list did not issue.
   * `within`: the id of the resource that the list belongs to.
   */
  open(
    operation: v2.OperationName,
    { principal, query }: AskedPage,
    position: number,
    within?: string,
  ): OpenPage {
    const { cursor, limit, selector, monitorID, state } = query
    const use = {
      principal: principal.digest,
      operation,
      limit,
      selector,
      monitorID,
      state,
      ...(within === undefined ? {} : { within }),
    }
    const now = { epoch: this.#options.epoch, position }
    const place = cursor === null ? null : this.#options.cursors.read(cursor, use, now)
    return new OpenPage(this.#options, use, place?.position ?? position, place?.after ?? null)
  }
}

export class OpenPage {
  /** Later commits are not in the list. */
  readonly upTo: number
  /** The key of the last row of the previous page; null for the first page. */
  readonly after: string | null
  readonly #options: ListPagesOptions
  readonly #use: CursorUse

  constructor(options: ListPagesOptions, use: CursorUse, upTo: number, after: string | null) {
    this.upTo = upTo
    this.after = after
    this.#options = options
    this.#use = use
  }

  get limit(): number {
    return this.#use.limit
  }

  /** Where the previous page ended, for a list with numeric keys. */
  get afterNumber(): number | null {
    return this.after === null ? null : Number(this.after)
  }

  /** `last` is the key of the last row; null if no page follows. */
  body<Item>(items: Item[], last: string | null): PageBody<Item> {
    const { cursors, epoch, clock } = this.#options
    const next = last === null ? null : cursors.write({ epoch, position: this.upTo, after: last }, this.#use)
    return {
      items,
      ...(next === null ? {} : { nextCursor: next }),
      snapshot: `${epoch}.${this.upTo}`,
      generatedAt: timestamp(clock.wallMs()),
    }
  }

  /** For a list that is in memory as a whole; its order must not change. */
  bodyOf<Item>(all: readonly Item[], keyOf: (item: Item) => string): PageBody<Item> {
    const before = this.after === null ? 0 : all.findIndex((item) => keyOf(item) === this.after) + 1
    const items = all.slice(before, before + this.limit)
    const last = items.at(-1)
    const isMore = before + items.length < all.length
    return this.body(items, isMore && last !== undefined ? keyOf(last) : null)
  }
}
