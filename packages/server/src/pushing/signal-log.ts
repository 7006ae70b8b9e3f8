// pushing/signal-log.ts: the last signals of each monitor that left more than their time: failures, runs, logs,
// and whatever was said. They are in memory, at most ten of a monitor, and at most so many bytes of all: the
// oldest go first.
import type { KeptSignal } from '../engine/source.ts'

const mostOfMonitor = 10
/** What an entry costs besides its texts. */
const entryBytes = 200

interface Entry extends KeptSignal {
  readonly row: number
}

const none: readonly never[] = []

export class SignalLog {
  readonly #mostBytes: number
  readonly #byRow = new Map<number, Entry[]>()
  /** All entries, oldest first; a Set keeps the order of insertion. */
  readonly #all = new Set<Entry>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  add(row: number, signal: KeptSignal): void {
    const entry: Entry = { ...signal, row }
    const own = this.#byRow.get(row) ?? []
    if (own.length === 0) this.#byRow.set(row, own)
    own.push(entry)
    this.#all.add(entry)
    this.#bytes += bytesOf(entry)
    if (own.length > mostOfMonitor) this.#drop(own[0]!)
    for (const oldest of this.#all) {
      if (this.#bytes <= this.#mostBytes) break
      this.#drop(oldest)
    }
  }

  /** Newest first. */
  of(row: number): readonly KeptSignal[] {
    const own = this.#byRow.get(row)
    return own === undefined ? none : own.toReversed().map(({ row: _, ...signal }) => signal)
  }

  forget(row: number): void {
    for (const entry of [...(this.#byRow.get(row) ?? none)]) this.#drop(entry)
  }

  /** Always the oldest of its monitor. */
  #drop(entry: Entry): void {
    const own = this.#byRow.get(entry.row)
    own?.shift()
    if (own?.length === 0) this.#byRow.delete(entry.row)
    this.#all.delete(entry)
    this.#bytes -= bytesOf(entry)
  }
}

/** A text takes up to two bytes per unit. */
function bytesOf({ rid, words, output }: KeptSignal): number {
  return entryBytes + 2 * (rid.length + words.length + output.length)
}
