// views/monitors/csv.ts: rows of monitors as CSV.
import type { MonitorRow } from '../../data/monitors.ts'
import { csvOf } from '../../format/csv.ts'

const columns = [
  ...(['id', 'monitor_id', 'name', 'pulse_type', 'status', 'incident', 'pending_code', 'target'] as const),
  ...(['interval_ms', 'timeout_ms', 'consecutive_failures', 'last_check', 'last_success'] as const),
  ...(['next_check', 'latency_ms', 'healthy_samples', 'total_samples', 'healthy_sample_percent'] as const),
  ...(['warning', 'unknown_actions', 'tags'] as const),
] satisfies readonly (keyof MonitorRow)[]

export function monitorsAsCsv(rows: readonly MonitorRow[]): string {
  return csvOf(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  )
}
