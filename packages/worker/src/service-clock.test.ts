import { Random } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { Backoff } from './backoff.ts'
import { ServiceClock } from './service-clock.ts'

const start = Date.UTC(2026, 0, 1)
const moment = (ms: number) => new Date(ms).toISOString()

describe('the clock of the service', () => {
  it('is known within milliseconds after some answers, although they name seconds', () => {
    const random = new Random(7)
    let now = 0
    const clock = new ServiceClock(() => now)
    const serviceTime = () => start + 437 + now
    for (let count = 0; count < 400; count++) {
      const sentAt = now
      now += random.next() * 4
      const dateMs = Math.floor(serviceTime() / 1000) * 1000
      now += random.next() * 4
      clock.observe(dateMs, sentAt, now)
      now += random.next() * 50
    }
    expect(Math.abs(clock.msUntil(moment(serviceTime() + 5_000)) - 5_000)).toBeLessThan(60)
  })

  it('is off by no more than half a second and half the way after one answer', () => {
    const clock = new ServiceClock(() => 110)
    clock.observe(start, 100, 110)
    expect(clock.msUntil(moment(start + 2_000))).toBeCloseTo(1_495, 0)
  })

  it('follows when it is set', () => {
    let now = 0
    const clock = new ServiceClock(() => now)
    clock.observe(start, 0, 5)
    now = 10_000
    clock.observe(start - 3_600_000, now, now + 5)
    expect(Math.abs(clock.msUntil(moment(start - 3_600_000 + 3_000)) - 2_500)).toBeLessThan(20)
  })

  it('is that of this machine where answers have no date', () => {
    const remainingMs = new ServiceClock().msUntil(moment(Date.now() + 5_000))
    expect(Math.abs(remainingMs - 5_000)).toBeLessThan(1_000)
  })
})

describe('waits after trouble', () => {
  it('double up to half a minute, with jitter, and begin anew after success', () => {
    const backoff = new Backoff(() => 1)
    expect(Array.from({ length: 9 }, () => backoff.nextMs(null))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ])
    backoff.reset()
    expect(backoff.nextMs(null)).toBe(250)
    expect(new Backoff(() => 0).nextMs(null)).toBe(125)
  })

  it('are at least what the service asks for', () => {
    expect(new Backoff().nextMs(7_000)).toBe(7_000)
  })
})
