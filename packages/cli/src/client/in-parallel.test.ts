import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inParallel } from './in-parallel.ts'

const values = Array.from({ length: 20 }, (_, index) => index)

describe('work on many values', () => {
  it('is done with each once, and never with more at a time than allowed', async () => {
    const done: number[] = []
    const counts: number[] = []
    let atOnce = 0
    await inParallel(values, 3, async (value) => {
      counts.push(++atOnce)
      await turn()
      atOnce--
      done.push(value)
    })
    expect(done.toSorted((a, b) => a - b)).toEqual(values)
    expect(Math.max(...counts)).toBe(3)
  })

  it('begins no other after a failure', async () => {
    const begun: number[] = []
    const failing = inParallel(values, 3, async (value) => {
      begun.push(value)
      await turn()
      if (value === 4) throw new Error('the fifth fails')
    })
    await expect(failing).rejects.toThrow('the fifth fails')
    await turn()
    expect(begun.length).toBeLessThan(9)
  })
})
