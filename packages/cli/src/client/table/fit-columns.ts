// client/table/fit-columns.ts: decides which columns a table shows and how wide each is, so that no line is
// longer than the terminal. Pure. First it cuts long texts, the widest first; then it drops whole columns,
// the least important first; in the end only the first column remains, cut to the terminal.

export interface ColumnNeed {
  /** The width of its widest cell. */
  readonly natural: number
  /** The width that must remain; the natural width if nothing may be cut. */
  readonly minimum: number
  /** Columns with a higher value are dropped first; those with 0 stay as long as there is any room for them. */
  readonly dispensable: number
  /** No row has a value in it: if the column is dispensable, it is dropped before anything else is cut. */
  readonly isEmpty?: boolean
}

export const gap = 2

/** A width per column; null for a dropped one. Every column must be a distinct object. */
export function fitColumns(
  columns: readonly ColumnNeed[],
  available: number | null,
): readonly (number | null)[] {
  if (available === null) return columns.map(({ natural }) => natural)
  const kept = keptColumns(columns, available)
  const widths = new Map(kept.map((column) => [column, column.natural]))
  let excess = total(widths.values()) - available
  while (excess > 0) {
    const widest = widestAboveMinimum(widths)
    if (widest === null) break
    widths.set(widest.column, widest.width - 1)
    excess--
  }
  return columns.map((column) => {
    const width = widths.get(column)
    // The first column is kept even if its minimum does not fit.
    return width === undefined ? null : Math.min(width, available)
  })
}

/** In order of importance, each column that still fits beside the more important ones; the first in any case. */
function keptColumns(columns: readonly ColumnNeed[], available: number): readonly ColumnNeed[] {
  // The sort is stable: of equally dispensable columns, the one further left is more important.
  const byImportance = columns.toSorted((left, right) => left.dispensable - right.dispensable)
  const isTight = total(columns.map(({ natural }) => natural)) > available
  const kept: ColumnNeed[] = []
  for (const column of byImportance) {
    if (isTight && column.isEmpty && column.dispensable > 0 && kept.length > 0) continue
    const minimums = [...kept, column].map(({ minimum }) => minimum)
    if (kept.length === 0 || total(minimums) <= available) kept.push(column)
  }
  return kept
}

function total(widths: Iterable<number>): number {
  const all = [...widths]
  return all.reduce((sum, width) => sum + width, 0) + gap * (all.length - 1)
}

function widestAboveMinimum(widths: ReadonlyMap<ColumnNeed, number>) {
  let widest: { readonly column: ColumnNeed; readonly width: number } | null = null
  for (const [column, width] of widths)
    if (width > column.minimum && (widest === null || width > widest.width)) widest = { column, width }
  return widest
}
