// projection/query/query-engine.ts: finds, counts and orders monitors over shared columns and packed names. It does no
// I/O and starts no thread: it runs in the thread that creates it, and a query takes milliseconds for a million monitors.
// Statuses may change while a query runs; each monitor is matched once, by the values of its columns at that moment.
import { grown } from '../../platform/column.ts'
import { ListOrder, type OrderSource } from './list-order.ts'
import { packMap } from './map-layout.ts'
import { NameSearch, type RowsFound } from './name-search.ts'
import type { AnswerTo, Filter, KnownOrder, Marked, PackedMap, Query, RowPage } from './query.ts'
import type { QueryColumns, QueryView } from './query-view.ts'
import { selectRange } from './select-range.ts'
import {
  fewRows,
  isRanked,
  keepMarked,
  numberIn,
  pageByNumber,
  pageByRank,
  rankAll,
  rankedColumn,
} from './sorted-page.ts'

type FindQuery = Extract<Query, { kind: 'find' }>

/** Built once per arrangement, and amended. */
interface NameIndex {
  readonly order: ListOrder
  readonly search: NameSearch
  /** Scratch space of a query: 1 for each kept row, its place in a sort by rank, and those rows in order. */
  kept: Uint8Array
  ranks: Uint8Array
  matches: Uint32Array
}

export class QueryEngine {
  #view: QueryView
  #index: NameIndex
  /** Created on first use: only v2 needs it. */
  #ofFiles: MonitorsOfFiles | null = null

  constructor(view: QueryView) {
    this.#view = view
    this.#index = indexNames(view)
  }

