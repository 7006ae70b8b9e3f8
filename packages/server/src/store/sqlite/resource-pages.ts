// store/sqlite/resource-pages.ts: pages of resources in id order, as of a change: present versions made by
// then, and past ones that ended later. Each call does a bounded part of the work and says how far it got, so
// that commits never wait long for a list.
import type { DatabaseSync } from 'node:sqlite'
import type { Selector } from '../selector.ts'
import { compareUtf8 } from '../utf8-order.ts'
import type { LabelSets } from './label-sets.ts'
import type { IdRange, ResourcePast } from './resource-past.ts'
import { requireResourceSum, type SummedRow, versionColumns } from './resource-sums.ts'
import type { SelectorMatch } from './selector-matches.ts'

/** Greater than every id. */
const endOfIds = new Uint8Array(0)
/** The fewest rows to read, even for a page that lacks only a few: many of them may be newer than the change. */
const readAtLeast = 100
/** Rows searched per call. */
const searchedAtOnce = 4_096
/** Finding the start of a set costs as much as reading this many rows. */
const rowsPerSet = 4
const setsAtMost = 4_096

export interface PageQuery {
  readonly kind: number
  readonly upToChange: number
  readonly after: string
  readonly limit: number
  readonly selector: Selector | null
}

export interface PageSlice {
  readonly rows: readonly SummedRow[]
  /** Everything up to this id was read; null if there are no more. */
  readonly upTo: string | null
}

interface Found {
  readonly rows: readonly SummedRow[]
  readonly upTo: IdRange['upTo']
}

export class ResourcePages {
  readonly #labels: LabelSets
  readonly #past: ResourcePast
  readonly #sql

  constructor(database: DatabaseSync, labels: LabelSets, past: ResourcePast) {
    this.#labels = labels
    this.#past = past
    const inOrder = `SELECT ${versionColumns} FROM resource WHERE kind = ? AND id > ?`
    this.#sql = {
      following: database.prepare(`${inOrder} ORDER BY id LIMIT ?`),
      farthest: database.prepare(
        'SELECT id FROM resource WHERE kind = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?',
      ),
      matching: database.prepare(`
        ${inOrder} AND id <= ? AND change <= ? AND substr(?, label_set + 1, 1) = x'01' ORDER BY id LIMIT ?`),
      ofSets: database.prepare(`
        SELECT ${versionColumns} FROM resource WHERE kind = ?1 AND id IN (
          SELECT id FROM resource INDEXED BY resource_by_labels
          WHERE kind = ?1 AND label_set IN (SELECT value FROM json_each(?2)) AND id > ?3
          ORDER BY id LIMIT ?4
        ) ORDER BY id`),
    }
  }

  /** `lastChange` is the last committed one. */
  read(query: PageQuery, lastChange: number): PageSlice {
    const { kind, after, upToChange, selector } = query
    const match = selector === null ? null : this.#labels.matching(selector)
    if (selector !== null && match === null) return { rows: [], upTo: after }
    const present = this.#present(query, match)
    if (upToChange >= lastChange) return slice(present.rows, present.upTo, query.limit)
    const range = { kind, after, upTo: present.upTo }
    const past = this.#past.visible(range, upToChange, match, query.limit)
    return merged(present, past, query.limit)
  }

  /** Versions made by then, up to where the search stopped. */
  #present(query: PageQuery, match: SelectorMatch | null): Found {
    const { kind, after, upToChange } = query
    const limit = Math.max(query.limit, readAtLeast)
    if (match !== null && !this.#areFew(match, limit)) return this.#search(query, match)
    const rows = (match === null
      ? this.#sql.following.all(kind, after, limit)
      : this.#sql.ofSets.all(kind, JSON.stringify([...match.sets]), after, limit)) as unknown as SummedRow[]
    const upTo = rows.length < limit ? endOfIds : rows.at(-1)!.id
    return { rows: rows.filter(({ change }) => change <= upToChange), upTo }
  }

  /** Row by row, for sets that many resources use. */
  #search({ kind, after, upToChange, limit }: PageQuery, match: SelectorMatch): Found {
    const farthest = this.#sql.farthest.get(kind, after, searchedAtOnce - 1) as { id: string } | undefined
    const end = farthest?.id ?? endOfIds
    const found = this.#sql.matching.all(kind, after, end, upToChange, match.flags, limit)
    const rows = found as unknown as SummedRow[]
    return { rows, upTo: rows.length < limit ? end : rows.at(-1)!.id }
  }

  /** Whether reading all matches costs less than searching for `limit` of them in id order. */
  #areFew({ sets }: SelectorMatch, limit: number): boolean {
    if (sets.size > setsAtMost) return false
    let rows = 0
    for (const number of sets) rows += this.#labels.usersOf(number)
    return rows + sets.size * rowsPerSet <= (limit * this.#labels.resources) / rows
  }
}

/** A resource has exactly one version at a change, so no id is in both lists. */
function merged(present: Found, past: Found, limit: number): PageSlice {
  // The past was searched to the end of the present part, or less far.
  const { upTo } = past
  const rows = past.rows.concat(
    typeof upTo === 'string' ? present.rows.filter(({ id }) => compareUtf8(id, upTo) <= 0) : present.rows,
  )
  if (past.rows.length > 0) rows.sort((one, other) => compareUtf8(one.id, other.id))
  return slice(rows, upTo, limit)
}

function slice(rows: readonly SummedRow[], upTo: IdRange['upTo'], limit: number): PageSlice {
  const page = rows.slice(0, limit)
  for (const row of page) requireResourceSum(row)
  if (page.length < rows.length) return { rows: page, upTo: page.at(-1)!.id }
  return { rows: page, upTo: typeof upTo === 'string' ? upTo : null }
}
