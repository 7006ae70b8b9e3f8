// store/memory-trends.ts: trend blocks of the store in memory.
import type { SavedLevel, TrendLevel } from '../trends/levels.ts'
import type { OpenTrendBlock } from './trend.ts'
import type { TrendRows } from './trend-keeping.ts'

export class MemoryTrends implements TrendRows {
  readonly #levels: Readonly<Record<TrendLevel, Map<number, Uint8Array>>> = {
    minute: new Map(),
    fiveMinutes: new Map(),
    hour: new Map(),
    day: new Map(),
  }
  readonly #open = new Map<string, OpenTrendBlock>()

  read(level: TrendLevel, key: number): Uint8Array | null {
    return this.#levels[level].get(key) ?? null
  }

  write(level: TrendLevel, key: number, bytes: Uint8Array): void {
    this.#levels[level].set(key, bytes.slice())
  }

  firstFrom(level: TrendLevel, key: number): number | null {
    let first: number | null = null
    for (const each of this.#levels[level].keys())
      if (each >= key && (first === null || each < first)) first = each
    return first
  }

  removeBelow(level: TrendLevel, key: number, atMost: number): number {
    const rows = this.#levels[level]
    const old = [...rows.keys()].filter((each) => each < key).sort((one, other) => one - other)
    const removed = old.slice(0, atMost)
    for (const each of removed) rows.delete(each)
    return removed.length
  }

  readOpen(level: SavedLevel, block: number): OpenTrendBlock | null {
    return this.#open.get(`${level} ${block}`) ?? null
  }

  allOpen(): OpenTrendBlock[] {
    return [...this.#open.values()].sort(
      (one, other) => one.level.localeCompare(other.level) || one.block - other.block,
    )
  }

  writeOpen(open: OpenTrendBlock): void {
    this.#open.set(`${open.level} ${open.block}`, { ...open, bytes: open.bytes.slice() })
  }

  removeOpen(level: SavedLevel, block: number): void {
    this.#open.delete(`${level} ${block}`)
  }
}
