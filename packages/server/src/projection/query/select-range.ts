// projection/query/select-range.ts: one sorted page of a long list, without sorting the list: when a whole
// fleet fails, there are a million incidents and a page shows fifty. Expected time is linear in the list.

/** Moves the items of [from, to) to their sorted positions, and sorts them. */
export function selectRange(
  items: Uint32Array,
  from: number,
  to: number,
  compare: (left: number, right: number) => number,
): Uint32Array {
  if (from >= items.length) return items.subarray(0, 0)
  const end = Math.min(to, items.length)
  settle(items, from, 0, items.length, compare)
  // Everything behind `from` is now not less than it, so only that part has to be searched for the end of the page.
  if (end < items.length) settle(items, end, from, items.length, compare)
  return items.subarray(from, end).sort(compare)
}

/** Quickselect: moves the item of this rank to its position, smaller ones before it, larger ones behind it. */
function settle(
  items: Uint32Array,
  rank: number,
  low: number,
  high: number,
  compare: (left: number, right: number) => number,
): void {
  while (high - low > 1) {
    const pivot = items[low + ((high - low) >>> 1)]!
    let left = low
    let right = high - 1
    while (left <= right) {
      while (compare(items[left]!, pivot) < 0) left++
      while (compare(items[right]!, pivot) > 0) right--
      if (left > right) break
      const item = items[left]!
      items[left++] = items[right]!
      items[right--] = item
    }
    if (rank <= right) high = right + 1
    else if (rank >= left) low = left
    else return
  }
}
