// bench/median.ts: the middle of several measurements, which a moment of noise does not move.
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)]!
}
