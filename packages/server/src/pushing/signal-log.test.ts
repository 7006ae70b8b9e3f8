import { describe, expect, it } from 'vitest'
import type { KeptSignal } from '../engine/source.ts'
import { EarlySignals } from './early-signals.ts'
import { SignalLog } from './signal-log.ts'
import { SignalRate } from './signal-rate.ts'

const signal = (at: number, output = ''): KeptSignal => ({
  at,
  kind: 'log',
  rid: '',
  exitCode: null,
  words: '',
  output,
  runMs: null,
})

describe('the last signals', () => {
  it('are ten of each monitor, newest first', () => {
    const log = new SignalLog(1e9)
    for (let at = 0; at < 15; at++) log.add(1, signal(at))
    log.add(2, signal(99))
    expect(log.of(1).map(({ at }) => at)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5])
    expect(log.of(2)).toHaveLength(1)
    log.forget(1)
    expect(log.of(1)).toEqual([])
  })

  it('take no more bytes than they may: the oldest of all go first', () => {
    const log = new SignalLog(50_000)
    for (let at = 0; at < 100; at++) log.add(at, signal(at, 'x'.repeat(10_240)))
    expect(log.bytes).toBeLessThanOrEqual(50_000)
    expect(log.of(99)).toHaveLength(1)
    expect(log.of(0)).toEqual([])
    const none = new SignalLog(0)
    none.add(1, signal(1))
    expect([none.of(1), none.bytes]).toEqual([[], 0])
  })
})

describe('the rate of a key', () => {
  it('is ten signals in ten seconds, and the first of each kind', () => {
    const rate = new SignalRate()
    rate.growFor(2)
    const take = (kind: 'success' | 'fail', atMs: number) => rate.take(0, kind, atMs)
    for (let count = 0; count < 10; count++) expect(take('success', count)).toBe(0)
    expect(take('success', 5_000)).toBe(5)
    expect(take('fail', 5_000)).toBe(0)
    expect(take('fail', 5_000)).toBe(5)
    expect(rate.take(1, 'success', 5_000)).toBe(0)
    expect(take('success', 10_000)).toBe(0)
  })
})

describe('a job that is early', () => {
  const quarterMs = 15 * 60_000
  const hint = (quarters: readonly number[]) => {
    const early = new EarlySignals()
    for (const count of quarters) early.note(1, count * quarterMs, 0)
    return early.hintFor(1)
  }

  it('five times by the same quarters of an hour probably has another time zone', () => {
    expect(hint([4, 4, 4, 4, 4])).toBe('Consistently 60 min early: the time zone is probably wrong.')
    expect(hint([4, 4, 4, 4])).toBeNull()
    expect(hint([4, 4, 0, 4, 4, 4])).toBeNull()
    expect(hint([8, 4, 4, 4, 4])).toBeNull()
    expect(hint([1, 1, 1, 1, 1])).toBeNull()
    expect(hint([49, 49, 49, 49, 49])).toBeNull()
  })
})
