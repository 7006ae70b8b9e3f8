// store/bulk.ts: operations of many items as a store keeps them: what was asked for, how far it is, and what became of
// each item. They are committed together with the resources that they change, so a record never says more or less than
// what was done. What is only staged is not here (store/staging).
import type { Instant } from '../deciding/health/health.ts'

export interface StoredBulk {
  /** From the same numbers as the operations of single writes. */
  readonly id: number
  /** Who opened it, and who activated it. */
  readonly principal: string
  readonly activatedBy: string | null
  readonly openedAt: Instant
  /** Null while it is open. */
  readonly endedAt: Instant | null
  readonly state: string
  /** Null for a control. */
  readonly contentDigest: string | null
  readonly itemCount: number
  /** What is done to many monitors; null for a collection. */
  readonly control: StoredControl | null
  /** Items that have an outcome. */
  readonly settled: number
  /** How many items have which outcome. */
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
  /** Of the item. */
  readonly id: string
  readonly outcome: string
  readonly oldVersion: string | null
  readonly newVersion: string | null
  readonly message: string | null
}

/** Outcomes of consecutive items, in the order in which these are applied. */
export interface OutcomeChunk {
  /** The place of the first of them, from 0. */
  readonly first: number
  readonly outcomes: readonly StoredOutcome[]
}

/** The record takes the place of the one before it; outcomes are added to those that are there. */
export interface BulkWrite {
  readonly operation: StoredBulk
  readonly outcomes: OutcomeChunk | null
}

/** A page of operations of many items, the newest first. */
export interface BulkQuery {
  /** Operations with higher numbers came after the list was begun. */
  readonly upTo: number
  /** The number of the last one of the page before. */
  readonly after: number | null
  readonly state: string | null
  /** Those that ended before are not kept any more. */
  readonly endedAfter: Instant
  readonly limit: number
}

export interface BulkPage {
  readonly operations: readonly StoredBulk[]
  readonly more: boolean
}

/** Whether an operation belongs on the pages that are asked for. */
export function isListed({ state, endedAt }: StoredBulk, query: BulkQuery): boolean {
  return (query.state === null || state === query.state) && (endedAt === null || endedAt > query.endedAfter)
}

export interface OutcomePage {
  readonly outcomes: readonly StoredOutcome[]
  readonly more: boolean
}
