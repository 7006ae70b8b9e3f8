// Checks at several places do what the model says, and every planted defect is noticed.
import { describe, expect, it } from 'vitest'
import { placeDefects } from './place-defects.ts'
import { simulatePlaces } from './simulate-places.ts'

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const seconds = 600

const equals = 'differs in nothing from the model, seed %i'
it.each(seeds.slice(0, 1))(equals, equalsTheModel)
it.each(seeds.slice(1))(equals, { tags: 'long' }, equalsTheModel)

async function equalsTheModel(seed: number): Promise<void> {
  const { difference, ended } = await simulatePlaces({ seed, seconds })
  expect(difference).toBeNull()
  // All of it has happened.
  expect(Math.min(...Object.values(ended))).toBeGreaterThan(0)
}

describe('a planted defect', () => {
  it.each(Object.entries(placeDefects))('is noticed: %s', { tags: 'long' }, async (_, { by, plant }) => {
    const putBack = plant()
    try {
      const found: string[] = []
      for (const seed of seeds) {
        const { difference } = await simulatePlaces({ seed, seconds })
        if (difference !== null) found.push(difference)
        if (found.length > 0) break
      }
      expect(found).toEqual([expect.stringMatching(by)])
    } finally {
      putBack()
    }
  })
})
