import { describe, expect, it } from 'vitest'
import { PackedReader } from '../platform/packed-strings.ts'
import { FirstTagNumbers } from './first-tags.ts'

describe('first tags', () => {
  it('are numbered once each, none as an empty text, and more follow when lists do', () => {
    const lists = [['\u{1F600}', 'a'], [], ['b'], ['\uFF5E'], ['b', 'x'], ['B']]
    const numbers = new FirstTagNumbers()
    const { tags, ofList } = numbers.add(lists)
    const reader = new PackedReader(tags)
    expect([...tags.starts.keys()].map((row) => reader.get(row))).toEqual([
      '\u{1F600}',
      '',
      'b',
      '\uFF5E',
      'B',
    ])
    const firstOf = (count: number) => [...ofList.subarray(0, count)].map((row) => reader.get(row))
    expect(firstOf(lists.length)).toEqual(lists.map((list) => list[0] ?? ''))
    expect(ofList.buffer).toBeInstanceOf(SharedArrayBuffer)
    const more = numbers.add([...lists, ['c'], ['b']])
    expect(new PackedReader(more.tags).get(more.ofList[6]!)).toBe('c')
    expect(more.ofList[7]).toBe(ofList[2])
  })
})
