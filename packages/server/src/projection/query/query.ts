// projection/query/query.ts: the questions that can be asked about a fleet, and their answers, as plain data that
// travels between threads.

import type { SharedOrder } from './list-order.ts'

/** Numbers of columns; null does not filter. */
export interface Filter {
  readonly status: number | null
  readonly type: number | null
  readonly code: number | null
  /** In search form; empty does not filter. */
  readonly text: string
}

/** A number that no monitor has in any column: columns hold bytes. */
export const noSuchNumber = 256

export type Query =
  | { readonly kind: 'find'; readonly filter: Filter; readonly page: number; readonly size: number }
  | { readonly kind: 'incidents'; readonly page: number; readonly size: number }
  | { readonly kind: 'map'; readonly filter: Filter }
  /** Monitors of fleet files in the order of their ids. */
  | {
      readonly kind: 'from-files'
      /** Exclusive; null for the first page. */
      readonly after: string | null
      readonly size: number
      /** Numbers of the labels that are asked for; null for all. */
      readonly labels: readonly number[] | null
    }

/** One page of what matches; rows mean something only in the generation that they come from. */
export interface RowPage {
  readonly total: number
  readonly rows: Uint32Array
}

export interface PackedMap {
  /** Laid out as map-layout.ts says. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Strong, with its quotes. */
  readonly etag: string
}

/** Every monitor of an arrangement in the order of the list, in shared memory. */
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

/** What a query found, and the generation of the view in which it looked. */
export type Found<Value> = Value & { readonly generation: number }

export type AnswerTo<Asked extends Query> = Found<Answers[Asked['kind']]>
