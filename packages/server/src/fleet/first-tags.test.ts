import { describe, expect, it } from 'vitest'
import { PackedReader } from '../platform/packed-strings.ts'
import { firstTagsOf } from './first-tags.ts'

describe('first tags', () => {
  it('are numbered in the order of their code points, none before all', () => {
    const lists = [['\u{1F600}', 'a'], [], ['b'], ['\uFF5E'], ['b', 'x'], ['B']]
    const { tags, ofList } = firstTagsOf(lists)
    const reader = new PackedReader(tags)
    expect([...tags.starts.keys()].map((row) => reader.get(row))).toEqual([
      '',
      'B',
      'b',
      '\uFF5E',
      '\u{1F600}',
    ])
    expect([...ofList].map((row) => reader.get(row))).toEqual(lists.map((list) => list[0] ?? ''))
    expect(ofList.buffer).toBeInstanceOf(SharedArrayBuffer)
  })
})
