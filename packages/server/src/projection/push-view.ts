// projection/push-view.ts: a job that reports by itself, as v1 and v2 show it. What people call up and down is
// waiting and missed inside: a job that reported a failure is waited for like any other.
import type { PushReport, v2 } from '@pulseward/contract'
import type { ReportView } from '../engine/source.ts'
import { timestamp } from '../platform/wire.ts'

const states = { new: 'new', waiting: 'up', late: 'late', missed: 'down' } as const

/** Time between the last due and the next; 0 until there were two. */
export function pushIntervalMs({ state: { dueAt, lastDueAt } }: ReportView): number {
  return dueAt === null || lastDueAt === null ? 0 : Math.max(0, Math.round(dueAt - lastDueAt))
}

export function pushView(report: ReportView | null): PushReport | null {
  if (report === null) return null
  const { state, previousKeyUsedAt, signals, hint } = report
  const { phase, dueAt, lastSignalAt, lastKind, runs } = state
  return {
    state: states[phase],
    due_at: timestamp(dueAt),
    late_since: phase === 'late' ? timestamp(dueAt) : null,
    last_signal_at: timestamp(lastSignalAt),
    last_signal: lastKind,
    previous_key_used_at: timestamp(previousKeyUsedAt),
    hint,
    runs: [...runs].map(([rid, startedAt]) => ({ rid, started_at: timestamp(startedAt) })),
    signals: signals.map(({ at, kind, rid, exitCode, words, output, runMs }) => ({
      at: timestamp(at),
      kind,
      rid,
      exit_code: exitCode,
      message: words,
      output,
      run_ms: runMs,
    })),
  }
}

/** Members without a value are absent, as everywhere in v2. */
export function pushStatus({ state, previousKeyUsedAt, hint }: ReportView): v2.PushStatus {
  const { phase, dueAt, lastSignalAt, runs } = state
  return {
    state: states[phase],
    ...(dueAt === null ? {} : { dueAt: timestamp(dueAt) }),
    ...(lastSignalAt === null ? {} : { lastSignalAt: timestamp(lastSignalAt) }),
    ...(previousKeyUsedAt === null ? {} : { previousKeyUsedAt: timestamp(previousKeyUsedAt) }),
    openRuns: runs.size,
    ...(hint === null ? {} : { hint }),
  }
}
