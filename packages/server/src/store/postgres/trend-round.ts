// store/postgres/trend-round.ts: lets the rules of trends (trend-keeping.ts), which read and write rows one by one, work
// on rows that are a round trip away. They run on what was loaded so far; what they lack is loaded, and they run again,
// until they lack nothing. What they have written is then written at once. Two or three rounds are the rule.
import type { SavedLevel, TrendLevel } from '../../trends/levels.ts'
import { type OpenTrendBlock, storedLevels } from '../trend.ts'
import { TrendKeeping, type TrendRows } from '../trend-keeping.ts'

/** Rows as the commit function takes them. */
export interface TrendChanges {
  readonly closed: readonly (readonly unknown[])[]
  /** Without bytes: removed. */
  readonly open: readonly (readonly unknown[])[]
  readonly removed: readonly { readonly level: number; readonly below: number; readonly count: number }[]
}

export interface TrendQueries {
  rows(level: number, keys: readonly number[]): Promise<readonly { key: number; bytes: Uint8Array }[]>
  firstFrom(level: number, key: number): Promise<number | null>
  countBelow(level: number, key: number, atMost: number): Promise<number>
  open(level: number, block: number): Promise<{ cell: number; bytes: Uint8Array } | null>
}

export async function trendRound<Result>(
  keeping: KeptTrends,
  queries: TrendQueries,
  work: (keeping: TrendKeeping) => Result,
): Promise<{ result: Result; changes: TrendChanges }> {
  const loaded = new LoadedTrends()
  for (;;) {
    keeping.discard()
    const round = new TrendRound(loaded)
    const result = keeping.over(round, work)
    if (!loaded.lacks) return { result, changes: round.changes() }
    await loaded.load(queries)
  }
}

/** The rules, with what they remember between calls. */
export class KeptTrends {
  #rows: TrendRows | null = null
  readonly #keeping: TrendKeeping

  constructor() {
    const rows = () => this.#rows!
    this.#keeping = new TrendKeeping({
      read: (level, key) => rows().read(level, key),
      write: (level, key, bytes) => rows().write(level, key, bytes),
      firstFrom: (level, key) => rows().firstFrom(level, key),
      removeBelow: (level, key, atMost) => rows().removeBelow(level, key, atMost),
      readOpen: (level, block) => rows().readOpen(level, block),
      writeOpen: (open) => rows().writeOpen(open),
      removeOpen: (level, block) => rows().removeOpen(level, block),
    })
  }

  over<Result>(rows: TrendRows, work: (keeping: TrendKeeping) => Result): Result {
    this.#rows = rows
    return work(this.#keeping)
  }

  settle(): void {
    this.#keeping.settle()
  }

  discard(): void {
    this.#keeping.discard()
  }
}

/** What was loaded, and what is lacking, by what was asked. */
class LoadedTrends {
  readonly rows = new Map<string, Uint8Array | null>()
  readonly firsts = new Map<string, number | null>()
  readonly counts = new Map<string, number>()
  readonly opens = new Map<string, OpenTrendBlock | null>()
  readonly #lacking = new Map<string, (queries: TrendQueries) => Promise<void>>()
  readonly #lackingRows = new Map<number, Set<number>>()

  get lacks(): boolean {
    return this.#lacking.size > 0 || this.#lackingRows.size > 0
  }

  /** The known value, or `otherwise` until it is loaded. */
  known<Value>(
    from: Map<string, Value>,
    key: string,
    otherwise: Value,
    load: (queries: TrendQueries) => Promise<Value>,
  ): Value {
    if (from.has(key)) return from.get(key)!
    this.#lacking.set(key, async (queries) => void from.set(key, await load(queries)))
    return otherwise
  }

  row(level: number, key: number): Uint8Array | null {
    const known = this.rows.get(rowKey(level, key))
    if (known === undefined)
      this.#lackingRows.set(level, (this.#lackingRows.get(level) ?? new Set()).add(key))
    return known ?? null
  }

  async load(queries: TrendQueries): Promise<void> {
    const single = [...this.#lacking.values()]
    const rows = [...this.#lackingRows]
    this.#lacking.clear()
    this.#lackingRows.clear()
    for (const [level, keys] of rows) {
      for (const key of keys) this.rows.set(rowKey(level, key), null)
      for (const { key, bytes } of await queries.rows(level, [...keys]))
        this.rows.set(rowKey(level, key), bytes)
    }
    for (const load of single) await load(queries)
  }
}

/** One run of the rules: they see what they write. */
class TrendRound implements TrendRows {
  readonly #loaded: LoadedTrends
  readonly #written = new Map<string, readonly [level: number, key: number, bytes: Uint8Array]>()
  readonly #open = new Map<string, readonly [level: number, block: number, OpenTrendBlock | null]>()
  readonly #removed: { level: number; below: number; count: number }[] = []

  constructor(loaded: LoadedTrends) {
    this.#loaded = loaded
  }

  read(name: TrendLevel, key: number): Uint8Array | null {
    const level = levelNumber(name)
    return this.#written.get(rowKey(level, key))?.[2] ?? this.#loaded.row(level, key)
  }

  write(name: TrendLevel, key: number, bytes: Uint8Array): void {
    const level = levelNumber(name)
    this.#written.set(rowKey(level, key), [level, key, bytes])
  }

  firstFrom(name: TrendLevel, key: number): number | null {
    const level = levelNumber(name)
    const { firsts } = this.#loaded
    return this.#loaded.known(firsts, `first ${level} ${key}`, null, (queries) =>
      queries.firstFrom(level, key),
    )
  }

  removeBelow(name: TrendLevel, key: number, atMost: number): number {
    const level = levelNumber(name)
    const { counts } = this.#loaded
    const asked = `count ${level} ${key} ${atMost}`
    const count = this.#loaded.known(counts, asked, 0, (queries) => queries.countBelow(level, key, atMost))
    if (count > 0) this.#removed.push({ level, below: key, count })
    return count
  }

  readOpen(name: SavedLevel, block: number): OpenTrendBlock | null {
    const level = levelNumber(name)
    const own = this.#open.get(rowKey(level, block))
    if (own !== undefined) return own[2]
    return this.#loaded.known(this.#loaded.opens, `open ${level} ${block}`, null, async (queries) => {
      const found = await queries.open(level, block)
      return found === null ? null : { level: name, block, ...found }
    })
  }

  writeOpen(open: OpenTrendBlock): void {
    const level = levelNumber(open.level)
    this.#open.set(rowKey(level, open.block), [level, open.block, open])
  }

  removeOpen(name: SavedLevel, block: number): void {
    const level = levelNumber(name)
    this.#open.set(rowKey(level, block), [level, block, null])
  }

  changes(): TrendChanges {
    return {
      closed: [...this.#written.values()],
      open: Array.from(this.#open.values(), ([level, block, open]) => [
        ...[level, block, open?.cell ?? null, open?.bytes ?? null],
      ]),
      removed: this.#removed,
    }
  }
}

export function openBlockOf(row: {
  level: number
  block: number
  cell: number
  bytes: Uint8Array
}): OpenTrendBlock {
  const level = storedLevels[row.level]
  return { ...row, level: level === 'fiveMinutes' ? level : 'hour' }
}

function levelNumber(level: TrendLevel): number {
  return storedLevels.indexOf(level)
}

function rowKey(level: number, key: number): string {
  return `${level} ${key}`
}
