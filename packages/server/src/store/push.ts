// store/push.ts: what is kept of a job that reports by itself: when it last did, when it is next expected, and
// the runs that it has begun. One row per monitor, written with every signal, and nothing else for a quiet one.
import type { Instant } from '../deciding/health/health.ts'

export interface PushRecord {
  readonly phase: 'new' | 'waiting' | 'late' | 'missed'
  readonly dueAt: Instant | null
  readonly lastDueAt: Instant | null
  readonly lastSignalAt: Instant | null
  readonly lastKind: 'success' | 'fail' | 'start' | 'log' | null
  readonly hasFailed: boolean
  /** When each open run started, by its id; oldest first. */
  readonly runs: readonly (readonly [rid: string, startedAt: Instant])[]
  /** When the key before the present one was last used; null if never. */
  readonly previousKeyUsedAt: Instant | null
}

export interface StoredPush {
  readonly numericId: number
  /** Null if the monitor has left. */
  readonly push: PushRecord | null
}

/** As text, in the order of the members: a million rows are read at a start. */
export function pushText(push: PushRecord): string {
  const { phase, dueAt, lastDueAt, lastSignalAt, lastKind, hasFailed, runs, previousKeyUsedAt } = push
  return JSON.stringify([phase, dueAt, lastDueAt, lastSignalAt, lastKind, hasFailed, runs, previousKeyUsedAt])
}

export function pushOf(text: string): PushRecord {
  const [phase, dueAt, lastDueAt, lastSignalAt, lastKind, hasFailed, runs, previousKeyUsedAt] =
    JSON.parse(text)
  return { phase, dueAt, lastDueAt, lastSignalAt, lastKind, hasFailed, runs, previousKeyUsedAt }
}
