// store/bulk.ts: bulk operations as a store keeps them: the request, its progress, and the outcome of each
// item. They are committed together with the resources that they change, so a record always matches what was
// done. Staged items are not here (store/staging).
import type { Instant } from '../deciding/health/health.ts'

export interface StoredBulk {
  /** Numbered together with the operations of single writes. */
  readonly id: number
  /** The principal that opened it, and the one that activated it. */
  readonly principal: string
  readonly activatedBy: string | null
  readonly openedAt: Instant
  /** Null while it is open. */
  readonly endedAt: Instant | null
  readonly state: string
  /** Null for a control. */
  readonly contentDigest: string | null
  readonly itemCount: number
  /** The control to apply to many monitors; null for a collection. */
  readonly control: StoredControl | null
  /** Items that have an outcome. */
  readonly settled: number
  /** The number of items per outcome. */
  readonly counts: Readonly<Record<string, number>>
  readonly reason: string | null
}

export interface StoredControl {
  readonly verb: string
  readonly reason: string | null
  readonly note: string | null
  readonly duration: string | null
}

export interface StoredOutcome {
  /** The id of the item. */
  readonly id: string
  readonly outcome: string
  readonly oldVersion: string | null
  readonly newVersion: string | null
  readonly message: string | null
}

/** Outcomes of consecutive items, in the order of application. */
export interface OutcomeChunk {
  /** The position of the first of them, from 0. */
  readonly first: number
  readonly outcomes: readonly StoredOutcome[]
}

/** The record replaces the previous one; outcomes are appended. */
export interface BulkWrite {
  readonly operation: StoredBulk
  readonly outcomes: OutcomeChunk | null
}

/** A page of bulk operations, newest first. */
export interface BulkQuery {
  /** Operations with higher numbers are newer than the list. */
  readonly upTo: number
  /** The number of the last operation on the previous page. */
  readonly after: number | null
  readonly state: string | null
  /** Operations that ended earlier are no longer kept. */
  readonly endedAfter: Instant
  readonly limit: number
}

export interface BulkPage {
  readonly operations: readonly StoredBulk[]
  readonly more: boolean
}

/** Whether an operation belongs in the list. */
export function isListed({ state, endedAt }: StoredBulk, query: BulkQuery): boolean {
  return (query.state === null || state === query.state) && (endedAt === null || endedAt > query.endedAfter)
}

export interface OutcomePage {
  readonly outcomes: readonly StoredOutcome[]
  readonly more: boolean
}
