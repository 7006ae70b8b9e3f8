import { FakeClock } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { ServiceTime } from './service-time.ts'

it('is the wall clock of the start, moved by the monotonic clock alone', () => {
  const clock = new FakeClock()
  const time = new ServiceTime(clock)
  expect(time.at(clock.monotonicMs())).toBe(clock.wallMs())
  const before = time.at(clock.monotonicMs())
  clock.jumpWall(-3_600_000)
  clock.advance(1_500)
  expect(time.at(clock.monotonicMs())).toBe(before + 1_500)
})

it('is the wall clock again when it is anchored again, and says by how much it moved', () => {
  const clock = new FakeClock()
  const time = new ServiceTime(clock)
  clock.jumpWall(-3_600_000)
  expect(time.anchorAgain()).toBe(-3_600_000)
  expect(time.now()).toBe(clock.wallMs())
})
