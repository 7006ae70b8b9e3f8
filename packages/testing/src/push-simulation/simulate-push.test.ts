// The engine does what the model of jobs that report by themselves says, and every planted defect is noticed.
import { describe, expect, it } from 'vitest'
import { type PushDefect, pushDefects } from './push-defects.ts'
import { simulatePush } from './simulate-push.ts'

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const steps = 60

const equals = 'differs in nothing from the model, seed %i'
it.each(seeds.slice(0, 1))(equals, equalsTheModel)
it.each(seeds.slice(1))(equals, { tags: 'long' }, equalsTheModel)

async function equalsTheModel(seed: number): Promise<void> {
  expect(await simulatePush({ seed, steps, defect: null })).toBeNull()
}

describe('a planted defect', () => {
  /** They show after many steps only. */
  const late: ReadonlySet<string> = new Set(['enabled-with-old-due', 'stall-not-heeded', 'clock-not-heeded'])
  const noticed = async (_: string, defect: PushDefect) => {
    const found: string[] = []
    for (const seed of seeds) {
      const difference = await simulatePush({ seed, steps, defect })
      if (difference !== null) found.push(difference)
      if (found.length > 0) break
    }
    expect(found, defect.summary).not.toEqual([])
  }
  const planted = Object.entries(pushDefects)
  it.each(planted.filter(([name]) => !late.has(name)))('is noticed: %s', noticed)
  it.each(planted.filter(([name]) => late.has(name)))('is noticed: %s', { tags: 'long' }, noticed)
})
