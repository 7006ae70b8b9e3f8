import { FakeClock } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { defaultWorkerRates, WriteLimits } from './write-limits.ts'

/** As many as are allowed one after the other, and the refusal that ends them. */
function writeUntilRefused(limits: WriteLimits, principal: string) {
  for (let count = 0; ; count++) {
    const decision = limits.begin(principal)
    if (!decision.allowed) return { count, ...decision }
    decision.end()
  }
}

function hold(limits: WriteLimits, principal: string, count: number) {
  return Array.from({ length: count }, () => {
    const decision = limits.begin(principal)
    if (!decision.allowed) throw new Error('refused')
    return decision
  })
}

describe('the writes of a principal', () => {
  it('come in bursts of 4,000', () => {
    const limits = new WriteLimits(new FakeClock())
    expect(writeUntilRefused(limits, 'ann')).toEqual({ count: 4_000, allowed: false, retryAfterSeconds: 1 })
  })

  it('are 2,000 per second after a burst, and a burst again after two quiet seconds', () => {
    const clock = new FakeClock()
    const limits = new WriteLimits(clock)
    writeUntilRefused(limits, 'ann')
    clock.advance(1_000)
    expect(writeUntilRefused(limits, 'ann').count).toBe(2_000)
    clock.advance(2_000)
    expect(writeUntilRefused(limits, 'ann').count).toBe(4_000)
    clock.advance(3_600_000)
    expect(writeUntilRefused(limits, 'ann').count).toBe(4_000)
  })

  it('are counted exactly however often it asks in vain', () => {
    const clock = new FakeClock()
    const limits = new WriteLimits(clock)
    writeUntilRefused(limits, 'ann')
    let count = 0
    for (let step = 0; step < 10_000; step++) {
      clock.advance(0.1)
      count += writeUntilRefused(limits, 'ann').count
    }
    expect(count).toBeGreaterThanOrEqual(1_999)
    expect(count).toBeLessThanOrEqual(2_000)
  })

  it('are at most 64 at once, and a refused one costs nothing', () => {
    const limits = new WriteLimits(new FakeClock())
    const held = hold(limits, 'ann', 64)
    for (let again = 0; again < 5_000; again++)
      expect(limits.begin('ann')).toEqual({ allowed: false, retryAfterSeconds: 1 })
    held[0]?.end()
    expect(writeUntilRefused(limits, 'ann').count).toBe(4_000 - 64)
  })

  it('end once, however often that is said', () => {
    const limits = new WriteLimits(new FakeClock())
    const [first] = hold(limits, 'ann', 64)
    first?.end()
    first?.end()
    expect(limits.begin('ann').allowed).toBe(true)
    expect(limits.begin('ann').allowed).toBe(false)
  })

  it('do not touch those of another', () => {
    const limits = new WriteLimits(new FakeClock())
    writeUntilRefused(limits, 'ann')
    hold(limits, 'bob', 64)
    expect(limits.begin('cem').allowed).toBe(true)
  })

  it('are not affected by a wall clock that is set', () => {
    const clock = new FakeClock()
    const limits = new WriteLimits(clock)
    writeUntilRefused(limits, 'ann')
    clock.jumpWall(86_400_000)
    expect(limits.begin('ann').allowed).toBe(false)
    clock.jumpWall(-172_800_000)
    clock.advance(1_000)
    expect(writeUntilRefused(limits, 'ann').count).toBe(2_000)
  })

  it('are told to come back when there is room, with slow rates too', () => {
    const clock = new FakeClock()
    const limits = new WriteLimits(clock, { perSecond: 0.1, burst: 1, atOnce: 1 })
    expect(writeUntilRefused(limits, 'ann')).toEqual({ count: 1, allowed: false, retryAfterSeconds: 10 })
    clock.advance(9_999)
    expect(limits.begin('ann').allowed).toBe(false)
    clock.advance(1)
    expect(limits.begin('ann').allowed).toBe(true)
  })
})

describe('calls of workers', () => {
  it('leave room for a thousand jobs per second of one principal, for as long as it likes', () => {
    const clock = new FakeClock()
    const limits = new WriteLimits(clock, defaultWorkerRates)
    for (let second = 0; second < 60; second++) {
      // A start and a result of up to 2 KiB each job, and a poll for every 16.
      for (let job = 0; job < 1_000; job++) {
        expect(limits.begin('fleet').allowed).toBe(true)
        expect(limits.begin('fleet').allowed).toBe(true)
        limits.charge('fleet', 1)
        if (job % 16 === 0) expect(limits.begin('fleet').allowed).toBe(true)
      }
      clock.advance(1_000)
    }
  })

  it('that cost more than the balance are earned back before the next one', () => {
    const clock = new FakeClock()
    const limits = new WriteLimits(clock, { perSecond: 10, burst: 20, atOnce: Number.POSITIVE_INFINITY })
    expect(limits.begin('fleet').allowed).toBe(true)
    limits.charge('fleet', 48)
    expect(limits.begin('fleet')).toEqual({ allowed: false, retryAfterSeconds: 3 })
    expect(limits.begin('other').allowed).toBe(true)
    clock.advance(3_000)
    expect(limits.begin('fleet').allowed).toBe(true)
  })
})

describe('what is remembered of principals', () => {
  it('is bounded, and nothing of one with writes in flight is forgotten', () => {
    const limits = new WriteLimits(new FakeClock())
    hold(limits, 'ann', 64)
    for (let index = 0; index < 30_000; index++) {
      const decision = limits.begin(`p-${index}`)
      if (decision.allowed) decision.end()
    }
    expect(limits.accounts).toBe(10_000)
    expect(limits.begin('ann')).toEqual({ allowed: false, retryAfterSeconds: 1 })
  })

  it('is forgotten first of those that have not written for the longest time', () => {
    const limits = new WriteLimits(new FakeClock())
    writeUntilRefused(limits, 'old')
    writeUntilRefused(limits, 'busy')
    for (let index = 0; index < 9_999; index++) {
      if (index === 5_000) limits.begin('busy')
      const decision = limits.begin(`p-${index}`)
      if (decision.allowed) decision.end()
    }
    expect(limits.begin('busy').allowed).toBe(false)
    expect(limits.begin('old').allowed).toBe(true)
  })
})
