// store/memory-staging.ts: staged items in memory, for the store in memory and for collections that are
// processed once and never kept.
import type {
  PlannedItem,
  PlannedStagedItem,
  StagedItem,
  StagedOperation,
  Staging,
  StagingHead,
} from './staging.ts'

export class MemoryStaging implements Staging {
  readonly #staged = new Map<number, MemoryStagedOperation>()

  async create(head: StagingHead): Promise<StagedOperation> {
    const staged = new MemoryStagedOperation(head)
    this.#staged.set(head.number, staged)
    return staged
  }

  async open(number: number, store: string): Promise<StagedOperation | null> {
    const staged = this.#staged.get(number)
    return staged?.head.store === store ? staged : null
  }

  async share(): Promise<void> {}

  async remove(number: number): Promise<void> {
    this.#staged.delete(number)
  }

  async numbers(): Promise<readonly number[]> {
    return [...this.#staged.keys()]
  }
}

export class MemoryStagedOperation implements StagedOperation {
  #head: StagingHead
  /** By ordinal. */
  readonly #items: StagedItem[] = []
  readonly #byItemId = new Map<string, StagedItem>()
  /** The first item of each resource. */
  readonly #byResource = new Map<string, number>()
  readonly #plan = new Map<number, PlannedItem>()
  /** The plan in the order of application; null after a change. */
  #inOrder: readonly PlannedItem[] | null = null

  constructor(head: StagingHead) {
    this.#head = head
  }

  get head(): StagingHead {
    return this.#head
  }

  get uploaded(): number {
    return this.#items.length
  }

  find(itemId: string): StagedItem | null {
    return this.#byItemId.get(itemId) ?? null
  }

  add<Item extends Omit<StagedItem, 'ordinal'>>(
    items: readonly Item[],
    touchedAt: number,
    repeated: (item: Item) => void,
    counted: (added: number) => void,
  ): Item[] {
    const before = this.#items.length
    const added: Item[] = []
    try {
      for (const item of items) {
        if (this.#byItemId.has(item.itemId)) repeated(item)
        else {
          this.#add({ ...item, ordinal: before + added.length })
          added.push(item)
        }
      }
      counted(added.length)
    } catch (error) {
      for (const { itemId } of this.#items.splice(before)) this.#byItemId.delete(itemId)
      throw error
    }
    this.touch(touchedAt)
    return added
  }

  touch(touchedAt: number): void {
    this.#head = { ...this.#head, touchedAt }
  }

  itemsFrom(ordinal: number, count: number): StagedItem[] {
    return this.#items.slice(ordinal, ordinal + count)
  }

  digestsFrom(ordinal: number, count: number): StagedItem[] {
    return this.itemsFrom(ordinal, count)
  }

  indexResources(): void {
    this.#plan.clear()
    this.#inOrder = null
    this.#byResource.clear()
    for (const item of this.#items) {
      const key = resourceKey(item.kind, item.id)
      if (!this.#byResource.has(key)) this.#byResource.set(key, item.ordinal)
    }
  }

  ordinalOf(kind: number, id: string): number {
    return this.#byResource.get(resourceKey(kind, id)) ?? -1
  }

  *repeatedResources(): Generator<{ readonly ordinal: number; readonly first: number }> {
    for (const { kind, id, ordinal } of this.#items) {
      const first = this.ordinalOf(kind, id)
      if (first !== ordinal) yield { ordinal, first }
    }
  }

  plan(items: readonly PlannedItem[]): void {
    for (const item of items) this.#plan.set(item.ordinal, item)
    this.#inOrder = null
  }

  rerank(changes: Iterable<{ readonly ordinal: number; readonly from: number; readonly to: number }>): void {
    for (const { ordinal, from, to } of changes) {
      const item = this.#plan.get(ordinal)
      if (item?.rank === from) this.#plan.set(ordinal, { ...item, rank: to })
    }
    this.#inOrder = null
  }

  planned(place: number, count: number): PlannedStagedItem[] {
    return this.#planned(place, count)
  }

  plannedAfter(rank: number, ordinal: number, count: number): PlannedStagedItem[] {
    const isAfter = (item: PlannedItem) => item.rank > rank || (item.rank === rank && item.ordinal > ordinal)
    const place = this.#sorted().findIndex(isAfter)
    return place === -1 ? [] : this.#planned(place, count)
  }

  foreseen(count: number): (Pick<StagedItem, 'itemId'> & Pick<PlannedItem, 'seen' | 'outcome'>)[] {
    return this.#items.slice(0, count).flatMap(({ itemId, ordinal }) => {
      const item = this.#plan.get(ordinal)
      return item === undefined ? [] : [{ itemId, seen: item.seen, outcome: item.outcome }]
    })
  }

  async settle(): Promise<void> {}

  [Symbol.dispose](): void {}

  #add(item: StagedItem): void {
    this.#items.push(item)
    this.#byItemId.set(item.itemId, item)
  }

  #planned(place: number, count: number): PlannedStagedItem[] {
    const items = this.#sorted().slice(place, place + count)
    return items.map((item) => ({ ...this.#items[item.ordinal]!, ...item }))
  }

  #sorted(): readonly PlannedItem[] {
    this.#inOrder ??= [...this.#plan.values()].sort(
      (one, other) => one.rank - other.rank || one.ordinal - other.ordinal,
    )
    return this.#inOrder
  }
}

function resourceKey(kind: number, id: string): string {
  return `${kind} ${id}`
}
