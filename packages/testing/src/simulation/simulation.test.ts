// A short part of what `npm run simulate` does at length, and the proof that the oracle sees: every defect is noticed.
import { describe, expect, it } from 'vitest'
import { type Defect, defects } from './defects.ts'
import { simulate } from './simulation.ts'

const firstSeeds = [1, 2, 3, 4, 5, 6]

/** The first violation among a few seeds with many faults; null when none of them shows any. */
async function violationWith(defect: Defect, storm = 8): Promise<string | null> {
  for (const seed of firstSeeds) {
    const { violation } = await simulate({ seed, hours: 3, monitors: 12, storm, defect })
    if (violation !== null) return violation.invariant
  }
  return null
}

describe('simulation', () => {
  it.each(firstSeeds)('finds no violation with seed %i', async (seed) => {
    const { violation, tally } = await simulate({ seed, hours: 2, monitors: 20, storm: 3, defect: null })
    expect(violation).toBeNull()
    expect(tally.checks).toBeGreaterThan(2_000)
    expect(tally.crashes).toBeGreaterThan(0)
  })

  it('goes the same way again with the same seed', async () => {
    const options = { seed: 7, hours: 1, monitors: 20, storm: 5, defect: null }
    expect(await simulate(options)).toEqual(await simulate(options))
  })
})

describe('a defect is noticed', () => {
  it.each(Object.entries(defects))('%s', async (_name, defect) => {
    expect(await violationWith(defect)).not.toBeNull()
  })
})
