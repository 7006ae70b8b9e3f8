// platform/due-heap.ts: a heap ordered by due time, then by arrival. Taking and adding are O(log n). It
// cannot find an item: the caller skips an obsolete item when it is taken, or removes it with keep.

export interface Due {
  readonly dueAt: number
  /** Breaks ties: the order of arrival. */
  readonly sequence: number
}

export class DueHeap<Item extends Due> {
  #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  get first(): Item | undefined {
    return this.#items[0]
  }

  /** In no particular order. */
  values(): Iterable<Item> {
    return this.#items
  }

  /** The item's dueAt and sequence must not change until it is taken. */
  add(item: Item): void {
    const items = this.#items
    let place = items.push(item) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!comesBefore(item, items[parent]!)) break
      items[place] = items[parent]!
      place = parent
    }
    items[place] = item
  }

  take(): Item | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (items.length > 0) this.#sink(last!, 0)
    return first
  }

  /** Keeps only these; O(n). */
  keep(isWanted: (item: Item) => boolean): void {
    this.#items = this.#items.filter(isWanted)
    for (let place = (this.#items.length >> 1) - 1; place >= 0; place--)
      this.#sink(this.#items[place]!, place)
  }

  #sink(item: Item, place: number): void {
    const items = this.#items
    for (;;) {
      let child = 2 * place + 1
      if (child >= items.length) break
      if (child + 1 < items.length && comesBefore(items[child + 1]!, items[child]!)) child++
      if (!comesBefore(items[child]!, item)) break
      items[place] = items[child]!
      place = child
    }
    items[place] = item
  }
}

function comesBefore(a: Due, b: Due): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.sequence < b.sequence)
}