  /** Uses this view from now on. Costs in proportion to the amended rows; null means another fleet. */
  take(view: QueryView, amended: Uint32Array | null): void {
    if (view.arrangement !== this.#view.arrangement) {
      this.#index = indexNames(view)
      this.#ofFiles = null
    } else if (amended !== null) {
      amendIndex(this.#index, view, amended)
      this.#ofFiles?.amend(view, amended)
    }
    this.#view = view
  }

  get order(): KnownOrder {
    return { arrangement: this.#view.arrangement, order: this.#index.order.shared }
  }

  answer<Asked extends Query>(query: Asked): AnswerTo<Asked> {
    const found: object = { ...this.#answer(query), generation: this.#view.generation }
    return found as AnswerTo<Asked>
  }

  #answer(query: Query): RowPage | PackedMap {
    switch (query.kind) {
      case 'find':
        return this.#find(query)
      case 'incidents':
        return this.#incidents(query.page, query.size)
      case 'map':
        return packMap(this.#matching(query.filter), this.#view)
      case 'from-files':
        return this.#fromFiles(query.after, query.size, query.labels)
    }
  }

  #find(query: FindQuery): RowPage {
    const { filter, sort, page, size } = query
    const { by, isDescending } = sort
    if (isRanked(by)) return this.#pageByRank(query, rankedColumn(this.#view.columns, by))
    if (by !== 'name') {
      const value = numberIn(this.#view.columns, by)
      return pageByNumber(this.#matching(filter), value, isDescending, page, size)
    }
    if (isDescending) return pageOf(this.#matching(filter).toReversed(), page, size)
    if (filter.text !== '' && filtersNothing({ ...filter, text: '' })) {
      const found = this.#index.search.rowsWith(filter.text)
      if (found.count > fewRows) return this.#pageOfMany(found, page, size)
    }
    return pageOf(this.#matching(filter), page, size)
  }

  /** All matches are counted; only those up to the page have to be ordered. A row without a monitor has no name. */
  #pageOfMany({ marks, count }: RowsFound, page: number, size: number): RowPage {
    const { order } = this.#index
    const from = (page - 1) * size
    // For a page past the end, nothing has to be walked.
    if (from >= count) return { total: count, rows: new Uint32Array() }
    const rows = new Uint32Array(Math.min(size, count - from))
    let seen = 0
    order.forEachBlock((block) => {
      for (let place = 0; place < block.length && seen < from + rows.length; place++) {
        const row = block[place]!
        if (marks[row] === 0) continue
        if (seen >= from) rows[seen - from] = row
        seen++
      }
      return seen < from + rows.length ? 'more' : 'enough'
    })
    return { total: count, rows }
  }

  /** By a column of few values: only monitors of the values that the page shows are put in order. */
  #pageByRank({ filter, sort, ranks: rankOf, page, size }: FindQuery, column: Uint8Array): RowPage {
    const { order, search, kept, ranks } = this.#index
    const { isDescending } = sort
    if (filter.text !== '' && search.rowsWith(filter.text).count <= fewRows)
      return pageByNumber(this.#matching(filter), (row) => rankOf![column[row]!]!, isDescending, page, size)
    // The controller may have added monitors that are not in the order yet.
    order.mark(kept)
    if (filter.text !== '') keepMarked(kept, search.rowsWith(filter.text).marks)
    this.#keepWanted(filter)
    const counts = rankAll(ranks, { kept, column, rankOf: rankOf! })
    return pageByRank({ order, ranks, counts, isDescending }, page, size)
  }

  /** Every match, in list order; valid until the next query. */
  #matching(filter: Filter): Uint32Array {
    const { text } = filter
    const { order, search, kept, matches } = this.#index
    if (filtersNothing(filter)) return order.all()
    if (text === '') kept.fill(1)
    else {
      const { marks, count } = search.rowsWith(text)
      if (count <= fewRows) return this.#matchingAmong(marks, count, filter)
      kept.set(marks)
    }
    this.#keepWanted(filter)
    let count = 0
    order.forEachBlock((block) => {
      // Stored whether it matches or not, and overwritten if not: a branch would be mispredicted half of the time.
      for (let place = 0; place < block.length; place++) {
        const row = block[place]!
        matches[count] = row
        count += kept[row]!
      }
      return 'more'
    })
    return matches.subarray(0, count)
  }

  /** In row order, which is sequential in memory; list order would jump around. */
  #keepWanted(filter: Filter): void {
    const { columns } = this.#view
    const { kept } = this.#index
    for (const [column, wanted] of wantedIn(columns, filter))
      for (let row = 0; row < kept.length; row++) kept[row] = kept[row]! & (column[row] === wanted ? 1 : 0)
    if (filter.listed.length === 0) return
    const isListed = listedIn(this.#view, filter)
    for (let row = 0; row < kept.length; row++) if (kept[row] === 1 && !isListed(row)) kept[row] = 0
  }

  /** Sorting a few is faster than walking over a million. */
  #matchingAmong(marks: Uint8Array, count: number, filter: Filter): Uint32Array {
    const { columns, present } = this.#view
    const { order, matches } = this.#index
    const wanted = wantedIn(columns, filter)
    const isListed = listedIn(this.#view, filter)
    let kept = 0
    for (let row = marks.indexOf(1), left = count; left > 0; row = marks.indexOf(1, row + 1), left--) {
      if (present[row] === 0) continue
      if (wanted.every(([column, value]) => column[row] === value) && isListed(row)) matches[kept++] = row
    }
    return order.sort(matches.subarray(0, kept))
  }

  #fromFiles(after: string | null, size: number, labels: readonly number[] | null): RowPage {
    const { labels: labelsOf } = this.#view
    this.#ofFiles ??= new MonitorsOfFiles(this.#view)
    const wanted = labels === null ? null : new Set(labels)
    const rows: number[] = []
    this.#ofFiles.order.visitAfter(after, (row) => {
      if (wanted?.has(labelsOf[row]!) ?? true) rows.push(row)
      return rows.length === size ? 'enough' : 'more'
    })
    return { total: rows.length, rows: Uint32Array.from(rows) }
  }

  /** Open incidents, oldest first, then by id. */
  #incidents(page: number, size: number): RowPage {
    const { present, columns } = this.#view
    const rows = this.#index.matches
    // Read once: sorting needs times that do not change. Memory pages that stay untouched cost nothing.
    const openedAt = new Float64Array(rows.length)
    let total = 0
    for (let row = 0; row < present.length; row++) {
      const at = columns.openedAt[row]!
      if (present[row] === 0 || at === 0) continue
      openedAt[total] = at
      rows[total++] = row
    }
    const ids = new Uint32Array(total).map((_, position) => columns.numericId[rows[position]!]!)
    const positions = new Uint32Array(total).map((_, position) => position)
    const from = (page - 1) * size
    const shown = selectRange(
      positions,
      from,
      from + size,
      (left, right) => openedAt[left]! - openedAt[right]! || ids[left]! - ids[right]!,
    )
    return { total, rows: shown.map((position) => rows[position]!) }
  }
}

