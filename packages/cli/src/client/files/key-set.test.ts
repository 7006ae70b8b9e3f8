import { describe, expect, it } from 'vitest'
import { KeySet } from './key-set.ts'

describe('a key set', () => {
  it('knows every key that was added, however many there are', () => {
    const keys = new KeySet()
    const ids = Array.from({ length: 50_000 }, (_, index) => `Monitor/m-${index}`)
    expect(ids.filter((id) => !keys.add(id))).toEqual([])
    expect(ids.filter((id) => keys.add(id))).toEqual([])
  })
})
