import { Because, becauseKinds, v2 } from '@pulseward/contract'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { becauses } from '../deciding/health/because.fixture.ts'
import { becauseV1, becauseV2 } from './because-view.ts'

const all = Object.values(becauses)

describe('a reason on the wire', () => {
  it.each(all)('has only members that the contract knows: $kind', (because) => {
    const inV1 = becauseV1(because)
    const inV2 = becauseV2(because)
    expect(Value.Check(Because, inV1)).toBe(true)
    expect(Object.keys(Because.properties)).toEqual(expect.arrayContaining(Object.keys(inV1 ?? {})))
    expect(Value.Check(v2.Because, inV2)).toBe(true)
    expect(Object.keys(inV2 ?? {})).toHaveLength(Object.keys(because).length)
  })

  it('has the kinds of the contract', () => {
    expect(Object.keys(becauses).sort()).toEqual([...becauseKinds].sort())
  })

  it('spells names as each version does, and times as text', () => {
    expect(becauseV1(becauses.cooldown)).toEqual({ kind: 'cooldown', cooldown_ms: 300_000, since_ms: 50 })
    expect(becauseV2(becauses.owed_green)).toEqual({ kind: 'owed_green', actionID: 'code-3' })
    expect(becauseV2(becauses.maintenance)).toEqual({
      kind: 'maintenance',
      until: '2033-05-18T03:33:20.000Z',
    })
  })

  it('is null where the record has none', () => {
    expect([becauseV1(null), becauseV2(undefined)]).toEqual([null, null])
  })
})
