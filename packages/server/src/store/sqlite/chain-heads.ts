// store/sqlite/chain-heads.ts: the last event of each monitor: its position in the log and in its chain. Kept in memory,
// in blocks of consecutive numeric ids, because with one row per monitor every event would write another page. Now and
// then a sweep writes all changed blocks, a few with each commit. At startup, later heads are read from the log.
const headsPerBlock = 1024

/** One number holds both: the position in the upper bits, the turn in the lower ones. Positions up to 2^47 are exact. */
export const turns = 64

export interface Head {
  /** 0 if the monitor has no event. */
  readonly position: number
  /** Counts the monitor's events modulo 64. */
  readonly turn: number
}

export class ChainHeads {
  readonly #blocks = new Map<number, Float64Array>()
  readonly #dirty = new Set<number>()
  readonly #sweeping = new Set<number>()

  get(numericId: number): Head {
    const packed = this.#blocks.get(blockOf(numericId))?.[placeOf(numericId)] ?? 0
    return { position: Math.floor(packed / turns), turn: packed % turns }
  }

  set(numericId: number, { position, turn }: Head): void {
    const block = blockOf(numericId)
    let heads = this.#blocks.get(block)
    if (heads === undefined) {
      heads = new Float64Array(headsPerBlock)
      this.#blocks.set(block, heads)
    }
    heads[placeOf(numericId)] = position * turns + turn
    this.#dirty.add(block)
  }

  /** Queues every block that has changed so far for writing. */
  beginSweep(): void {
    for (const block of this.#dirty) this.#sweeping.add(block)
    this.#dirty.clear()
  }

  /** The number of queued blocks. */
  get sweeping(): number {
    return this.#sweeping.size
  }

  /** Queued blocks, at most this many. */
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
    const heads = new Float64Array(headsPerBlock)
    new Uint8Array(heads.buffer).set(bytes)
    this.#blocks.set(block, heads)
  }
}

function blockOf(numericId: number): number {
  return Math.floor(numericId / headsPerBlock)
}

/** Chain numbers may be negative; array indexes may not. */
function placeOf(numericId: number): number {
  return numericId - blockOf(numericId) * headsPerBlock
}
