import { describe, expect, it } from 'vitest'
import { type Key, keyFor, pressed } from './keys.ts'

const key = (keys: string): Key => ({ keys, does: keys, run: () => {} })
const press = (name: string, more: Partial<KeyboardEvent> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

describe('a key', () => {
  it('is left alone while the user types, unless it has a modifier', () => {
    expect(pressed(press('p'), true)).toBeNull()
    expect(pressed(press('k', { ctrlKey: true }), true)).toBe('Ctrl+k')
    expect(pressed(press('K', { metaKey: true }), false)).toBe('Ctrl+k')
    expect(pressed(press('p', { altKey: true }), false)).toBeNull()
  })

  it('is the second of a sequence before it is one of its own', () => {
    const keys = [key('g m'), key('m')]
    expect(keyFor(keys, 'g', 'm')?.keys).toBe('g m')
    expect(keyFor(keys, null, 'm')?.keys).toBe('m')
    expect(keyFor(keys, 'g', 'x')).toBeUndefined()
  })

  it('belongs to the newest that registered it', () => {
    const newer = { ...key('j'), does: 'newer' }
    expect(keyFor([key('j'), newer], null, 'j')).toBe(newer)
  })
})
