import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CANARY_FRESH_MS, OwnFaultDetector, type Scope, WINDOW_MS } from './own-fault.ts'
import { ResultWindow } from './result-window.ts'

const now = 1_000_000

/** All canaries have passed; the network seems gone. */
function detector() {
  const d = new OwnFaultDetector()
  for (const canary of ['loopback', 'resolver', 'gateway'] as const) d.readCanary(canary, true, now - 5_000)
  return d
}

const excuses = (d: OwnFaultDetector, scope: Scope = 'remote', at = now) =>
  d.excuses({ scope, startedAt: at - 100, finishedAt: at }, at)

describe('own fault', () => {
  it.each([
    ['20 of 20', 20, 20, true],
    ['20 of 40, the least share', 40, 20, true],
    ['20 of 41, under half', 41, 20, false],
    ['49 of 100', 100, 49, false],
    ['19 of 19, too few', 19, 19, false],
    ['none at all', 0, 0, false],
  ])('needs half and 20 of the results to be suspicious: %s', (_, total, suspicious, expected) => {
    const d = detector()
    d.readCanary('gateway', false, now)
    d.count('remote', total, suspicious, now)
    expect(excuses(d)).toBe(expected)
  })

  it('needs a canary that fails now', () => {
    const d = detector()
    d.count('remote', 50, 50, now)
    expect(excuses(d)).toBe(false)
    d.readCanary('resolver', false, now)
    expect(excuses(d)).toBe(true)
    d.readCanary('resolver', true, now)
    expect(excuses(d)).toBe(false)
  })

  it('counts a canary that never passed in this run for nothing', () => {
    const d = new OwnFaultDetector()
    d.readCanary('gateway', false, now - 1)
    d.readCanary('gateway', false, now)
    d.count('remote', 50, 50, now)
    expect(excuses(d)).toBe(false)
  })

  it('does not take a canary that was read long ago for one that fails now', () => {
    const d = detector()
    d.readCanary('gateway', false, now - CANARY_FRESH_MS)
    d.count('remote', 50, 50, now)
    expect(excuses(d)).toBe(false)
  })

  it('forgets results after ten seconds', () => {
    const d = detector()
    d.count('remote', 50, 50, now - WINDOW_MS)
    d.readCanary('gateway', false, now)
    expect(excuses(d)).toBe(false)
  })

  it('judges loopback targets by the loopback canary alone, and apart from the others', () => {
    const d = detector()
    d.count('loopback', 50, 50, now)
    d.readCanary('gateway', false, now)
    d.readCanary('resolver', false, now)
    expect([excuses(d, 'loopback'), excuses(d, 'remote')]).toEqual([false, false])
    d.readCanary('loopback', false, now)
    expect([excuses(d, 'loopback'), excuses(d, 'remote')]).toEqual([true, false])
  })

  it('sees a lost gateway behind any number of loopback targets that are well', () => {
    const d = detector()
    d.count('loopback', 5_000, 0, now)
    d.count('remote', 30, 30, now)
    d.readCanary('gateway', false, now)
    expect(excuses(d)).toBe(true)
  })

  it.each([
    ['1,000 ms excuses nothing', 1_000, -500, 0, false],
    ['1,001 ms excuses a check that was under way', 1_001, -500, 0, true],
    ['2 s excuses a check that began in it and ends long after', 2_000, -1, 25_000, true],
    ['2 s excuses no check that began after it', 2_000, 1, 500, false],
    ['2 s excuses no check that had ended before it', 2_000, -9_000, -2_001, false],
  ])('excuses by lag without any canary: %s', (_, lagMs, startedAfter, finishedAfter, expected) => {
    const d = new OwnFaultDetector()
    d.lagged(lagMs, now)
    const suspect = {
      scope: 'remote' as const,
      startedAt: now + startedAfter,
      finishedAt: now + finishedAfter,
    }
    expect(d.excuses(suspect, Math.max(now, suspect.finishedAt))).toBe(expected)
  })

  it('takes stalls that follow each other as one', () => {
    const d = new OwnFaultDetector()
    d.lagged(2_000, now)
    d.lagged(2_000, now + 5_000)
    expect(d.excuses({ scope: 'remote', startedAt: now - 3_000, finishedAt: now + 100 }, now + 5_000)).toBe(
      true,
    )
    d.lagged(2_000, now + 60_000)
    expect(d.excuses({ scope: 'remote', startedAt: now - 3_000, finishedAt: now + 100 }, now + 60_000)).toBe(
      false,
    )
  })

  it('takes a stall that begins a whole window after the last one for another', () => {
    const d = new OwnFaultDetector()
    d.lagged(2_000, now)
    d.lagged(2_000, now + WINDOW_MS + 2_000)
    expect(d.excuses({ scope: 'remote', startedAt: now - 500, finishedAt: now }, now + 12_000)).toBe(false)
  })

  it('tells once that it began and once that it ended, with what was seen', () => {
    const d = detector()
    expect(d.review(now)).toBeNull()
    d.readCanary('gateway', false, now)
    d.readCanary('resolver', false, now)
    d.count('remote', 40, 37, now)
    excuses(d)
    expect(d.review(now + 100)).toEqual({
      type: 'own_fault',
      phase: 'began',
      at: now,
      words:
        'own fault: 37 of 40 results of targets in 10 s were timeouts or local errors, ' +
        'and the check of our own resolver and gateway failed',
      because: { kind: 'own_fault', suspicious: 37, results: 40, canaries: ['resolver', 'gateway'] },
    })
    expect(d.review(now + 1_000)).toBeNull()
    excuses(d, 'remote', now + 6_000)
    expect(d.review(now + 15_999)).toBeNull()
    expect(d.review(now + 16_000)).toEqual({
      type: 'own_fault',
      phase: 'ended',
      at: now + 16_000,
      words: 'own fault over after 6 s: 2 results were set aside',
      because: { kind: 'own_fault_ended', excused: 2, lastedMs: 6_000 },
    })
    expect(d.review(now + 17_000)).toBeNull()
  })

  it('tells nothing of a lag that spoiled no check, and how long it was of one that did', () => {
    const d = new OwnFaultDetector()
    d.lagged(3_210, now)
    expect(d.review(now)).toBeNull()
    excuses(d)
    expect(d.review(now)).toMatchObject({
      words: 'own fault: the controller lagged 3.2 s',
      because: { kind: 'stalled', lastedMs: 3_210 },
    })
    expect(d.review(now + WINDOW_MS)?.words).toBe('own fault over after 0 s: 1 result was set aside')
  })

  it('tells of began and ended in turn, whatever happens', () => {
    const someDeed = fc.oneof(
      fc.record({ total: fc.nat(60), bad: fc.nat(60) }),
      fc.record({ canary: fc.constantFrom('loopback' as const, 'gateway' as const), passes: fc.boolean() }),
      fc.record({ lagMs: fc.integer({ min: 0, max: 3_000 }) }),
      fc.constant({}),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4_000), someDeed), { maxLength: 200 }), (deeds) => {
        const d = detector()
        let at = now
        const phases: string[] = []
        for (const [afterMs, deed] of deeds) {
          at += afterMs
          if ('total' in deed) d.count('remote', Math.max(deed.total, deed.bad), deed.bad, at)
          if ('canary' in deed) d.readCanary(deed.canary, deed.passes, at)
          if ('lagMs' in deed) d.lagged(deed.lagMs, at)
          excuses(d, 'remote', at)
          const event = d.review(at)
          if (event !== null) phases.push(event.phase)
        }
        expect(phases).toEqual(phases.map((_, n) => (n % 2 === 0 ? 'began' : 'ended')))
      }),
    )
  })
})

describe('result window', () => {
  it('is the sum of the last ten whole seconds, whatever the steps of time', () => {
    const someResults = fc.record({
      afterMs: fc.oneof(fc.nat(1_500), fc.nat(30_000), fc.integer({ min: -3_000, max: 0 })),
      total: fc.nat(100),
      suspicious: fc.nat(100),
    })
    fc.assert(
      fc.property(fc.integer(), fc.array(someResults), (start, steps) => {
        const window = new ResultWindow(WINDOW_MS)
        const log: { second: number; total: number; suspicious: number }[] = []
        let at = start
        let second = Number.NEGATIVE_INFINITY
        for (const { afterMs, total, suspicious } of steps) {
          at += afterMs
          second = Math.max(second, Math.floor(at / 1000))
          log.push({ second, total, suspicious })
          window.add(total, suspicious, at)
          const recent = log.filter((entry) => entry.second > second - 10)
          expect(window.sum(at)).toEqual({
            total: recent.reduce((sum, entry) => sum + entry.total, 0),
            suspicious: recent.reduce((sum, entry) => sum + entry.suspicious, 0),
          })
        }
      }),
    )
  })
})
