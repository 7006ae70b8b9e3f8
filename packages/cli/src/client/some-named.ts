// client/some-named.ts: a list of names in a sentence: the first ones, and how many more there are.

/** Enough to recognize what is meant. */
export const mostNamed = 5

/** Such as `a, b, 3 more`; `count`: how many there are in all. */
export function someNamed(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, mostNamed)
  const others = count - shown.length
  return [...shown, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}
