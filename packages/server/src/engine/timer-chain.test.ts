import { OwnTimers } from '@pulseward/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Clock } from '../platform/clock.ts'
import { TimerChain } from './timer-chain.ts'

/** How much later it is than timers know. */
let lagMs: number
const clock: Clock = { monotonicMs: () => performance.now() + lagMs, wallMs: () => Date.now() }

let runs: [job: string, atMs: number][]
let late: number[]
let chain: TimerChain
let beganMs: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  lagMs = 0
  runs = []
  late = []
  chain = new TimerChain(clock, (lateMs) => late.push(lateMs))
  beganMs = performance.now()
})
afterEach(() => void vi.useRealTimers())

const noted = (job: string) => () => void runs.push([job, performance.now() - beganMs])

it('sleeps as long as the job asks for after each run', () => {
  const periodsMs = [100, 40, 500]
  chain.repeat('tick', () => periodsMs.shift() ?? 10_000, noted('tick'))
  vi.advanceTimersByTime(2_000)
  // A timer of the system is asked for a millisecond more than the job needs, and is never early.
  expect(runs).toEqual([
    ['tick', 101],
    ['tick', 142],
    ['tick', 643],
  ])
})

it('runs a tick whenever it is awake, so that jobs share a wake-up', () => {
  chain.repeat('tick', () => 1_000, noted('tick'))
  vi.advanceTimersByTime(300)
  chain.repeat('second', () => 1_000, noted('second'))
  vi.advanceTimersByTime(4_000)
  expect(runs.filter(([job]) => job === 'second')).toHaveLength(3)
  expect(late.length).toBeLessThanOrEqual(5)
  const atMsOf = (wanted: string) => runs.flatMap(([job, atMs]) => (job === wanted ? [atMs] : []))
  expect(atMsOf('tick')).toEqual(expect.arrayContaining(atMsOf('second')))
})

it('runs what is kept every second no sooner than that', () => {
  chain.repeat('tick', () => 40, noted('tick'))
  chain.repeat('second', () => 1_000, noted('second'))
  vi.advanceTimersByTime(10_000)
  const times = runs.flatMap(([job, atMs]) => (job === 'second' ? [atMs] : []))
  const distances = times.map((atMs, index) => atMs - (times[index - 1] ?? 0))
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(1_000)
  expect(Math.max(...distances)).toBeLessThan(1_050)
})

it('wakes up sooner when a job reconsiders, and never later', () => {
  let periodMs = 1_000
  const tick = chain.repeat('tick', () => periodMs, noted('tick'))
  periodMs = 2_000
  tick.reconsider()
  vi.advanceTimersByTime(500)
  periodMs = 100
  tick.reconsider()
  vi.advanceTimersByTime(102)
  expect(runs).toEqual([['tick', 601]])
})

it('goes on when a job throws, with the others, too', () => {
  chain.repeat(
    'tick',
    () => 100,
    () => {
      throw new Error('planted')
    },
  )
  chain.repeat('second', () => 1_000, noted('second'))
  let thrown = 0
  for (let passedMs = 0; passedMs < 2_500; passedMs += 10) {
    try {
      vi.advanceTimersByTime(10)
    } catch {
      thrown++
    }
  }
  expect(thrown).toBeGreaterThan(15)
  expect(runs).toHaveLength(2)
})

it('tells how late it woke up', () => {
  chain.repeat('tick', () => 100, noted('tick'))
  lagMs = 300
  vi.advanceTimersByTime(101)
  expect(late).toEqual([301])
})

it('leaves no timer behind', () => {
  using timers = new OwnTimers('engine/timer-chain.ts')
  const tick = chain.repeat('tick', () => 100, noted('tick'))
  const second = chain.repeat('second', () => 1_000, noted('second'))
  expect(timers.count).toBeGreaterThan(0)
  tick[Symbol.dispose]()
  second[Symbol.dispose]()
  tick.reconsider()
  expect(timers.count).toBe(0)
})
