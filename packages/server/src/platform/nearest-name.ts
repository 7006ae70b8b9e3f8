// platform/nearest-name.ts: finds the name that a misspelt one was meant to be. Used by every message that
// refuses a name: keys and drivers in fleet files, settings, flags, commands.

/** Edit distance with adjacent swaps; stops as soon as it exceeds the bound. */
export function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) > bound) return bound + 1
  let twoBack: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let best = row
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) cost = Math.min(cost, twoBack[column - 2]! + 1)
      current.push(cost)
      best = Math.min(best, cost)
    }
    if (best > bound) return bound + 1
    twoBack = previous
    previous = current
  }
  return previous[right.length]!
}

/** The closest of the allowed names, or null if none is close enough. */
export function nearestName(wrong: string, allowed: Iterable<string>): string | null {
  const asked = normalise(wrong)
  const bound = Math.max(1, Math.floor(asked.length / 3))
  let nearest: string | null = null
  let least = bound + 1
  for (const name of allowed) {
    const distance = editDistance(asked, normalise(name), bound)
    if (distance < least) {
      least = distance
      nearest = name
    }
  }
  return nearest
}

/** People confuse case and separators more often than letters: those differences cost nothing. */
function normalise(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_.\s]/g, '')
}

/** ` Did you mean "interval"?`, or nothing. */
export function didYouMean(wrong: string, allowed: Iterable<string>): string {
  const nearest = nearestName(wrong, allowed)
  return nearest === null ? '' : ` Did you mean "${nearest}"?`
}
