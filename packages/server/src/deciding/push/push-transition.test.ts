// The rules of a job that reports by itself, each as a timeline.
import { describe, expect, it } from 'vitest'
import { PushJob } from './push-job.fixture.ts'
import { mostRuns } from './push-state.ts'

const hourly = { every: '1h', grace: '10m' } as const
const nightly = { cron: '0 3 * * *', grace: '10m' } as const

describe('a new job', () => {
  it('is waited for as long as it takes', () => {
    const job = new PushJob(hourly).until('2026-12-01T00:00:00Z')
    expect(job.told()).toEqual([])
    expect(job.state).toMatchObject({ phase: 'new', dueAt: null })
  })

  it('is a failure when its first signal does not come in first_within', () => {
    const job = new PushJob({ ...hourly, first_within: '2h' }).until('02:30')
    expect(job.told()).toEqual([
      '02:00 failure: no signal yet; the first was expected by 02:00 UTC',
      '02:00 push_missed',
    ])
  })

  it('waits from its first signal on, also if that is a start', () => {
    expect(new PushJob(hourly).until('01:00').signal('start').due).toBe('2026-06-01T02:00')
    expect(new PushJob(hourly).until('01:00').signal('success').due).toBe('2026-06-01T02:00')
    expect(new PushJob(hourly).until('01:00').signal('log').due).toBe(null)
  })
})

describe('silence', () => {
  it('is late when the signal is due, and a failure when its grace has passed', () => {
    const job = new PushJob(hourly).signal('success')
    job.told()
    expect(job.until('01:09').told()).toEqual(['01:00 push_late'])
    expect(job.state.phase).toBe('late')
    expect(job.until('01:10').told()).toEqual([
      '01:10 failure: no signal, expected at 01:00 UTC with 10 min of grace; the last one came at 00:00 UTC',
      '01:10 push_missed',
    ])
  })

  it('is one more failure for each further window', () => {
    const job = new PushJob(hourly).signal('success').until('04:30')
    const failures = job.told().filter((line) => line.includes('failure'))
    expect(failures.map((line) => line.slice(0, 5))).toEqual(['01:10', '02:10', '03:10', '04:10'])
  })

  it('counts windows that passed while nobody looked as one', () => {
    const job = new PushJob(hourly).signal('success')
    job.told()
    job.now = Date.parse('2026-06-01T06:15:00Z')
    job.apply({ kind: 'time', unreachable: [] })
    expect(job.told().filter((line) => line.includes('failure'))).toHaveLength(1)
    expect(job.due).toBe('2026-06-01T07:00')
  })

  it('ends with the next success, from which the time runs', () => {
    const job = new PushJob(hourly).signal('success').until('03:45').signal('success')
    expect(job.state).toMatchObject({ phase: 'waiting', hasFailed: false })
    expect(job.due).toBe('2026-06-01T04:45')
  })
})

describe('a reported failure', () => {
  it('is one failure, and no second one for the silence of the same window', () => {
    const job = new PushJob(hourly).signal('success').until('00:50')
    job.told()
    job.signal('fail')
    expect(job.until('01:45').told()).toEqual(['00:50 failure: exit code 1'])
    expect(job.until('02:05').told()).toEqual([
      '01:50 push_late',
      `02:00 failure: ${missed('01:50', '00:50')}`,
      '02:00 push_missed',
    ])
  })
})

describe('cron', () => {
  it('expects the first time after a signal', () => {
    expect(new PushJob(nightly).until('01:00').signal('success').due).toBe('2026-06-01T03:00')
    expect(new PushJob(nightly).until('03:00').signal('success').due).toBe('2026-06-02T03:00')
  })

  it('counts a signal that is a little early for the time to come', () => {
    expect(new PushJob(nightly).until('02:58').signal('success').due).toBe('2026-06-01T03:00')
    expect(new PushJob(nightly).until('02:59').signal('success').due).toBe('2026-06-02T03:00')
    expect(new PushJob({ ...nightly, early: '5m' }).until('02:55').signal('success').due).toBe(
      '2026-06-02T03:00',
    )
  })

  it('follows the clocks of its zone over the change to summer time', () => {
    const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin', grace: '10m' }
    const job = new PushJob(berlin, '2026-03-27T12:00:00Z').signal('success')
    expect(job.due).toBe('2026-03-28T01:30')
    job.until('2026-03-28T01:30:00Z').signal('success')
    // 02:30 does not exist on that day: it is expected at the jump, and once.
    expect(job.due).toBe('2026-03-29T01:00')
    job.until('2026-03-29T01:00:00Z').signal('success')
    expect(job.due).toBe('2026-03-30T00:30')
    job.told()
    job.until('2026-03-30T00:39:00Z')
    expect(job.told()).toEqual(['00:30 push_late'])
  })

  it('expects a time that the clocks show twice once', () => {
    const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin', grace: '10m' }
    const job = new PushJob(berlin, '2026-10-24T12:00:00Z').signal('success')
    expect(job.due).toBe('2026-10-25T00:30')
    job.until('2026-10-25T00:30:00Z').signal('success')
    expect(job.due).toBe('2026-10-26T01:30')
  })

  it('says times as people of its zone write them', () => {
    const job = new PushJob({ ...nightly, timezone: 'Europe/Berlin' }, '2026-05-31T20:00:00Z')
    job.signal('success').until('2026-06-01T01:10:00Z')
    expect(job.told()).toContain(
      '01:10 failure: no signal, expected at 03:00 (Europe/Berlin) with 10 min of grace; the last one came at 2026-05-31 22:00 (Europe/Berlin)',
    )
  })
})

