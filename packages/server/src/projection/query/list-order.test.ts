import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newColumn } from '../../platform/column.ts'
import { PackedWriter } from '../../platform/packed-strings.ts'
import { ListOrder, readPage } from './list-order.ts'
import { NameSearch } from './name-search.ts'

/** A fleet whose monitors are added, renamed and removed. */
class Named {
  readonly names = new PackedWriter()
  readonly texts: (string | null)[] = []
  present = newColumn(Uint8Array, 0)
  numericId = newColumn(Uint32Array, 0)

  constructor(texts: readonly string[]) {
    this.names.append('')
    this.texts.push(null)
    this.#grow(1)
    for (const text of texts) this.set(this.texts.length, text)
  }

  get source() {
    const { present, numericId } = this
    return { names: { ...this.names.strings, starts: this.#starts }, present, numericId }
  }

  get #starts() {
    return this.names.strings.starts.subarray(0, this.texts.length)
  }

  set(row: number, text: string | null): void {
    if (row >= this.texts.length) this.#grow(row + 1)
    this.texts[row] = text
    this.names.set(row, text ?? '')
    this.present[row] = text === null ? 0 : 1
    this.numericId[row] = row
  }

  expected(): number[] {
    const rows = [...this.texts.keys()].filter((row) => this.texts[row] !== null)
    const bytes = rows.map((row) => ({ row, bytes: Buffer.from(this.texts[row]!) }))
    bytes.sort((one, other) => Buffer.compare(one.bytes, other.bytes) || one.row - other.row)
    return bytes.map(({ row }) => row)
  }

  #grow(rows: number): void {
    this.names.growTo(rows)
    while (this.texts.length < rows) this.texts.push(null)
    const larger = newColumn(Uint8Array, rows)
    larger.set(this.present)
    this.present = larger
    const ids = newColumn(Uint32Array, rows)
    ids.set(this.numericId)
    this.numericId = ids
  }
}

const change = fc.record({
  row: fc.nat({ max: 40 }),
  text: fc.option(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '1'), maxLength: 3 })),
})

describe('the order of the list', () => {
  it('stays right over any additions, new names and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 })), fc.array(fc.array(change)), (texts, batches) => {
        const named = new Named(texts)
        const order = new ListOrder(named.source)
        for (const batch of batches) {
          for (const { row, text } of batch) named.set(row, text)
          order.amend(
            named.source,
            Uint32Array.from(batch, ({ row }) => row),
          )
          expect([...order.all()]).toEqual(named.expected())
          expect(order.length).toBe(named.expected().length)
        }
      }),
    )
  })

  it('is not put out of order by names that changed after a change that it takes in', () => {
    const named = new Named(['a', 'b', 'c', 'd'])
    const order = new ListOrder(named.source)
    named.set(5, 'cc')
    const added = named.source
    named.set(2, 'zz')
    order.amend(added, Uint32Array.of(5))
    order.amend(named.source, Uint32Array.of(2))
    expect([...order.all()]).toEqual(named.expected())
  })

  it('splits and drops blocks: thousands come and go', () => {
    const named = new Named(Array.from({ length: 3_000 }, (_, row) => `monitor ${row}`))
    const order = new ListOrder(named.source)
    const amend = (rows: number[]) => order.amend(named.source, Uint32Array.from(rows))
    const later = Array.from({ length: 4_000 }, (_, index) => 3_001 + index)
    for (const row of later) named.set(row, `monitor 1${row % 97} new`)
    amend(later)
    expect([...order.all()]).toEqual(named.expected())
    const gone = named.expected().slice(1_000, 6_500)
    for (const row of gone) named.set(row, null)
    amend(gone)
    expect([...order.all()]).toEqual(named.expected())
    for (const row of named.expected()) named.set(row, null)
    amend([...named.texts.keys()])
    expect(order.length).toBe(0)
    named.set(7, 'again')
    amend([7])
    expect([...order.all()]).toEqual([7])
  })

  it('gives any page, and puts a few monitors in its order', () => {
    const named = new Named(Array.from({ length: 2_500 }, (_, row) => `m${(row * 7919) % 2_500}`))
    const order = new ListOrder(named.source)
    const expected = named.expected()
    for (const from of [0, 700, 768, 2_400, 2_499, 2_500, 9_000])
      expect(readPage(order.shared, from, from + 100)).toEqual({
        total: 2_500,
        rows: Uint32Array.from(expected.slice(from, from + 100)),
      })
    const few = Uint32Array.from([5, 900, 33, 2_500])
    expect([...order.sort(few)]).toEqual(expected.filter((row) => few.includes(row)))
  })

  it('gives no page while it is being changed', () => {
    const order = new ListOrder(new Named(['a']).source)
    Atomics.add(order.shared.state, 2, 1)
    expect(readPage(order.shared, 0, 10)).toBe(null)
  })
})

it('takes a name for empty that lies in memory which was added after the names were sent', () => {
  const names = new PackedWriter()
  for (const name of ['b', 'a', 'c']) names.append(name)
  const { chunks, starts } = names.finish()
  // As in another thread: the places of the rows are shared, the list of chunks is a copy.
  const sent = { names: { chunks: [...chunks], starts }, present: Uint8Array.of(1, 1, 1) }
  const source = { ...sent, numericId: Uint32Array.of(0, 1, 2) }
  const order = new ListOrder(source)
  names.set(0, 'd'.repeat(10_000))
  expect([...new ListOrder(source).all()]).toEqual([0, 1, 2])
  order.amend(source, Uint32Array.of(0))
  expect([...order.all()]).toEqual([0, 1, 2])
  expect(new NameSearch(source.names).rowsWith('d').count).toBe(0)
  order.amend({ ...source, names: { chunks, starts } }, Uint32Array.of(0))
  expect([...order.all()]).toEqual([1, 2, 0])
})
