// projection/query/query.ts: the queries about a fleet, and their answers, as plain data that is passed between threads.

import type { MonitorSort } from '@pulseward/contract'
import type { SharedOrder } from './list-order.ts'

/** Column values; null does not filter. */
export interface Filter {
  readonly status: number | null
  readonly type: number | null
  readonly code: number | null
  readonly tellsNobody: number | null
  /** 1 for snoozed monitors, 0 for the others. */
  readonly snoozed: number | null
  /** A monitor matches if of each entry one alternative does. */
  readonly listed: readonly (readonly Marked[])[]
  /** In search form; empty does not filter. */
  readonly text: string
}

/**
 * Monitors by values that they share: 1 by the number of a value that matches; one beyond the end does not match. Absent
 * values do not matter.
 */
export interface Marked {
  readonly tagLists?: Uint8Array
  readonly labelSets?: Uint8Array
  /** By the rules of the monitor itself, or the default of its files. */
  readonly notifications?: Uint8Array
}

/** How matches are ordered; those that are equal stay in list order, and unknown values come last. */
export interface Sort {
  readonly by: MonitorSort
  readonly isDescending: boolean
}

/** The order of the list itself. */
export const byName: Sort = { by: 'name', isDescending: false }

/** A value that no monitor has in any column: columns hold bytes. */
export const noSuchNumber = 256

export type Query =
  | {
      readonly kind: 'find'
      readonly filter: Filter
      readonly sort: Sort
      /** The rank of each value of the column, from 1; null if it is not sorted by rank. */
      readonly ranks: Uint8Array | null
      readonly page: number
      readonly size: number
    }
  | { readonly kind: 'incidents'; readonly page: number; readonly size: number }
  | { readonly kind: 'map'; readonly filter: Filter }
  /** Monitors from fleet files in id order. */
  | {
      readonly kind: 'from-files'
      /** Exclusive; null for the first page. */
      readonly after: string | null
      readonly size: number
      /** The numbers of the label sets to include; null for all. */
      readonly labels: readonly number[] | null
    }

/** One page of matches; rows are valid only in their generation. */
export interface RowPage {
  readonly total: number
  readonly rows: Uint32Array
}

export interface PackedMap {
  /** Laid out as map-layout.ts says. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** A strong tag, with its quotes. */
  readonly etag: string
}

/** All monitors of an arrangement in list order, in shared memory. */
export interface KnownOrder {
  readonly arrangement: number
  readonly order: SharedOrder
}

interface Answers {
  readonly find: RowPage
  readonly incidents: RowPage
  readonly map: PackedMap
  readonly 'from-files': RowPage
}

/** The result of a query, and the generation of the view that it used. */
export type Found<Value> = Value & { readonly generation: number }

export type AnswerTo<Asked extends Query> = Found<Answers[Asked['kind']]>
