import { describe, expect, it } from 'vitest'
import { candidate } from './candidate.ts'
import type { Foundation } from './edition.ts'

describe('the candidate', () => {
  it('refuses a durable store that it cannot keep instead of falling back to memory', () => {
    const foundation = { settings: { store: 'sqlite' } } as unknown as Foundation
    expect(() => candidate(foundation)).toThrow('The embedded store is not wired into the service yet')
  })
})
