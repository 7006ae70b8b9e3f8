// client/table/fit-columns.ts: decides which columns a table shows and how wide each is, so that no line is longer than
// the terminal. Pure. First long texts give way, the widest first; then whole columns do, the least important first;
// in the end the first column is all that stays, cut to the terminal.

export interface ColumnNeed {
  /** Of its widest cell. */
  readonly natural: number
  /** What must stay of it; as wide as it is when nothing may be cut. */
  readonly minimum: number
  /** Columns with a higher one are left out first; those with 0 stay as long as there is any room for them. */
  readonly dispensable: number
  /** No row has a value in it: if it is dispensable, it goes before anything else is cut. */
  readonly isEmpty?: boolean
}

export const gap = 2

/** A width for each column; null for one that is left out. */
export function fitColumns(
  columns: readonly ColumnNeed[],
  available: number | null,
): readonly (number | null)[] {
  if (available === null) return columns.map(({ natural }) => natural)
  const kept = keptColumns(columns, available)
  const widths = new Map([...kept].map((index) => [index, columns[index]!.natural]))
  let excess = total(widths.values()) - available
  while (excess > 0) {
    const widest = widestAboveMinimum(widths, columns)
    if (widest === null) break
    widths.set(widest, widths.get(widest)! - 1)
    excess--
  }
  // Only the first column is kept although not even its minimum fits.
  return columns.map((_, index) => (widths.has(index) ? Math.min(widths.get(index)!, available) : null))
}

/** In the order of importance, each column that still fits beside the more important ones; the first in any case. */
function keptColumns(columns: readonly ColumnNeed[], available: number): ReadonlySet<number> {
  const byImportance = [...columns.keys()].sort(
    // Of equals the one further left is more important.
    (left, right) => columns[left]!.dispensable - columns[right]!.dispensable || left - right,
  )
  const isTight = total(columns.map(({ natural }) => natural)) > available
  const kept = new Set<number>()
  for (const index of byImportance) {
    if (isTight && columns[index]!.isEmpty && columns[index]!.dispensable > 0 && kept.size > 0) continue
    const minimums = [...kept, index].map((one) => columns[one]!.minimum)
    if (kept.size === 0 || total(minimums) <= available) kept.add(index)
  }
  return kept
}

function total(widths: Iterable<number>): number {
  const all = [...widths]
  return all.reduce((sum, width) => sum + width, 0) + gap * (all.length - 1)
}

function widestAboveMinimum(
  widths: ReadonlyMap<number, number>,
  columns: readonly ColumnNeed[],
): number | null {
  let widest: number | null = null
  for (const [index, width] of widths) {
    if (width <= columns[index]!.minimum) continue
    if (widest === null || width > widths.get(widest)!) widest = index
  }
  return widest
}
