// store/memory-bulk.ts: bulk operations of the store in memory.
import type { Instant } from '../deciding/health/health.ts'
import {
  type BulkPage,
  type BulkQuery,
  type BulkWrite,
  isListed,
  type OutcomePage,
  type StoredBulk,
  type StoredOutcome,
} from './bulk.ts'

interface Kept {
  readonly operation: StoredBulk
  readonly outcomes: StoredOutcome[]
}

export class MemoryBulk {
  readonly #kept = new Map<number, Kept>()
  last = 0

  commit(writes: readonly BulkWrite[]): void {
    for (const { operation, outcomes } of writes) {
      const kept = this.#kept.get(operation.id)?.outcomes ?? []
      // Chunks arrive in order, and a repeated one is identical.
      if (outcomes !== null) kept.splice(outcomes.first, kept.length, ...outcomes.outcomes)
      this.#kept.set(operation.id, { operation, outcomes: kept })
      this.last = Math.max(this.last, operation.id)
    }
  }

  read(id: number): StoredBulk | null {
    return this.#kept.get(id)?.operation ?? null
  }

  open(): StoredBulk[] {
    return Array.from(this.#kept.values(), ({ operation }) => operation).filter(
      ({ endedAt }) => endedAt === null,
    )
  }

  list(query: BulkQuery): BulkPage {
    const before = query.after ?? query.upTo + 1
    const found = Array.from(this.#kept.values(), ({ operation }) => operation)
      .filter((operation) => operation.id < before && isListed(operation, query))
      .sort((one, other) => other.id - one.id)
    return { operations: found.slice(0, query.limit), more: found.length > query.limit }
  }

  outcomes(id: number, from: number, limit: number): OutcomePage {
    const all = this.#kept.get(id)?.outcomes ?? []
    return { outcomes: all.slice(from, from + limit), more: from + limit < all.length }
  }

  /** Removes operations that ended earlier. */
  retain(olderThan: Instant, rows: number): number {
    const old = [...this.#kept.values()]
      .filter(({ operation }) => operation.endedAt !== null && operation.endedAt < olderThan)
      .slice(0, Math.max(0, rows))
    for (const { operation } of old) this.#kept.delete(operation.id)
    return old.length
  }
}
