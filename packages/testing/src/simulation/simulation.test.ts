// A short part of what `npm run simulate` does at length, and the proof that the oracle sees: every defect is noticed.
import { describe, expect, it } from 'vitest'
import { type Defect, defects, writeDefects } from './defects.ts'
import { simulate } from './simulation.ts'

const firstSeeds = [1, 2, 3, 4, 5, 6]
const withManyFaults = firstSeeds.map((seed) => ({ seed, hours: 3, monitors: 12, storm: 8 }))
/** Where less goes wrong, more is written. */
const withManyWrites = [1, 10].map((seed) => ({ seed, hours: 3, monitors: 10, storm: 4 }))

/** The first violation among a few runs; null when none of them shows any. */
async function violationWith(defect: Defect, writes: boolean): Promise<string | null> {
  for (const options of writes ? [...withManyWrites, ...withManyFaults] : withManyFaults) {
    const { violation } = await simulate({ ...options, defect, writes })
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

  it.each(firstSeeds)('finds no violation with writes through v2 and seed %i', async (seed) => {
    const options = { seed, hours: 2, monitors: 12, storm: 6, defect: null, writes: true }
    const { violation, tally } = await simulate(options)
    expect(violation).toBeNull()
    for (const outcome of ['created', 'updated', 'deleted', 'versionConflict'])
      expect(tally.writes[outcome], outcome).toBeGreaterThan(0)
    expect(tally.compared['lists']).toBeGreaterThan(0)
  })

  it('goes the same way again with the same seed', async () => {
    const options = { seed: 7, hours: 1, monitors: 20, storm: 5, defect: null, writes: true }
    expect(await simulate(options)).toEqual(await simulate(options))
  })
})

describe('a defect is noticed', () => {
  const others = Object.entries(defects).filter(([name]) => !Object.hasOwn(writeDefects, name))

  it.each(others)('%s', async (_name, defect) => {
    expect(await violationWith(defect, false)).not.toBeNull()
  })
})

describe('a defect in writes is noticed by its rule', () => {
  const rules: Readonly<Record<string, string>> = {
    'lost-update': 'compare and swap',
    'answered-before-commit': 'visible after the commit',
    'uncommitted-shown': 'visible after the commit',
    'referenced-deleted': 'references',
    'dangling-accepted': 'references',
    'circle-accepted': 'references',
    'lists-unpinned': 'pinned lists',
    'page-ends-skipped': 'pinned lists',
    'amendment-lost': 'files and resources',
    'deleted-goes-on': 'files and resources',
    'credential-kept': 'files and resources',
    'actor-forgotten': 'one event a write',
    'write-told-twice': 'one event a write',
    'resource-lost-in-restart': 'answered writes are kept',
    'clash-taken': 'files and resources',
  }

  /** What is remembered is shown, run and in the way of others: which of it comes first depends on the seed. */
  const withdrawn = ['visible after the commit', 'files and resources', 'refused writes']

  it.each(Object.entries(writeDefects))('%s', async (name, defect) => {
    const rule = await violationWith(defect, true)
    if (name === 'withdrawn-remembered') expect(withdrawn).toContain(rule)
    else expect(rule).toBe(rules[name])
  })
})
