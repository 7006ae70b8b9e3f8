// store/moving/compare-stores.ts: compares two stores row by row, in the order of the keys, so neither is in memory as a
// whole. A difference names the row and its fields and never shows a value: values may be secret.
import { compareUtf8 } from '../utf8-order.ts'
import type { ReadableStore } from './movable-store.ts'
import { type PartName, partNames, parts, type RowOf } from './portable-rows.ts'

export interface Comparison {
  /** In sentences, at most `differencesShown`; empty if the stores are identical. */
  readonly differences: readonly string[]
  /** How many rows were compared. */
  readonly rows: number
}

/** Called after each chunk, with the number of rows so far; throws to stop. */
export type OnRows = (rows: number) => void

const differencesShown = 10

type Row = Readonly<Record<string, unknown>>

/** The differences say what the second store has instead. */
export async function compareStores(
  one: ReadableStore,
  other: ReadableStore,
  onRows: OnRows = () => {},
): Promise<Comparison> {
  const differences = await headDifferences(one, other)
  let rows = 0
  for (const name of partNames) {
    for await (const { left, right } of pairs(name, one, other)) {
      if (++rows % 1_000 === 0) onRows(rows)
      const difference = differenceOf(name, left, right)
      if (difference === null) continue
      differences.push(difference)
      if (differences.length >= differencesShown) return { differences, rows }
    }
  }
  onRows(rows)
  return { differences, rows }
}

async function headDifferences(one: ReadableStore, other: ReadableStore): Promise<string[]> {
  const [left, right] = (await Promise.all([one.head(), other.head()])) as unknown as [Row, Row]
  return Object.keys(left)
    .filter((field) => JSON.stringify(left[field]) !== JSON.stringify(right[field]))
    .map((field) => `The head has another ${inWords(field)}.`)
}

interface Pair {
  readonly left: Row | null
  readonly right: Row | null
}

/** Rows with the same key, or one without a counterpart. */
async function* pairs(name: PartName, one: ReadableStore, other: ReadableStore): AsyncIterable<Pair> {
  const { key } = parts[name]
  await using lefts = new RowStream(one, name)
  await using rights = new RowStream(other, name)
  for (;;) {
    const [left, right] = [lefts.row ?? (await lefts.read()), rights.row ?? (await rights.read())]
    if (left === null && right === null) return
    const order = left === null ? 1 : right === null ? -1 : compareKeys(left, right, key)
    yield { left: order <= 0 ? left : null, right: order >= 0 ? right : null }
    if (order <= 0) lefts.next()
    if (order >= 0) rights.next()
  }
}

/** Rows one by one, without waiting where there is one already. */
class RowStream<Name extends PartName> implements AsyncDisposable {
  readonly #chunks: AsyncIterator<readonly RowOf<Name>[]>
  #chunk: readonly Row[] = []
  #place = 0

  constructor(store: ReadableStore, name: Name) {
    this.#chunks = store.rows(name)[Symbol.asyncIterator]()
  }

  get row(): Row | null {
    return this.#chunk[this.#place] ?? null
  }

  next(): void {
    this.#place++
  }

  /** Null at the end. */
  async read(): Promise<Row | null> {
    while (this.row === null) {
      const { done, value } = await this.#chunks.next()
      if (done) return null
      this.#chunk = value as readonly Row[]
      this.#place = 0
    }
    return this.row
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.()
  }
}

function compareKeys(one: Row, other: Row, key: readonly string[]): number {
  for (const field of key) {
    const [left, right] = [one[field], other[field]]
    const order =
      typeof left === 'string' ? compareUtf8(left, right as string) : (left as number) - (right as number)
    if (order !== 0) return order
  }
  return 0
}

function differenceOf(name: PartName, left: Row | null, right: Row | null): string | null {
  if (left === null) return `${named(name, right!)} is only in the second store.`
  if (right === null) return `${named(name, left)} is missing in the second store.`
  const fields = Object.keys(left).filter((field) => !isSame(left[field], right[field]))
  return fields.length === 0
    ? null
    : `${named(name, left)} has another ${fields.map(inWords).join(', ')} in the second store.`
}

/** Such as `The event 512`. */
function named(name: PartName, row: Row): string {
  const { noun, key } = parts[name]
  return `The ${noun} ${key.map((field) => String(row[field])).join('/')}`
}

function inWords(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function isSame(left: unknown, right: unknown): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0
  return left === right
}
