// client/table/fit-columns.ts: decides which columns a table shows and how wide each is, so that no line is longer than
// the terminal. Pure. First long texts give way, the widest first; then whole columns do, the least important first.

export interface ColumnNeed {
  /** Of its widest cell. */
  readonly natural: number
  /** What must stay of it; as wide as it is when nothing may be cut. */
  readonly minimum: number
  /** Columns with a higher one are left out first; those with 0 always stay. */
  readonly dispensable: number
}

export const gap = 2

/** A width for each column; null for one that is left out. */
export function fitColumns(
  columns: readonly ColumnNeed[],
  available: number | null,
): readonly (number | null)[] {
  const kept = new Set(columns.keys())
  const total = (measure: 'natural' | 'minimum') =>
    [...kept].reduce((sum, index) => sum + columns[index]![measure], 0) + gap * (kept.size - 1)
  if (available === null) return columns.map(({ natural }) => natural)
  while (total('minimum') > available) {
    const candidates = [...kept].filter((index) => columns[index]!.dispensable > 0)
    if (candidates.length === 0) break
    // Of equals the one further right goes first.
    candidates.sort((left, right) => columns[right]!.dispensable - columns[left]!.dispensable || right - left)
    kept.delete(candidates[0]!)
  }
  const widths = new Map([...kept].map((index) => [index, columns[index]!.natural]))
  let excess = total('natural') - available
  while (excess > 0) {
    const widest = widestAboveMinimum(widths, columns)
    if (widest === null) break
    widths.set(widest, widths.get(widest)! - 1)
    excess--
  }
  return columns.map((_, index) => widths.get(index) ?? null)
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
