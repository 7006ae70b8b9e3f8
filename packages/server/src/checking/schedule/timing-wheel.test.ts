import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TICK_MS, TimingWheel } from './timing-wheel.ts'

const DAY_MS = 86_400_000

function dueUpTo(wheel: TimingWheel, nowMs: number): [monitor: number, dueMs: number][] {
  const due: [number, number][] = []
  wheel.advance(nowMs, (monitor, dueMs) => due.push([monitor, dueMs]))
  return due
}

describe('TimingWheel', () => {
  it('reports a monitor once, with the exact time it was armed for', () => {
    const wheel = new TimingWheel(4, 0)
    wheel.arm(2, 1_003)
    expect(dueUpTo(wheel, 1_009)).toEqual([])
    expect(dueUpTo(wheel, 1_010)).toEqual([[2, 1_003]])
    expect(dueUpTo(wheel, 100_000)).toEqual([])
    expect(wheel.nextDueMs(2)).toBeNull()
  })

  it('is never early, not even by a rounding error', () => {
    const dueMs = 30.000000000000004
    const wheel = new TimingWheel(1, 0)
    wheel.arm(0, dueMs)
    expect(dueUpTo(wheel, 30)).toEqual([])
    expect(dueUpTo(wheel, 40)).toEqual([[0, dueMs]])
  })

  it('reports a time that has already passed in the next tick', () => {
    const wheel = new TimingWheel(1, 5_000)
    wheel.arm(0, 1_000)
    expect(dueUpTo(wheel, 5_009)).toEqual([])
    expect(dueUpTo(wheel, 5_010)).toEqual([[0, 1_000]])
  })

  it('knows the first tick that may find something, and nothing beyond what was asked for', () => {
    const wheel = new TimingWheel(3, 0)
    expect(wheel.firstVisitMs(1_000)).toBe(1_000)
    wheel.arm(0, 503)
    wheel.arm(1, 2_000)
    expect(wheel.firstVisitMs(1_000)).toBe(510)
    expect(wheel.firstVisitMs(505)).toBe(505)
    expect(dueUpTo(wheel, 509)).toEqual([])
    expect(dueUpTo(wheel, 510)).toEqual([[0, 503]])
    expect(wheel.firstVisitMs(1_000)).toBe(1_000)
    expect(wheel.firstVisitMs(DAY_MS)).toBe(2_000)
  })

  it('knows the last tick in a time that may find something', () => {
    const wheel = new TimingWheel(3, 0)
    expect(wheel.lastVisitMs(100, 140)).toBe(100)
    wheel.arm(0, 100)
    wheel.arm(1, 121)
    wheel.arm(2, 141)
    expect(wheel.lastVisitMs(100, 140)).toBe(130)
    expect(wheel.lastVisitMs(100, 129)).toBe(100)
    expect(wheel.lastVisitMs(100, 155)).toBe(150)
    // What has been reported is armed for later, if at all.
    expect(dueUpTo(wheel, 130)).toHaveLength(2)
    expect(wheel.lastVisitMs(100, 140)).toBe(100)
  })

  it('keeps a monitor that is due days from now over many turns', () => {
    const wheel = new TimingWheel(2, 0)
    wheel.arm(0, 3 * DAY_MS)
    for (let nowMs = 0; nowMs < 3 * DAY_MS; nowMs += 60_000) expect(dueUpTo(wheel, nowMs)).toEqual([])
    expect(dueUpTo(wheel, 3 * DAY_MS)).toEqual([[0, 3 * DAY_MS]])
  })

  it('finds everything after a gap of several turns, and nothing that lies ahead', () => {
    const wheel = new TimingWheel(4, 0)
    wheel.arm(0, 5)
    wheel.arm(1, 700_000)
    wheel.arm(2, DAY_MS)
    wheel.arm(3, DAY_MS + 1)
    expect(
      dueUpTo(wheel, DAY_MS)
        .map(([monitor]) => monitor)
        .toSorted(),
    ).toEqual([0, 1, 2])
    expect(wheel.nextDueMs(3)).toBe(DAY_MS + 1)
  })

  it('visits every list after a gap of more than a turn', () => {
    const monitors = 70_000
    const wheel = new TimingWheel(monitors, 0)
    for (let monitor = 0; monitor < monitors; monitor++) wheel.arm(monitor, monitor * TICK_MS)
    expect(dueUpTo(wheel, DAY_MS)).toHaveLength(monitors)
  })

  it('does not report a monitor that another callback of the same tick disarms', () => {
    const wheel = new TimingWheel(3, 0)
    for (const monitor of [0, 1, 2]) wheel.arm(monitor, 20)
    const seen: number[] = []
    wheel.advance(20, (monitor) => {
      seen.push(monitor)
      wheel.disarm(1)
    })
    expect(seen).toEqual([0, 2])
    expect(wheel.armedCount).toBe(0)
  })

  it('lets a callback grow the wheel and arm the monitor again', () => {
    const wheel = new TimingWheel(1, 0)
    wheel.arm(0, 10)
    wheel.advance(10, (monitor) => {
      wheel.grow(100)
      wheel.arm(monitor, 30)
      wheel.arm(99, 20)
    })
    expect(dueUpTo(wheel, 30)).toEqual([
      [99, 20],
      [0, 30],
    ])
  })

  it('loses nothing when a callback throws', () => {
    const wheel = new TimingWheel(3, 0)
    for (const monitor of [0, 1, 2]) wheel.arm(monitor, 10)
    expect(() =>
      wheel.advance(10, () => {
        throw new Error('listener')
      }),
    ).toThrow('listener')
    expect(dueUpTo(wheel, 20).map(([monitor]) => monitor)).toEqual([1, 2])
  })

  it('refuses a monitor outside its capacity and a time that never comes', () => {
    const wheel = new TimingWheel(1, 0)
    expect(() => wheel.arm(1, 10)).toThrow(RangeError)
    expect(() => wheel.arm(-1, 10)).toThrow(RangeError)
    expect(() => wheel.arm(0, Number.NaN)).toThrow(RangeError)
    expect(() => wheel.arm(0, Number.POSITIVE_INFINITY)).toThrow(RangeError)
    expect(wheel.armedCount).toBe(0)
  })

  it('ignores a time before the last one', () => {
    const wheel = new TimingWheel(1, 1_000)
    wheel.arm(0, 1_010)
    expect(dueUpTo(wheel, 500)).toEqual([])
    expect(dueUpTo(wheel, 1_010)).toEqual([[0, 1_010]])
  })
})

