// projection/query/select-range.ts: a page of a long list in order, without sorting the list: when a whole fleet
// fails, incidents are a million and a page shows fifty. Expected time is proportional to the list.

/** Moves the items of [from, to) to where they would be if all were sorted, and sorts those. */
export function selectRange(
  items: Uint32Array,
  from: number,
  to: number,
  compare: (left: number, right: number) => number,
): Uint32Array {
  if (from >= items.length) return items.subarray(0, 0)
  const end = Math.min(to, items.length)
  settle(items, from, 0, items.length, compare)
  // What lies behind `from` is not less than it: the page's end is found among that alone.
  if (end < items.length) settle(items, end, from, items.length, compare)
  return items.subarray(from, end).sort(compare)
}

/** Quickselect: puts the item of this rank into its place, smaller ones before it, larger ones behind it. */
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
