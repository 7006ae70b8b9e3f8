import { describe, expect, it } from 'vitest'
import { type SoakResult, undoneSoak } from './soak-work.ts'

const flat = Array.from({ length: 40 }, () => 100)
const good: SoakResult = {
  incidents: ['a', 'b', 'c'],
  taken: { ops: { reds: ['a'], carried: 1, digests: 1 } },
  dropped: {},
  refused: 5,
  memory: flat,
}

describe('a soak', () => {
  it('showed what it is for when every incident was told and memory is flat', () => {
    expect(undoneSoak(good)).toEqual([])
  })

  it.each([
    ['an incident was never notified', { taken: { ops: { reds: ['a'], carried: 0, digests: 1 } } }],
    ['nothing happened', { incidents: [] }],
    ['nothing was refused', { refused: 0 }],
    ['memory grew', { memory: flat.map((bytes, index) => bytes + index) }],
  ])('did not when %s', (_, changed) => {
    expect(undoneSoak({ ...good, ...changed })).toHaveLength(1)
  })
})
