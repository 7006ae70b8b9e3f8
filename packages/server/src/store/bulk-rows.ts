// store/bulk-rows.ts: converts bulk operations and their outcomes to rows of text and numbers, and back. Runs in the
// controller's thread, like rows.ts.
import type { BulkWrite, OutcomePage, StoredBulk, StoredOutcome } from './bulk.ts'

/** A write, in stored form. */
export interface BulkRow {
  readonly id: number
  readonly endedAt: number | null
  readonly body: string
  readonly outcomes: { readonly first: number; readonly body: string } | null
}

export interface OutcomeRow {
  readonly first: number
  readonly body: string
}

type PackedOutcome = [
  id: string,
  outcome: string,
  oldVersion: string | null,
  newVersion: string | null,
  message: string | null,
]

export function bulkRow({ operation, outcomes }: BulkWrite): BulkRow {
  const { id, endedAt } = operation
  return {
    id,
    endedAt,
    body: JSON.stringify(operation),
    outcomes:
      outcomes === null
        ? null
        : { first: outcomes.first, body: JSON.stringify(outcomes.outcomes.map(packed)) },
  }
}

export function bulkOf(body: string): StoredBulk {
  return JSON.parse(body)
}

/** The outcomes of a page, from the chunks that contain them. */
export function outcomePageOf(rows: readonly OutcomeRow[], from: number, limit: number): OutcomePage {
  const all = rows.flatMap(({ first, body }) =>
    (JSON.parse(body) as PackedOutcome[])
      .slice(Math.max(0, from - first))
      .map(([id, outcome, oldVersion, newVersion, message]) => ({
        id,
        outcome,
        oldVersion,
        newVersion,
        message,
      })),
  )
  return { outcomes: all.slice(0, limit), more: all.length > limit }
}

function packed({ id, outcome, oldVersion, newVersion, message }: StoredOutcome): PackedOutcome {
  return [id, outcome, oldVersion, newVersion, message]
}
