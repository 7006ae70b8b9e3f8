// print-table.ts: rows of text in columns as wide as their widest cell; the last one is as long as it is.
export function printTable(rows: readonly (readonly string[])[]): void {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  )
  for (const row of rows) {
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  }
}
