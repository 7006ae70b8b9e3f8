import { describe, expect, it } from 'vitest'
import { YieldToChecks } from './yield-to-checks.ts'

const bounds = { lateMs: 80, waitedAtMostMs: 50, lookEveryMs: 5 }
const isBusy = () => true

describe('a write', () => {
  it('begins at once while checks start on time', () => {
    expect(new YieldToChecks({ delayMs: () => 80, isBusy }, bounds).turn()).toBe(null)
  })

  it('begins at once while checks are late although there is time to spare', () => {
    expect(new YieldToChecks({ delayMs: () => 8_000, isBusy: () => false }, bounds).turn()).toBe(null)
  })

  it('waits while they are late for lack of time, and begins when they are on time again', async () => {
    const delays = [400, 300, 81, 79, 500]
    await new YieldToChecks({ delayMs: () => delays.shift() ?? 0, isBusy }, bounds).turn()
    expect(delays).toEqual([500])
  })

  it('is not kept back for ever by checks that stay late', async () => {
    let looks = 0
    await new YieldToChecks({ delayMs: () => 1_000 + looks++, isBusy }, bounds).turn()
    expect(looks).toBe(11)
  })
})
