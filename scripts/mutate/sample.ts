// scripts/mutate/sample.ts: a sample chosen by a seed. Each item is selected by its own name, so that a
// change of the code elsewhere does not change the rest of the sample.
import { createHash } from 'node:crypto'

export function sample<Item>(
  items: readonly Item[],
  count: number,
  seed: number,
  nameOf: (item: Item) => string,
): Item[] {
  const rankOf = (item: Item) =>
    createHash('sha256')
      .update(`${seed}\n${nameOf(item)}`)
      .digest('hex')
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0))
    .slice(0, count)
    .map(({ item }) => item)
}
