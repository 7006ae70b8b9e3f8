// views/monitors/csv.ts: rows as CSV (RFC 4180). Names and errors are of strangers: a text that a spreadsheet would run
// as a formula gets an apostrophe in front, which spreadsheets show as text.
import type { MonitorRow } from '../../data/monitors.ts'

type Value = string | number | boolean | null | readonly string[] | undefined

const columns = [
  ...(['id', 'monitor_id', 'name', 'pulse_type', 'status', 'incident', 'pending_code', 'target'] as const),
  ...(['interval_ms', 'timeout_ms', 'consecutive_failures', 'last_check', 'last_success'] as const),
  ...(['next_check', 'latency_ms', 'healthy_samples', 'total_samples', 'healthy_sample_percent'] as const),
  ...(['warning', 'unknown_actions', 'tags'] as const),
] satisfies readonly (keyof MonitorRow)[]

export function monitorsAsCsv(rows: readonly MonitorRow[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','))
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`
}

export function cell(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : value.join(' ')
  return `"${harmless(text).replaceAll('"', '""')}"`
}

/** Leading blanks do not stop every spreadsheet, and some take full-width signs for the plain ones. */
function harmless(text: string): string {
  return /^[\s\0]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
}
