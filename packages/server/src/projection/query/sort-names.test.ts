import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedWriter } from '../../platform/packed-strings.ts'
import { orderByName } from './sort-names.ts'

function order(names: readonly string[], ids = names.map((_, row) => row), present = names.map(() => 1)) {
  const writer = new PackedWriter()
  for (const name of names) writer.append(name)
  return [...orderByName(writer.finish(), Uint8Array.from(present), Uint32Array.from(ids))]
}

function byCodePoints(left: string, right: string): number {
  const [a, b] = [[...left], [...right]]
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = a[index]!.codePointAt(0)! - b[index]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

describe('the order of the list', () => {
  it('goes by code points, which is not the order of UTF-16', () => {
    const names = ['\u{1F600}', '\uFF5E', 'z', 'Z', 'é', 'e\u0301', '']
    expect(order(names).map((row) => names[row])).toEqual([
      '',
      'Z',
      'e\u0301',
      'z',
      'é',
      '\uFF5E',
      '\u{1F600}',
    ])
    expect('\u{1F600}' < '\uFF5E').toBe(true)
  })

  it('goes by numeric id among equal names, however many', () => {
    const ids = Array.from({ length: 100 }, (_, row) => (row * 37) % 100)
    const sorted = order(Array(100).fill('same'), ids)
    expect(sorted.map((row) => ids[row])).toEqual(ids.toSorted((left, right) => left - right))
  })

  it('leaves out rows without a monitor', () => {
    expect(order(['b', 'gone', 'a'], [0, 1, 2], [1, 0, 1])).toEqual([2, 0])
    expect(order([])).toEqual([])
  })

  it('agrees with a comparing sort, also where many names begin alike', () => {
    const name = fc
      .tuple(
        fc.constantFrom('', 'service ', 'service a\u{1F600}', 'svc-\uFF5E'),
        fc.string({ unit: 'binary', maxLength: 3 }),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (names, copies) => {
        const all = Array.from({ length: copies }, () => names).flat()
        const ids = all.map((_, row) => all.length - row)
        const expected = [...all.keys()].sort(
          (left, right) => byCodePoints(all[left]!, all[right]!) || ids[left]! - ids[right]!,
        )
        expect(order(all, ids)).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })

  it('has each monitor once, while another thread adds and removes some', async () => {
    const rows = 20_000
    const writer = new PackedWriter()
    for (let row = 0; row < rows; row++) writer.append(`monitor ${row}`)
    const present = new Uint8Array(new SharedArrayBuffer(rows)).fill(1)
    const changes = `const { workerData: present } = require('node:worker_threads')
      for (let row = 0; ; row = (row + 7) % present.length) present[row] ^= 1`
    const controller = new Worker(changes, { eval: true, workerData: present })
    try {
      await expect.poll(() => present.includes(0)).toBe(true)
      for (let round = 0; round < 20; round++) {
        const found = orderByName(writer.finish(), present, new Uint32Array(rows))
        expect(new Set(found).size).toBe(found.length)
      }
    } finally {
      await controller.terminate()
    }
  })
})
