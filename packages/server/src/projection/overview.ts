// projection/overview.ts: the fleet in numbers, from counts that somebody else keeps. Pure.
import { codes, type Overview, statuses } from '@pulseward/contract'
import { statusNumber } from '../fleet/columns.ts'
import type { FleetCounts } from '../fleet/fleet.ts'

export interface OverviewInput {
  readonly generatedMs: number
  readonly counts: FleetCounts
  readonly types: readonly string[]
  readonly healthySamplePercent: number | null
  readonly indexCapped: boolean
}

export function overview({
  generatedMs,
  counts,
  types,
  healthySamplePercent,
  indexCapped,
}: OverviewInput): Overview {
  const { byStatus } = counts
  const disabled = byStatus[statusNumber.disabled]!
  const judged = counts.total - disabled - byStatus[statusNumber.unknown]!
  const up = byStatus[statusNumber.up]! + byStatus[statusNumber.degraded]!
  return {
    generated: new Date(generatedMs).toISOString(),
    total: counts.total,
    disabled,
    by_status: Object.fromEntries(statuses.map((status, number) => [status, byStatus[number]!])),
    by_pulse_type: Object.fromEntries(
      types
        .map((type, number): [string, number] => [type, counts.byType[number]!])
        .filter(([, count]) => count > 0),
    ),
    by_code: Object.fromEntries(codes.map((code, index) => [code, counts.byCode[index + 1]!])),
    incidents: byStatus[statusNumber.incident]!,
    up_percent: percent(up, judged),
    healthy_sample_percent: healthySamplePercent,
    index_capped: indexCapped,
  }
}

/** Null when there is nothing to take a share of. */
export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100
}