describe('a run', () => {
  it('takes as long as from its start to its own end', () => {
    const job = new PushJob(hourly).signal('start', 'a').until('00:10').signal('start', 'b')
    job.until('00:15').signal('success', 'a').until('00:30').signal('success', 'b')
    job.until('00:40').signal('success', 'c')
    expect(job.latencies).toEqual([15 * 60_000, 20 * 60_000, null])
  })

  it('is not closed by the end of another', () => {
    const job = new PushJob({ ...hourly, max_runtime: '30m' }).signal('start', 'a').signal('start')
    job.until('00:10').signal('success')
    job.told()
    expect(job.until('00:35').told()).toEqual([
      '00:30 failure: started 00:00 UTC, not ended within 30 min (run a)',
      '00:30 push_not_ended',
    ])
  })

  it('moves no deadline when it starts', () => {
    const job = new PushJob(hourly).signal('success').until('00:59').signal('start')
    expect(job.due).toBe('2026-06-01T01:00')
    job.told()
    expect(job.until('01:10').told()).toHaveLength(3)
  })

  it('has no latency after three days', () => {
    const job = new PushJob({ every: '200h' })
      .signal('start')
      .until('2026-06-04T00:00:00.001Z')
      .signal('success')
    expect(job.latencies).toEqual([null])
  })

  it('takes as long as the job itself says', () => {
    expect(new PushJob(hourly).signal('success', '', 42).latencies).toEqual([42])
  })

  it('is forgotten when too many newer ones are open', () => {
    const job = new PushJob(hourly)
    for (let run = 0; run <= mostRuns; run++) job.signal('start', `run-${run}`)
    expect(job.state.runs.size).toBe(mostRuns)
    expect(job.state.runs.has('run-0')).toBe(false)
  })
})

describe('a service that was not running', () => {
  it('does not know whether a job of cron ran then', () => {
    const job = new PushJob(nightly).signal('success').until('02:55')
    job.told()
    expect(job.down('03:05').until('04:00').told()).toEqual([
      '03:05 push_late',
      '03:10 no_data: whether it ran at 03:00 UTC is not known: the service was not running',
      '03:10 push_unknown',
    ])
    expect(job.due).toBe('2026-06-02T03:00')
    expect(job.until('2026-06-02T03:10:00Z').told()).toContain('03:10 push_missed')
  })

  it('gives every its whole time again from the moment that it runs', () => {
    const job = new PushJob(hourly).signal('success').until('00:55')
    job.told()
    expect(job.down('01:30').told()).toEqual([
      '01:30 no_data: whether it ran at 01:00 UTC is not known: the service was not running',
      '01:30 push_unknown',
    ])
    expect(job.due).toBe('2026-06-01T02:30')
    expect(job.until('02:39').told()).toEqual(['02:30 push_late'])
    expect(job.until('02:40').told()).toContain('02:40 push_missed')
  })

  it('says nothing of a window that it did not touch', () => {
    const job = new PushJob(nightly).signal('success').until('00:30')
    job.told()
    expect(job.down('01:00').until('03:10').told()).toContain('03:10 push_missed')
  })

  it('does not know whether a run ended', () => {
    const job = new PushJob({ ...nightly, max_runtime: '1h' }).until('00:10').signal('start').until('00:30')
    job.down('00:40')
    expect(job.until('01:30').told()).toEqual([
      '01:10 no_data: whether the run of 00:10 UTC ended is not known: the service was not running',
      '01:10 push_unknown',
    ])
  })
})

describe('a service that did not answer', () => {
  it('waits that much longer', () => {
    const job = new PushJob(hourly).signal('success').until('01:05').stalled('01:25')
    job.told()
    expect(job.until('01:29').told()).toEqual([])
    expect(job.until('01:30').told()).toContain('01:30 push_missed')
  })
})

describe('a clock that is set', () => {
  it('moves what is counted from a signal, and not the times of cron', () => {
    const every = new PushJob(hourly).signal('success')
    every.now += 7_200_000
    every.apply({ kind: 'clock-moved', stepMs: 7_200_000 })
    expect(every.due).toBe('2026-06-01T03:00')
    const cron = new PushJob(nightly).signal('success')
    cron.now += 7_200_000
    cron.apply({ kind: 'clock-moved', stepMs: 7_200_000 })
    expect(cron.due).toBe('2026-06-01T03:00')
  })

  it('expects a time of cron again that lies ahead again', () => {
    const job = new PushJob(nightly).until('03:00').signal('success')
    expect(job.due).toBe('2026-06-02T03:00')
    job.now -= 7_200_000
    job.apply({ kind: 'clock-moved', stepMs: -7_200_000 })
    expect(job.due).toBe('2026-06-01T03:00')
  })
})

describe('a job that is watched again', () => {
  it('is not red at once for the time in which it was not', () => {
    const job = new PushJob(hourly).signal('success').until('00:30')
    job.now = Date.parse('2026-06-01T09:00:00Z')
    job.apply({ kind: 'watched-again' })
    expect(job.due).toBe('2026-06-01T10:00')
  })

  it('keeps a due that is still to come', () => {
    const job = new PushJob(hourly).signal('success').until('00:30')
    job.apply({ kind: 'watched-again' })
    expect(job.due).toBe('2026-06-01T01:00')
  })
})

function missed(due: string, last: string): string {
  return `no signal, expected at ${due} UTC with 10 min of grace; the last one came at ${last} UTC`
}
