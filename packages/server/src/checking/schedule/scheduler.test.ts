import { describe, expect, it } from 'vitest'
import { stableHash } from '../../platform/string-hash.ts'
import { phaseMs } from './phase.ts'
import { type Disturbance, type MissedReason, Scheduler } from './scheduler.ts'
import { TICK_MS } from './timing-wheel.ts'

const START_MS = 50_000
const START_WALL_MS = 1_700_000_000_000

/** A scheduler with a separate clock, and everything it reported. */
class Bench {
  nowMs = START_MS
  wallMs = START_WALL_MS
  accepts = true
  started: { monitor: number; scheduledMs: number; atMs: number }[] = []
  missed: { monitor: number; firstMs: number; count: number; reason: MissedReason }[] = []
  disturbances: Disturbance[] = []
  /** Of monitors that are not called after their number. */
  readonly hashes = new Map<number, number>()
  readonly scheduler: Scheduler

  constructor(capacity = 4) {
    this.scheduler = new Scheduler(capacity, this.nowMs, this.wallMs, {
      due: (monitor, scheduledMs) => {
        if (this.accepts) this.started.push({ monitor, scheduledMs, atMs: this.nowMs })
        return this.accepts
      },
      missed: (monitor, firstMs, count, reason) => this.missed.push({ monitor, firstMs, count, reason }),
      disturbed: (disturbance) => this.disturbances.push(disturbance),
      identityHash: (monitor) => this.hashes.get(monitor) ?? stableHash(`monitor-${monitor}`),
    })
  }

  enroll(monitor: number, intervalMs: number, everChecked = true): void {
    const plan = { intervalMs, everChecked }
    this.scheduler.enroll(monitor, plan, this.nowMs, this.wallMs)
  }

  step(byMs: number): void {
    this.nowMs += byMs
    this.wallMs += byMs
    this.scheduler.advance(this.nowMs, this.wallMs)
  }

  /** Turns the wheel every tick and ends every check at once. */
  run(forMs: number): void {
    for (const endMs = this.nowMs + forMs; this.nowMs < endMs; ) {
      const before = this.started.length
      this.step(TICK_MS)
      for (const { monitor } of this.started.slice(before)) this.scheduler.finished(monitor)
    }
  }
}

