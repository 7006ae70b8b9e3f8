// format/csv.ts: lines of CSV (RFC 4180). Names and errors are untrusted: text that a spreadsheet would run as a formula
// gets an apostrophe in front, so spreadsheets show it as text. An unknown value is an empty cell.

export type CsvValue = string | number | boolean | null | readonly string[] | undefined

export function csvOf(columns: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  const lines = [columns.join(','), ...Array.from(rows, (row) => row.map(csvCell).join(','))]
  return `${lines.join('\r\n')}\r\n`
}

export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : value.join(' ')
  return `"${harmless(text).replaceAll('"', '""')}"`
}

/** Leading blanks do not stop every spreadsheet, and some treat full-width signs like the plain ones. */
function harmless(text: string): string {
  return /^[\s\0]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
}
