// store/memory-revisions.ts: revisions of the store in memory.
import type { Instant } from '../deciding/health/health.ts'
import { inForce, type KeptRevision, type RevisionQuery, type StoredRevision } from './revision.ts'
import { compareUtf8 } from './utf8-order.ts'

export class MemoryRevisions {
  readonly #kept = new Map<string, KeptRevision>()

  get count(): number {
    return this.#kept.size
  }

  write(revisions: readonly StoredRevision[]): void {
    for (const revision of revisions) {
      const { form, ...rest } = revision
      if (form === null) this.#kept.delete(keyOf(revision))
      else this.#kept.set(keyOf(revision), { ...rest, form })
    }
  }

  inForce(): KeptRevision[] {
    return this.#inOrder().filter(({ until }) => until === null)
  }

  /** Of each thing, the first that ended after the instant. */
  read({ monitorId, at }: RevisionQuery): KeptRevision[] {
    const first = new Map<string, KeptRevision>()
    for (const revision of this.#inOrder()) {
      const { kind, id, until } = revision
      if (until === null || until <= at || (kind === 'Monitor' && id !== monitorId)) continue
      const key = `${kind} ${id}`
      if (!first.has(key)) first.set(key, revision)
    }
    return [...first.values()]
  }

  retain(olderThan: Instant, rows: number): number {
    const old = [...this.#kept].filter(([, { until }]) => until !== null && until < olderThan)
    const forgotten = old.slice(0, Math.max(0, rows))
    for (const [key] of forgotten) this.#kept.delete(key)
    return forgotten.length
  }

  #inOrder(): KeptRevision[] {
    return [...this.#kept.values()].sort(
      (one, other) =>
        compareUtf8(one.kind, other.kind) ||
        compareUtf8(one.id, other.id) ||
        (one.until ?? inForce) - (other.until ?? inForce),
    )
  }
}

function keyOf({ kind, id, until }: StoredRevision): string {
  return `${kind} ${id} ${until ?? inForce}`
}
