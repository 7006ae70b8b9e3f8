// The engine does what the model of jobs that report by themselves says, and every planted defect is noticed.
import { describe, expect, it } from 'vitest'
import { pushDefects } from './push-defects.ts'
import { simulatePush } from './simulate-push.ts'

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const steps = 60

const equals = 'differs in nothing from the model, seed %i'
it.each(seeds.slice(0, 2))(equals, equalsTheModel)
it.each(seeds.slice(2))(equals, { tags: 'long' }, equalsTheModel)

async function equalsTheModel(seed: number): Promise<void> {
  expect(await simulatePush({ seed, steps, defect: null })).toBeNull()
}

describe('a planted defect', () => {
  it.each(Object.entries(pushDefects))('is noticed: %s', async (_, defect) => {
    const found: string[] = []
    for (const seed of seeds) {
      const difference = await simulatePush({ seed, steps, defect })
      if (difference !== null) found.push(difference)
      if (found.length > 0) break
    }
    expect(found, defect.summary).not.toEqual([])
  })
})
