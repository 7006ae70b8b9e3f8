import { expect, it } from 'vitest'
import { loadOnce } from './load-once.ts'

it('loads once, also for callers that ask while it is loading', async () => {
  let loads = 0
  const library = loadOnce(async () => ({ number: ++loads }))
  const [first, second] = await Promise.all([library(), library()])
  expect(first).toBe(second)
  expect(await library()).toEqual({ number: 1 })
})

it('tries again after a load that failed', async () => {
  let loads = 0
  const library = loadOnce(async () => {
    if (++loads === 1) throw new Error('not yet')
    return { number: loads }
  })
  await expect(library()).rejects.toThrow('not yet')
  expect(await library()).toEqual({ number: 2 })
})
