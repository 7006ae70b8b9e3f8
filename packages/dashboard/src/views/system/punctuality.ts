// views/system/punctuality.ts: the punctuality of checks of all kinds together, from the report of each.
import type { Slo } from '@pulseward/contract'

export interface Punctuality {
  /** In percent; null while nothing was due. */
  readonly attainedPercent: number | null
  /** Of the worst kind; percentiles of several kinds cannot be combined. */
  readonly worstP99Ms: number | null
  readonly missed: number
  readonly overdue: number
}

export function punctualityOf({ reports }: Pick<Slo, 'reports'>): Punctuality {
  const sum = (of: (report: Slo['reports'][number]) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  const due = sum(({ expected, left_out }) => expected - left_out)
  const delays = reports.flatMap(({ scheduling_queue: { p99_ms } }) => (p99_ms === null ? [] : [p99_ms]))
  return {
    attainedPercent: due > 0 ? (100 * sum(({ queue_met }) => queue_met)) / due : null,
    worstP99Ms: delays.length === 0 ? null : Math.max(...delays),
    missed: sum(({ missed }) => missed),
    overdue: sum(({ overdue }) => overdue),
  }
}
