// store/sqlite/chain-heads.ts: the last event of each monitor: its position and how many there were. Kept in memory
// in blocks of consecutive numeric ids, because a row a monitor would cost every event a page of its own. Now and then
// all blocks that changed are written, a few with each commit: a sweep. What came after it is read from the log.
export const headsPerBlock = 1024

export interface Head {
  /** 0 when the monitor has no event. */
  readonly position: number
  readonly ordinal: number
}

export class ChainHeads {
  readonly #blocks = new Map<number, Float64Array>()
  readonly #dirty = new Set<number>()
  readonly #sweeping = new Set<number>()

  get(numericId: number): Head {
    const columns = this.#blocks.get(blockOf(numericId))
    const place = (numericId % headsPerBlock) * 2
    return { position: columns?.[place] ?? 0, ordinal: columns?.[place + 1] ?? 0 }
  }

  set(numericId: number, { position, ordinal }: Head): void {
    const block = blockOf(numericId)
    let columns = this.#blocks.get(block)
    if (columns === undefined) {
      columns = new Float64Array(headsPerBlock * 2)
      this.#blocks.set(block, columns)
    }
    const place = (numericId % headsPerBlock) * 2
    columns[place] = position
    columns[place + 1] = ordinal
    this.#dirty.add(block)
  }

  /** From now on every block that is changed already is waiting to be written. */
  beginSweep(): void {
    for (const block of this.#dirty) this.#sweeping.add(block)
    this.#dirty.clear()
  }

  /** How many blocks are waiting. */
  get sweeping(): number {
    return this.#sweeping.size
  }

  /** Blocks that are waiting, up to so many. */
  *waitingBlocks(most: number): Iterable<{ block: number; bytes: Uint8Array }> {
    for (const block of this.#sweeping) {
      if (most-- === 0) return
      yield { block, bytes: new Uint8Array(this.#blocks.get(block)!.buffer) }
    }
  }

  written(blocks: readonly number[]): void {
    for (const block of blocks) this.#sweeping.delete(block)
  }

  load(block: number, bytes: Uint8Array): void {
    const columns = new Float64Array(headsPerBlock * 2)
    new Uint8Array(columns.buffer).set(bytes)
    this.#blocks.set(block, columns)
  }
}

function blockOf(numericId: number): number {
  return Math.floor(numericId / headsPerBlock)
}
