import { describe, expect, it } from 'vitest'
import { YieldToChecks } from './yield-to-checks.ts'

const bounds = { lateMs: 80, waitedAtMostMs: 50, lookEveryMs: 5 }

describe('a write', () => {
  it('begins at once while checks start on time', () => {
    expect(new YieldToChecks(() => 80, bounds).turn()).toBe(null)
  })

  it('waits while they start late, and begins when they are on time again', async () => {
    const delays = [400, 300, 81, 79, 500]
    await new YieldToChecks(() => delays.shift() ?? 0, bounds).turn()
    expect(delays).toEqual([500])
  })

  it('is not kept back for ever by checks that stay late', async () => {
    let looks = 0
    await new YieldToChecks(() => 1_000 + looks++, bounds).turn()
    expect(looks).toBe(11)
  })
})
