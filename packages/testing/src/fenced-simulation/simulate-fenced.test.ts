// Several processes on one store keep every rule, over faults of clocks, network and disk; and every way in which the fence
// can be wrong is noticed. `npm run tool -- shared-store` is the long run.
import { describe, expect, it } from 'vitest'
import { type FencedDefect, type FencedDefectName, fencedDefects } from './fenced-defects.ts'
import { simulateFenced } from './simulate-fenced.ts'

const stormy = { seed: 6, hours: 0.1, monitors: 6, intervalSeconds: 5, processes: 2, storm: 12 }

it('do nothing twice, lose nothing and tell every incident', async () => {
  const { violation, takeovers, effects } = await simulateFenced({ ...stormy, defect: null })
  expect(violation).toBeNull()
  expect(takeovers).toBeGreaterThan(1)
  expect(effects).toBeGreaterThan(50)
})

it.each([1, 2, 3])('keep every rule for hours, seed %i', { tags: 'long' }, async (seed) => {
  const options = { ...stormy, seed, hours: 2, intervalSeconds: 20, processes: 3, storm: 4 }
  expect((await simulateFenced({ ...options, defect: null })).violation).toBeNull()
})

it('go the same way again with the same seed', { tags: 'long' }, async () => {
  const options = { ...stormy, seed: 7, hours: 0.2, defect: null }
  expect(await simulateFenced(options)).toEqual(await simulateFenced(options))
})

describe('a defect of the fence is noticed', () => {
  const nothingCommitted = 'a fenced process commits nothing'
  const nothingChecked = 'a fenced process checks nothing'
  /** The rule that must notice it, in a run in which it shows early; found by trying. */
  const scenes: Readonly<Record<FencedDefectName, { rule: string; seed: number; hours?: number }>> = {
    'no-fence': { rule: nothingCommitted, seed: 6 },
    'fence-of-itself': { rule: nothingCommitted, seed: 6 },
    'renewed-by-name': { rule: nothingCommitted, seed: 17, hours: 0.05 },
    'confirmed-by-a-read': { rule: nothingChecked, seed: 44 },
    'there-is-enough': { rule: nothingChecked, seed: 19 },
  }

  it.each(Object.entries(fencedDefects))('%s', async (name, defect: FencedDefect) => {
    const { rule, ...scene } = scenes[name as FencedDefectName]
    const { violation } = await simulateFenced({ ...stormy, ...scene, defect })
    expect(violation?.rule, defect.summary).toBe(rule)
  })
})
