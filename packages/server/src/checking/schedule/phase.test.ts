import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stableHash } from '../../platform/string-hash.ts'
import {
  afterFirstCheckMs,
  FIRST_CHECK_WITHIN_MS,
  firstCheckDelayMs,
  firstSlotDelayMs,
  phaseMs,
  untilSlotMs,
} from './phase.ts'

const hash = fc.integer({ min: 0, max: 0xffff_ffff })
const intervalMs = fc.integer({ min: 1_000, max: 7 * 86_400_000 })
const wallMs = fc.integer({ min: -1_000_000, max: 4_000_000_000_000 })

describe('stableHash', () => {
  it('never changes: phases of running fleets come from it', () => {
    expect(stableHash('')).toBe(2872998923)
    expect(stableHash('checkout-api')).toBe(3491364720)
    expect(stableHash('name:ünïcode')).toBe(862200393)
  })

  it('spreads identities that differ only in a number evenly over the interval', () => {
    const perSecond = new Uint32Array(60)
    for (let index = 0; index < 60_000; index++) {
      perSecond[Math.floor(phaseMs(stableHash(`host-${index}`), 60_000) / 1_000)]!++
    }
    // 1,000 are expected in each second; five standard deviations of a random spread are 158.
    expect(Math.min(...perSecond)).toBeGreaterThan(842)
    expect(Math.max(...perSecond)).toBeLessThan(1_158)
  })
})

describe('untilSlotMs', () => {
  it('leads to a slot of the phase, in the future and within one interval', () => {
    fc.assert(
      fc.property(hash, intervalMs, wallMs, (hash, intervalMs, wallMs) => {
        const untilSlot = untilSlotMs(hash, intervalMs, wallMs)
        expect(untilSlot).toBeGreaterThan(0)
        expect(untilSlot).toBeLessThanOrEqual(intervalMs)
        expect(Math.abs((wallMs + untilSlot - phaseMs(hash, intervalMs)) % intervalMs)).toBe(0)
      }),
    )
  })
})

describe('firstCheckDelayMs', () => {
  it('stays within min(interval, 30 s) and leaves room before the slot that follows', () => {
    fc.assert(
      fc.property(hash, intervalMs, wallMs, (hash, intervalMs, wallMs) => {
        const untilSlot = untilSlotMs(hash, intervalMs, wallMs)
        const delayMs = firstCheckDelayMs(untilSlot, intervalMs)
        expect(delayMs).toBeGreaterThan(0)
        expect(delayMs).toBeLessThanOrEqual(Math.min(intervalMs, FIRST_CHECK_WITHIN_MS))
        if (delayMs !== untilSlot) {
          expect(untilSlot - delayMs).toBeGreaterThanOrEqual(
            Math.min(intervalMs / 2, FIRST_CHECK_WITHIN_MS) - 1,
          )
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([10_000, 45_000, 60_000, 3_600_000])(
    'spreads the first checks of a fleet at %i ms evenly',
    (intervalMs) => {
      const withinMs = Math.min(intervalMs, FIRST_CHECK_WITHIN_MS)
      const perSecond = new Uint32Array(withinMs / 1_000)
      for (let index = 0; index < 30_000; index++) {
        const untilSlot = untilSlotMs(stableHash(`host-${index}`), intervalMs, 1_700_000_000_123)
        perSecond[Math.floor((firstCheckDelayMs(untilSlot, intervalMs) - 1) / 1_000)]!++
      }
      const everySecond = 30_000 / perSecond.length
      expect(Math.max(...perSecond)).toBeLessThan(2 * everySecond)
    },
  )
})

describe('firstSlotDelayMs', () => {
  it('is the time until the slot and at most 2 s more, within the interval', () => {
    fc.assert(
      fc.property(hash, intervalMs, wallMs, (hash, intervalMs, wallMs) => {
        const untilSlot = untilSlotMs(hash, intervalMs, wallMs)
        const delayMs = firstSlotDelayMs(untilSlot, intervalMs)
        expect(delayMs).toBeGreaterThanOrEqual(untilSlot)
        expect(delayMs).toBeLessThanOrEqual(Math.min(intervalMs, untilSlot + 2_000))
      }),
      { numRuns: 1_000 },
    )
  })

  it('lets the rate of a fleet rise for 4 s and stay then', () => {
    const perSecond = new Uint32Array(60)
    for (let untilSlot = 1; untilSlot <= 60_000; untilSlot++)
      perSecond[Math.floor((firstSlotDelayMs(untilSlot, 60_000) - 1) / 1_000)]!++
    const steady = 60_000 / 58
    const expected = Array.from({ length: 60 }, (_, second) => steady * Math.min(1, (second + 0.5) / 4))
    for (const [second, count] of perSecond.entries())
      expect(Math.abs(count - expected[second]!), `second ${second}`).toBeLessThan(3)
  })
})

describe('afterFirstCheckMs', () => {
  it('leads to the next slot, or past one that was as good as just checked', () => {
    fc.assert(
      fc.property(hash, intervalMs, wallMs, (hash, intervalMs, wallMs) => {
        const nextMs = afterFirstCheckMs(hash, intervalMs, wallMs)
        expect(Math.abs((wallMs + nextMs - phaseMs(hash, intervalMs)) % intervalMs)).toBe(0)
        expect(nextMs).toBeGreaterThanOrEqual(Math.min(intervalMs / 4, FIRST_CHECK_WITHIN_MS / 2))
        expect(nextMs).toBeLessThan(intervalMs + FIRST_CHECK_WITHIN_MS / 2)
      }),
    )
  })
})
