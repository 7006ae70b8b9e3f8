import { describe, expect, it } from 'vitest'
import { stripCells, stripInWords } from './cells.ts'

const ofFiveMinutes = { cellSeconds: 300 }

describe('a strip', () => {
  it('shows the healthy share of each cell, and nothing where nothing was counted', () => {
    const counted = { ...ofFiveMinutes, samples: [0, 4, 4, 0, 2], healthy: [0, 4, 3, 0, 0] }
    expect(stripCells(counted, 10_000)).toEqual([null, 1, 0.75, null, 0])
  })

  it('lets a check count until the next one is due, and no longer', () => {
    const counted = { ...ofFiveMinutes, samples: [0, 1, 0, 0, 0, 1], healthy: [0, 1, 0, 0, 0, 0] }
    expect(stripCells(counted, 900_000)).toEqual([null, 1, 1, 1, null, 0])
  })

  it('says in words over which time it is', () => {
    const counted = { ...ofFiveMinutes, samples: Array(36).fill(2), healthy: [0, ...Array(35).fill(2)] }
    expect(stripInWords(counted)).toBe('97.22 % of checks in the last 3 h were healthy')
    expect(stripInWords({ ...ofFiveMinutes, samples: [0], healthy: [0] })).toBe(
      'No checks were counted lately',
    )
  })
})