describe('Scheduler', () => {
  it('checks a monitor once an interval, at the phase of its identity', () => {
    const bench = new Bench()
    bench.enroll(0, 10_000)
    bench.run(60_000)
    expect(bench.started).toHaveLength(6)
    const phase = phaseMs(stableHash('monitor-0'), 10_000)
    for (const { scheduledMs } of bench.started) {
      expect((scheduledMs - START_MS + START_WALL_MS) % 10_000).toBe(phase)
    }
    expect(bench.scheduler.startedSlots).toBe(6)
    expect(bench.missed).toEqual([])
  })

  it('checks a monitor that was never checked within 30 s and then at its phase', () => {
    const bench = new Bench(200)
    for (let monitor = 0; monitor < 200; monitor++) bench.enroll(monitor, 600_000, false)
    bench.run(30_010)
    expect(new Set(bench.started.map(({ monitor }) => monitor)).size).toBe(200)
    for (let monitor = 0; monitor < 200; monitor++) {
      const nextWallMs = bench.scheduler.nextDueMs(monitor)! - START_MS + START_WALL_MS
      expect(nextWallMs % 600_000).toBe(phaseMs(stableHash(`monitor-${monitor}`), 600_000))
    }
  })

  it('leaves the first check to about the own time slot of a monitor where the fleet is huge, and the next to the slot', () => {
    const bench = new Bench(1)
    bench.hashes.set(0, 0x8000_0000)
    const plan = { intervalMs: 60_000, everChecked: false, checkSoon: false }
    bench.scheduler.enroll(0, { ...plan, everChecked: true }, bench.nowMs, bench.wallMs)
    const slotMs = bench.scheduler.nextDueMs(0)!
    bench.scheduler.enroll(0, plan, bench.nowMs, bench.wallMs)
    bench.run(119_000)
    const [first, second] = bench.started
    expect(first!.scheduledMs - slotMs).toBeGreaterThan(0)
    expect(first!.scheduledMs - slotMs).toBeLessThanOrEqual(2_000)
    expect(second!.scheduledMs).toBe(slotMs + 60_000)
  })

  it('offers the first check again within 30 s when it was missed, however long the interval', () => {
    const bench = new Bench()
    bench.accepts = false
    bench.enroll(0, 86_400_000, false)
    bench.run(65_000)
    expect(bench.missed.map(({ reason }) => reason)).toEqual(['queue_full', 'queue_full'])
    bench.accepts = true
    bench.run(30_000)
    expect(bench.started).toHaveLength(1)
  })

  it('misses the slots that come while the last check is under way', () => {
    const bench = new Bench()
    bench.enroll(0, 1_000)
    for (let second = 0; second < 4; second++) bench.step(1_000)
    expect(bench.started).toHaveLength(1)
    expect(bench.missed.map(({ count, reason }) => [count, reason])).toEqual([
      [1, 'in_flight'],
      [1, 'in_flight'],
      [1, 'in_flight'],
    ])
    bench.scheduler.finished(0)
    bench.step(1_000)
    expect(bench.started).toHaveLength(2)
  })

  it('drops the slot when the queue is full and goes on with the next one', () => {
    const bench = new Bench()
    bench.enroll(0, 5_000)
    bench.accepts = false
    bench.run(5_000)
    bench.accepts = true
    bench.run(5_000)
    expect(bench.missed).toMatchObject([{ monitor: 0, count: 1, reason: 'queue_full' }])
    expect(bench.started).toHaveLength(1)
    expect(bench.started[0]!.scheduledMs).toBe(bench.missed[0]!.firstMs + 5_000)
  })

  it('reports a stall before anything else and starts nothing of what it swallowed', () => {
    const bench = new Bench(1_000)
    for (let monitor = 0; monitor < 1_000; monitor++) bench.enroll(monitor, 10_000)
    bench.run(10_000)
    bench.started = []
    bench.step(60_000)
    expect(bench.disturbances).toMatchObject([{ kind: 'stall', ms: 60_000 }])
    // Two ticks hold about two of a thousand monitors at 10 s; a burst would be hundreds.
    expect(bench.started.length).toBeLessThan(15)
    const missed = bench.missed.reduce((sum, { count }) => sum + count, 0)
    expect(missed + bench.started.length).toBe(6_000)
    const startedAtOnce = bench.started.length
    bench.run(10_000)
    expect(bench.started.length - startedAtOnce).toBe(1_000)
  })

  it('starts slots late, and misses none, when the lag stays under a second', () => {
    const bench = new Bench()
    bench.enroll(0, 60_000)
    const dueMs = bench.scheduler.nextDueMs(0)!
    bench.run(dueMs - bench.nowMs - 500)
    bench.step(1_000)
    expect(bench.disturbances).toEqual([])
    expect(bench.started.map(({ scheduledMs }) => scheduledMs)).toEqual([dueMs])
    expect(bench.missed).toEqual([])
  })

  it.each([3_600_000, -3_600_000])(
    'reports a jump of the wall clock by %i ms and moves no check',
    (jumpMs) => {
      const bench = new Bench()
      bench.enroll(0, 10_000)
      const dueMs = bench.scheduler.nextDueMs(0)!
      bench.wallMs += jumpMs
      bench.run(30_000)
      expect(bench.disturbances).toMatchObject([{ kind: 'wall_jump', ms: jumpMs }])
      expect(bench.started.map(({ scheduledMs }) => scheduledMs)).toEqual([
        dueMs,
        dueMs + 10_000,
        dueMs + 20_000,
      ])
    },
  )

  it('counts a stall from the end of a rest, and only once', () => {
    const bench = new Bench()
    bench.scheduler.rest(bench.nowMs + 900)
    bench.step(1_850)
    expect(bench.disturbances).toEqual([])
    bench.scheduler.rest(bench.nowMs + 900)
    bench.step(1_950)
    expect(bench.disturbances).toMatchObject([{ kind: 'stall', ms: 1_050 }])
    bench.step(1_001)
    expect(bench.disturbances).toHaveLength(2)
  })

  it('notices at the end of a rest that the clock was set in it', () => {
    const bench = new Bench()
    const beganMs = bench.nowMs
    bench.scheduler.rest(beganMs + 900)
    bench.wallMs += 5_000
    bench.step(900)
    expect(bench.disturbances).toEqual([{ kind: 'wall_jump', ms: 5_000, sinceMs: beganMs }])
  })

  it('lets slots pass while admission is closed and starts none of them later', () => {
    const bench = new Bench()
    bench.enroll(0, 5_000)
    bench.scheduler.setAdmission(false)
    bench.run(20_000)
    expect(bench.missed.map(({ reason }) => reason)).toEqual(Array(4).fill('admission_closed'))
    bench.scheduler.setAdmission(true)
    bench.run(5_000)
    expect(bench.started).toHaveLength(1)
  })

  it('starts none beside a check that began before the schedule did', () => {
    const bench = new Bench()
    bench.enroll(0, 1_000)
    bench.scheduler.resumed(0)
    bench.step(1_000)
    expect(bench.started).toHaveLength(0)
    expect(bench.missed).toMatchObject([{ reason: 'in_flight' }])
    bench.scheduler.finished(0)
    bench.step(1_000)
    expect(bench.started).toHaveLength(1)
  })

  it('keeps a check under way over a withdrawal, so that a monitor never has two', () => {
    const bench = new Bench()
    bench.enroll(0, 1_000)
    bench.step(1_000)
    bench.scheduler.withdraw(0)
    bench.enroll(0, 1_000)
    bench.step(1_000)
    expect(bench.started).toHaveLength(1)
    expect(bench.missed).toMatchObject([{ reason: 'in_flight' }])
  })

  it('checks a monitor no more when a listener withdraws it in the middle of a turn', () => {
    const scheduler: Scheduler = new Scheduler(1, 0, START_WALL_MS, {
      due: () => {
        scheduler.withdraw(0)
        return true
      },
      missed: () => undefined,
      disturbed: () => undefined,
      identityHash: () => 7,
    })
    scheduler.enroll(0, { intervalMs: 1_000, everChecked: false }, 0, START_WALL_MS)
    for (let nowMs = 0; nowMs <= 5_000; nowMs += TICK_MS) scheduler.advance(nowMs, START_WALL_MS + nowMs)
    expect(scheduler.startedSlots).toBe(1)
    expect(scheduler.enrolledCount).toBe(0)
  })

  it('knows the rate of the fleet, and that an empty one has none', () => {
    const bench = new Bench(3)
    bench.enroll(0, 10_000)
    bench.enroll(1, 3_000)
    bench.enroll(2, 7_000)
    bench.enroll(2, 1_000)
    expect(bench.scheduler.checksPerSecond).toBeCloseTo(0.1 + 1 / 3 + 1, 9)
    for (const monitor of [0, 1, 2]) bench.scheduler.withdraw(monitor)
    expect(bench.scheduler.checksPerSecond).toBe(0)
  })

  it('grows without forgetting, and refuses what it cannot hold', () => {
    const bench = new Bench(1)
    bench.enroll(0, 5_000)
    expect(() => bench.enroll(1, 5_000)).toThrow(RangeError)
    bench.scheduler.grow(2)
    bench.enroll(1, 5_000)
    bench.run(5_000)
    expect(bench.started.map(({ monitor }) => monitor).toSorted()).toEqual([0, 1])
    expect(() => bench.enroll(0, 999)).toThrow(RangeError)
    expect(() => bench.enroll(0, 1_000.5)).toThrow(RangeError)
  })
})
