// projection/overview.ts: the fleet in numbers, from counts that the caller maintains. Pure.
import { codes, type NextOverview, type Overview, statuses } from '@pulseward/contract'
import { statusNumber } from '../fleet/columns.ts'
import type { FleetCounts } from '../fleet/fleet.ts'
import { type Staleness, staleView } from './staleness.ts'

export interface OverviewInput {
  readonly generatedMs: number
  readonly staleness: Staleness | null
  readonly counts: FleetCounts
  readonly types: readonly string[]
  readonly healthySamplePercent: number | null
  readonly indexCapped: boolean
  /** Null in editions whose overview does not say so. */
  readonly tellsNobody?: number | null
  /** Only next counts snoozed monitors. */
  readonly countsSnoozed?: boolean
}

export function overview({
  generatedMs,
  staleness,
  counts,
  types,
  healthySamplePercent,
  indexCapped,
  tellsNobody = null,
  countsSnoozed = false,
}: OverviewInput): Overview | NextOverview {
  const { byStatus } = counts
  const having = (status: keyof typeof statusNumber) => byStatus[statusNumber[status]] ?? 0
  const disabled = having('disabled')
  const judged = counts.total - disabled - having('unknown')
  const up = having('up') + having('degraded')
  return {
    generated: new Date(generatedMs).toISOString(),
    stale: staleView(staleness),
    total: counts.total,
    disabled,
    ...(countsSnoozed ? { snoozed: counts.snoozed } : {}),
    by_status: countsOf(statuses, byStatus, 0),
    by_pulse_type: presentOf(types, counts.byType),
    by_code: countsOf(codes, counts.byCode, 1),
    incidents: counts.incidents,
    up_percent: percent(up, judged),
    healthy_sample_percent: healthySamplePercent,
    index_capped: indexCapped,
    ...(tellsNobody === null ? {} : { tells_nobody: tellsNobody }),
  }
}

// Plain loops: the overview is requested more often than anything else.

function countsOf<Name extends string>(
  names: readonly Name[],
  counts: Uint32Array,
  first: number,
): Record<Name, number> {
  const record = {} as Record<Name, number>
  for (let index = 0; index < names.length; index++) record[names[index]!] = counts[first + index]!
  return record
}

function presentOf(names: readonly string[], counts: Uint32Array): Record<string, number> {
  const record: Record<string, number> = {}
  for (let index = 0; index < names.length; index++)
    if (counts[index]! > 0) record[names[index]!] = counts[index]!
  return record
}

/** Null if the whole is zero. */
export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100
}