/** Only monitors from fleet files, by id: paging through them must not walk over a million managed by v2. */
class MonitorsOfFiles {
  readonly order: ListOrder
  #present: Uint8Array

  constructor(view: QueryView) {
    this.#present = Uint8Array.from(view.present, (_, row) => (isOfFile(view, row) ? 1 : 0))
    this.order = new ListOrder(this.#sourceOf(view))
  }

  amend(view: QueryView, rows: Uint32Array): void {
    this.#present = grown(this.#present, view.present.length)
    for (const row of rows) this.#present[row] = isOfFile(view, row) ? 1 : 0
    this.order.amend(this.#sourceOf(view), rows)
  }

  #sourceOf({ ids, columns }: QueryView): OrderSource {
    return { names: ids, present: this.#present, numericId: columns.numericId }
  }
}

function isOfFile({ present, sources, noSource }: QueryView, row: number): boolean {
  return present[row] === 1 && sources[row] !== noSource
}

const filteredColumns = ['status', 'type', 'code', 'tellsNobody', 'snoozed'] as const

/** The columns that a filter looks at, with the value that each must have. */
function wantedIn(columns: QueryColumns, filter: Filter): [column: Uint8Array, value: number][] {
  return filteredColumns.flatMap((name) => {
    const value = filter[name]
    return value === null ? [] : [[columns[name], value]]
  })
}

/** Whether of each entry of the filter one alternative matches a row. */
function listedIn({ tagLists, labels, notifications }: QueryView, { listed }: Filter) {
  const isMarked = (wanted: Marked, row: number) =>
    (wanted.tagLists === undefined || wanted.tagLists[tagLists[row]!] === 1) &&
    (wanted.labelSets === undefined || wanted.labelSets[labels[row]!] === 1) &&
    (wanted.notifications === undefined || wanted.notifications[notifications[row]!] === 1)
  return (row: number) => listed.every((entry) => entry.some((one) => isMarked(one, row)))
}

export function filtersNothing(filter: Filter): boolean {
  return (
    filter.text === '' && filter.listed.length === 0 && filteredColumns.every((name) => filter[name] === null)
  )
}

export function pageOf(rows: Uint32Array, page: number, size: number): RowPage {
  const from = (page - 1) * size
  return { total: rows.length, rows: rows.slice(from, from + size) }
}

function indexNames({ names, present, searchNames, columns }: QueryView): NameIndex {
  return {
    order: new ListOrder({ names, present, numericId: columns.numericId }),
    search: new NameSearch(searchNames),
    kept: new Uint8Array(present.length),
    ranks: new Uint8Array(present.length),
    matches: new Uint32Array(present.length + 1),
  }
}

function amendIndex(index: NameIndex, view: QueryView, rows: Uint32Array): void {
  const { names, present, searchNames, columns } = view
  index.order.amend({ names, present, numericId: columns.numericId }, rows)
  index.search.amend(searchNames, rows)
  if (present.length <= index.kept.length) return
  index.kept = new Uint8Array(present.length)
  index.ranks = new Uint8Array(present.length)
  index.matches = new Uint32Array(present.length + 1)
}
