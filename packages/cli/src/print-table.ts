// print-table.ts: rows of text in columns as wide as their widest cell; the last one is as long as it is.
import type { TextOutput } from './terminal.ts'

export function printTable(stdout: TextOutput, rows: readonly (readonly string[])[]): void {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  )
  for (const row of rows) {
    stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
  }
}
