// bench/soak-work.ts: whether a soak showed what it is for: every incident was reported to every destination,
// and memory did not grow.

/** What one provider accepted. */
export interface Taken {
  /** Incidents that a red reported. */
  readonly reds: readonly string[]
  /** Incidents that greens reported additionally. */
  readonly carried: number
  /** Incidents that digests reported. */
  readonly digests: number
}

export interface SoakResult {
  readonly incidents: readonly string[]
  readonly taken: Readonly<Record<string, Taken>>
  /** Incidents in digests whose answer was lost, by destination: whether they arrived is unknown. */
  readonly dropped: Readonly<Record<string, number>>
  readonly refused: number
  /** Resident bytes, sampled evenly over the run. */
  readonly memory: readonly number[]
}

const mostGrowth = 1.1

/** Incidents that were reported to a destination neither by a red, nor by a green, nor by a digest. */
export function unheard({ incidents, taken, dropped }: SoakResult): Record<string, number> {
  return Object.fromEntries(
    Object.entries(taken).map(([name, { reds, carried, digests }]) => {
      const told = new Set(reds)
      const notByRed = incidents.filter((id) => !told.has(id)).length
      return [name, Math.max(0, notByRed - carried - digests - (dropped[name] ?? 0))]
    }),
  )
}

/** The medians of the second and of the last quarter: the first one still warms up. */
export function growth(memory: readonly number[]): number {
  const quarter = Math.floor(memory.length / 4)
  return median(memory.slice(-quarter)) / median(memory.slice(quarter, 2 * quarter))
}

export function undoneSoak(result: SoakResult): string[] {
  const undone: string[] = []
  if (result.incidents.length === 0) undone.push('No incident opened.')
  if (result.refused === 0) undone.push('No provider refused anything.')
  for (const [name, count] of Object.entries(unheard(result)))
    if (count > 0) undone.push(`${name} never heard of ${count} incidents.`)
  const grown = growth(result.memory)
  if (!(grown <= mostGrowth))
    undone.push(`Memory grew ${((grown - 1) * 100).toFixed(1)} % from the second to the last quarter.`)
  return undone
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