describe('TimingWheel beside a plain model', () => {
  const MONITORS = 8
  const SHORTER_THAN_A_TURN_MS = 600_000
  const monitor = fc.nat(MONITORS - 1)
  const command = fc.oneof(
    fc.record({
      kind: fc.constant('arm' as const),
      monitor,
      inMs: fc.double({ min: -50, max: 900_000, noNaN: true }),
    }),
    fc.record({ kind: fc.constant('arm' as const), monitor, inMs: fc.integer({ min: 0, max: 60 }) }),
    fc.record({ kind: fc.constant('disarm' as const), monitor }),
    fc.record({ kind: fc.constant('advance' as const), byMs: fc.integer({ min: 0, max: 40 }) }),
    fc.record({ kind: fc.constant('advance' as const), byMs: fc.integer({ min: 0, max: 1_500_000 }) }),
  )

  it('reports exactly what is due, never early, in the tick it belongs to and in the order of ticks', () => {
    const startMs = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), startMs, (commands, startMs) => {
        const wheel = new TimingWheel(MONITORS, startMs)
        const armed = new Map<number, { dueMs: number; tick: number }>()
        let nowMs = startMs
        for (const step of commands) {
          if (step.kind === 'arm') {
            const dueMs = nowMs + step.inMs
            const tick = Math.max(Math.ceil(Math.ceil(dueMs) / TICK_MS), Math.floor(nowMs / TICK_MS) + 1)
            wheel.arm(step.monitor, dueMs)
            armed.set(step.monitor, { dueMs, tick })
          } else if (step.kind === 'disarm') {
            wheel.disarm(step.monitor)
            armed.delete(step.monitor)
          } else {
            nowMs += step.byMs
            const reported = dueUpTo(wheel, nowMs)
            const expected = [...armed].filter(([, { tick }]) => tick <= Math.floor(nowMs / TICK_MS))
            expect(new Map(reported)).toEqual(
              new Map(expected.map(([monitor, { dueMs }]) => [monitor, dueMs])),
            )
            expect(reported).toHaveLength(expected.length)
            for (const [, dueMs] of reported) expect(dueMs).toBeLessThanOrEqual(nowMs)
            const ticks = reported.map(([monitor]) => armed.get(monitor)!.tick)
            if (step.byMs < SHORTER_THAN_A_TURN_MS) expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
            for (const [monitor] of reported) armed.delete(monitor)
          }
          expect(wheel.armedCount).toBe(armed.size)
        }
      }),
      { numRuns: 300 },
    )
  })
})
