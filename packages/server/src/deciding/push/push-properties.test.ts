// Random lives of a job that reports by itself, against the simplest account of what silence means.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PushJob } from './push-job.fixture.ts'
import { mostRuns } from './push-state.ts'

const minute = 60_000
const everyMs = 60 * minute
const graceMs = 10 * minute

const someSignal = fc.record({
  afterMs: fc.integer({ min: 0, max: 4 * 60 }).map((minutes) => minutes * minute),
  kind: fc.constantFrom('success', 'success', 'fail', 'start', 'log'),
  rid: fc.constantFrom('', 'a', 'b'),
} as const)

const someLife = fc.array(someSignal, { maxLength: 40 })

/** How many windows of an hour have passed with their grace, this long after the signal that began them. */
function windowsPassed(silentMs: number): number {
  return Math.max(0, Math.floor((silentMs - graceMs) / everyMs))
}

describe('a job with every', () => {
  it('fails once for each window that passes in silence, and for each failure that it reports', () => {
    fc.assert(
      fc.property(someLife, (life) => {
        const job = new PushJob({ every: '1h', grace: '10m' })
        let expected = 0
        let since: number | null = null
        for (const { afterMs, kind, rid } of life) {
          const at = job.now + afterMs
          job.until(at)
          if (kind === 'success' || kind === 'fail' || (kind === 'start' && since === null)) {
            if (since !== null) expected += windowsPassed(at - since)
            since = at
          }
          if (kind === 'fail') expected++
          job.signal(kind, rid)
        }
        if (since !== null) expected += windowsPassed(job.now - since)
        const failures = job.told().filter((line) => line.includes('failure'))
        expect(failures).toHaveLength(expected)
      }),
    )
  })

  it('is woken by time only for something that then happens', () => {
    fc.assert(
      fc.property(someLife, (life) => {
        const job = new PushJob({ every: '1h', grace: '10m', max_runtime: '50m' })
        for (const { afterMs, kind, rid } of life) {
          job.until(job.now + afterMs).signal(kind, rid)
          const before = { state: job.state, said: job.said.length }
          job.apply({ kind: 'time', unreachable: [] })
          expect({ state: job.state, said: job.said.length }).toEqual(before)
        }
      }),
    )
  })
})

describe('a run', () => {
  it('is open from its start to its own end, whatever the others do', () => {
    fc.assert(
      fc.property(someLife, (life) => {
        const job = new PushJob({ every: '1h' })
        const open = new Map<string, number>()
        for (const { afterMs, kind, rid } of life) {
          job.until(job.now + afterMs)
          const startedAt = open.get(rid)
          job.latencies.length = 0
          job.signal(kind, rid)
          if (kind === 'success')
            expect(job.latencies).toEqual([startedAt === undefined ? null : job.now - startedAt])
          if (kind === 'start') open.set(rid, job.now)
          else if (kind !== 'log') open.delete(rid)
          expect(new Map([...job.state.runs].sort())).toEqual(new Map([...open].sort()))
        }
        expect(job.state.runs.size).toBeLessThanOrEqual(mostRuns)
      }),
    )
  })
})

describe('a job with cron', () => {
  const crons = fc.constantFrom('0 3 * * *', '30 2 * * *', '*/15 * * * *', '0 0 1 * *', '0 12 * * 1-5')
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe')
  const instants = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) })

  it('expects after each signal a later time, which the clocks of its zone name', () => {
    fc.assert(
      fc.property(crons, zones, instants, (cron, timezone, at) => {
        const job = new PushJob({ cron, timezone }, new Date(at).toISOString()).signal('success')
        const first = job.state.dueAt!
        expect(first).toBeGreaterThan(at)
        job.until(first).signal('success')
        expect(job.state.dueAt!).toBeGreaterThan(first)
        expect(job.said.filter((line) => line.includes('failure'))).toEqual([])
      }),
    )
  })
})
