import { describe, expect, it } from 'vitest'
import { nextKeyName } from './key-name.ts'

describe('the credential of a new key', () => {
  it('has the name of the previous one with the next number', () => {
    expect(nextKeyName('backup-key')).toBe('backup-key-2')
    expect(nextKeyName('backup-key-2')).toBe('backup-key-3')
    expect(nextKeyName('key-of-2026-11-9')).toBe('key-of-2026-11-10')
  })
})
