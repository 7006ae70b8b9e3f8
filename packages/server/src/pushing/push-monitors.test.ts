// Jobs that report by themselves, in the whole engine: what their signals and their silence come to.
import { endpoints, http, push, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'

const head = { ...endpoints('ops'), defaults: { notify: { red: ops(), green: ops() } } }

function ops() {
  return { endpoints: ['ops'] }
}

const minutely = push('job', { every: '60s', grace: '10s' })
const minute = { seconds: 60 }

async function started(monitors: readonly MonitorDocument[] = [minutely]): Promise<TestService> {
  return TestService.start({ monitors, head })
}

async function eventsOf(service: TestService, id = 'job'): Promise<string[]> {
  const events = await service.events(id)
  return events.map(({ type }) => type).filter((type) => type.startsWith('push'))
}

describe('a push monitor', () => {
  it('is unknown until its first signal, up with it, and down when it falls silent', async () => {
    const service = await started()
    await service.advance({ seconds: 600 })
    expect(service.statusOf('job')).toBe('unknown')
    expect(await service.signal('job')).toBe('taken')
    expect(service.statusOf('job')).toBe('up')
    await service.advance({ seconds: 65 })
    expect(service.statusOf('job')).toBe('up')
    expect(service.engine.reading.reportOf(service.rowOf('job'))?.state.phase).toBe('late')
    expect(service.told).toEqual([])
    await service.advance({ seconds: 6 })
    expect(service.statusOf('job')).toBe('incident')
    await service.advance({ seconds: 5 })
    expect(service.told).toEqual(['job red → ops'])
    await service.signal('job')
    await service.advance({ seconds: 5 })
    expect(service.told).toEqual(['job red → ops', 'job green → ops'])
    expect(await eventsOf(service)).toEqual(['push_late', 'push_missed'])
  })

  it('is neither late nor down while it reports in time', async () => {
    const service = await started()
    for (let round = 0; round < 20; round++) {
      await service.signal('job')
      await service.advance({ seconds: 59 })
    }
    expect(await eventsOf(service)).toEqual([])
    expect(service.told).toEqual([])
  })

  it('opens its incident with what the job said', async () => {
    const service = await started()
    await service.signal('job')
    await service.signal('job', 'fail', { words: 'exit code 3: disk full' })
    const opened = (await service.events('job')).find(({ type }) => type === 'incident_opened')
    expect(opened?.because).toMatchObject({ kind: 'threshold', failure: 'exit code 3: disk full' })
    await service.advance(minute)
    const incidents = (await service.events('job')).filter(({ type }) => type === 'incident_opened')
    expect(incidents).toHaveLength(1)
  })

  it('needs as many silent windows as its threshold says', async () => {
    const slow: MonitorDocument = { ...minutely, check: { ...minutely.check, unhealthy_threshold: 3 } }
    const service = await started([slow])
    await service.signal('job')
    await service.advance({ seconds: 135 })
    expect(service.statusOf('job')).toBe('down')
    await service.advance({ seconds: 60 })
    expect(service.statusOf('job')).toBe('incident')
  })

  it('shows how long its runs take', async () => {
    const service = await started()
    await service.signal('job', 'start', { rid: 'a' })
    await service.advance({ seconds: 12 })
    await service.signal('job', 'success', { rid: 'a' })
    expect(service.fleet.columns.latencyMs[service.rowOf('job')]).toBeCloseTo(12_000, -2)
    await service.signal('job')
    expect(service.fleet.columns.latencyMs[service.rowOf('job')]).toBeNaN()
  })

  it('fails when a run does not end in its time, and is found by nothing but its key', async () => {
    const service = await started([push('job', { every: '1h', max_runtime: '30s' })])
    await service.signal('job', 'start')
    await service.advance({ seconds: 31 })
    expect(service.statusOf('job')).toBe('incident')
    expect(await eventsOf(service)).toEqual(['push_not_ended'])
    expect(await service.signal('another')).toBe('unknown key')
  })

  it('keeps what a log says in its history, and is not changed by it', async () => {
    const service = await started()
    await service.signal('job', 'log', { words: 'half way' })
    expect(service.statusOf('job')).toBe('unknown')
    expect((await service.events('job')).at(-1)).toMatchObject({
      type: 'push_log',
      detail: { words: 'half way' },
    })
  })
})

describe('a push monitor that is not watched', () => {
  const disabled = { ...minutely, enabled: false }

  it('takes signals, touches no health, and raises no false red when it is enabled again', async () => {
    const service = await started()
    await service.signal('job')
    await service.reload({ monitors: [disabled], head })
    await service.advance({ seconds: 30 })
    expect(await service.signal('job', 'fail')).toBe('disabled')
    await service.advance({ seconds: 600 })
    expect(service.statusOf('job')).toBe('disabled')
    await service.reload({ monitors: [minutely], head })
    await service.advance({ seconds: 55 })
    expect(service.told).toEqual([])
    await service.advance({ seconds: 20 })
    expect(service.statusOf('job')).toBe('incident')
  })

  it('starts over when it was removed and comes back', async () => {
    const service = await started([minutely, http('edge')])
    await service.signal('job')
    await service.reload({ monitors: [http('edge')], head })
    expect(await service.signal('job')).toBe('unknown key')
    await service.reload({ monitors: [minutely, http('edge')], head })
    await service.advance({ seconds: 600 })
    expect(service.statusOf('job')).toBe('unknown')
  })
})

describe('a push monitor that is down', () => {
  it('gets one failure when a maintenance window ends', async () => {
    const service = await started()
    const now = service.clock.wallMs()
    const window = { start: new Date(now).toISOString(), end: new Date(now + 120_000).toISOString() }
    const job = { ...push('job', { every: '1h', grace: '1m' }), maintenance: [window] }
    await service.reload({ monitors: [job], head })
    await service.advance({ seconds: 1 })
    await service.signal('job', 'fail')
    await service.advance({ seconds: 110 })
    expect(service.told).toEqual([])
    await service.advance({ seconds: 15 })
    expect(service.told).toEqual(['job red → ops'])
  })

  it('gets one failure when the monitor that it depends on recovers', async () => {
    const child = { ...push('job', { every: '1h', grace: '1m' }), depends_on: ['edge'] }
    const service = await started([http('edge', { every: '5s' }), child])
    await service.advance({ seconds: 20 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 30 })
    await service.signal('job', 'fail')
    await service.advance({ seconds: 30 })
    expect(service.told).toEqual(['edge red → ops'])
    service.target('edge').comesBack()
    await service.advance({ seconds: 30 })
    expect(service.told).toEqual(['edge red → ops', 'edge green → ops', 'job red → ops'])
  })

  it('gets one failure when what it depends on ends to be in trouble without an incident', async () => {
    const edge = http('edge', { every: '5s' })
    const parent = { ...edge, check: { ...edge.check, unhealthy_threshold: 9, healthy_threshold: 9 } }
    const child = { ...push('job', { every: '1h', grace: '1m' }), depends_on: ['edge'] }
    const service = await started([parent, child])
    await service.advance({ seconds: 60 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 12 })
    await service.signal('job', 'fail')
    await service.advance({ seconds: 5 })
    expect(service.told).toEqual([])
    service.target('edge').comesBack()
    await service.advance({ seconds: 12 })
    expect(service.told).toEqual(['job red → ops'])
  })

  it('gets one failure when it depends on what is in trouble no more', async () => {
    const job = push('job', { every: '1h', grace: '1m' })
    const service = await started([http('edge', { every: '5s' }), { ...job, depends_on: ['edge'] }])
    await service.advance({ seconds: 20 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 30 })
    await service.signal('job', 'fail')
    await service.advance({ seconds: 10 })
    expect(service.told).toEqual(['edge red → ops'])
    await service.reload({ monitors: [http('edge', { every: '5s' }), job], head })
    await service.advance({ seconds: 10 })
    expect(service.told).toEqual(['edge red → ops', 'job red → ops'])
  })

  it('is not waited for by its children', async () => {
    const child = { ...http('shop', { every: '5s' }), depends_on: ['job'] }
    const service = await started([push('job', { every: '1h' }), child])
    await service.advance({ seconds: 20 })
    service.target('shop').goesDown()
    await service.advance({ seconds: 30 })
    expect(service.told).toEqual(['shop red → ops'])
  })
})

describe('a restart', () => {
  it('continues with what was stored: dues, runs and the last signal', async () => {
    const service = await started([push('job', { cron: '*/10 * * * *', max_runtime: '9m' })])
    await service.signal('job')
    await service.signal('job', 'start', { rid: 'a' })
    const before = service.engine.reading.reportOf(service.rowOf('job'))?.state
    await service.restart()
    await service.advance({ seconds: 1 })
    expect(service.engine.reading.reportOf(service.rowOf('job'))?.state).toEqual(before)
  })

  it('does not know how a run ended that nobody could report, though its job was disabled at the time', async () => {
    const job = push('job', { every: '10h', max_runtime: '1m' })
    const service = await started([job])
    await service.signal('job', 'start')
    const off = { head, monitors: [{ ...job, enabled: false }] }
    await service.restart(off, { offSeconds: 300 })
    await service.advance({ seconds: 1 })
    await service.reload({ head, monitors: [job] })
    await service.advance({ seconds: 2 })
    expect(await eventsOf(service)).toEqual(['push_unknown'])
    expect(service.told).toEqual([])
  })

  it('says of a window that nobody could report in that it does not know', async () => {
    const service = await started()
    await service.signal('job')
    await service.advance({ seconds: 30 })
    await service.restart(undefined, { offSeconds: 300 })
    await service.advance({ seconds: 1 })
    expect(await eventsOf(service)).toEqual(['push_unknown'])
    const { lastError } = service.engine.reading.noteOf(service.rowOf('job')) ?? {}
    expect(lastError).toContain('is not known: the service was not running')
    await service.advance({ seconds: 58 })
    expect(service.told).toEqual([])
    await service.advance({ seconds: 20 })
    expect(service.told).toEqual(['job red → ops'])
  })

  it('sends a red that was queued once, because the job is still down', async () => {
    const service = await started()
    await service.signal('job')
    await service.advance({ seconds: 71 })
    await service.restart()
    await service.advance({ seconds: 20 })
    expect(service.told).toEqual(['job red → ops'])
  })
})

describe('a signal', () => {
  it('is acknowledged only when it is on disk', async () => {
    const service = await started()
    service.holdCommits()
    let answer: unknown = null
    const asked = service.signal('job').then((taken) => {
      answer = taken
    })
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(answer).toBeNull()
    await service.releaseCommits()
    await asked
    expect(answer).toBe('taken')
  })

  it('is refused while nothing can be stored, and its window is that much longer', async () => {
    const service = await started()
    await service.signal('job')
    await service.advance({ seconds: 50 })
    service.engine.pause()
    await service.advance({ seconds: 60 })
    expect(await service.signal('job')).toBe('unavailable')
    service.engine.resume()
    await service.advance({ seconds: 15 })
    expect(service.told).toEqual([])
    await service.advance({ seconds: 60 })
    expect(service.told).toEqual(['job red → ops'])
  })
})

describe('a clock that is set', () => {
  it('moves what the next process finds: no run is taken to be as long as the step', async () => {
    const service = await started([push('job', { every: '10h', max_runtime: '1h' })])
    await service.signal('job', 'start', { rid: 'a' })
    await service.advance({ seconds: 60 })
    service.clock.jumpWall(7_200_000)
    await service.advance({ seconds: 2 })
    await service.restart()
    await service.advance({ seconds: 60 })
    expect(await eventsOf(service)).toEqual([])
    await service.signal('job', 'success', { rid: 'a' })
    expect(service.fleet.columns.latencyMs[service.rowOf('job')]).toBeCloseTo(122_000, -3)
  })

  it('does not keep a job of cron from being missed if it was ahead until a restart', async () => {
    const service = await started([push('job', { cron: '*/10 * * * *', grace: '1m', max_runtime: '5m' })])
    service.clock.jumpWall(7_200_000)
    await service.advance({ seconds: 2 })
    await service.signal('job')
    await service.signal('job', 'start', { rid: 'a' })
    service.clock.jumpWall(-7_200_000)
    await service.restart()
    await service.advance({ seconds: 310 })
    expect(await eventsOf(service)).toEqual(['push_not_ended'])
    await service.restart()
    await service.advance({ seconds: 900 })
    expect(await eventsOf(service)).toContain('push_missed')
  })

  it('moves what runs from the last signal as any duration', async () => {
    const service = await started()
    await service.signal('job')
    await service.advance({ seconds: 30 })
    service.clock.jumpWall(7_200_000)
    await service.advance({ seconds: 20 })
    expect(service.told).toEqual([])
    await service.advance({ seconds: 30 })
    expect(service.told).toEqual(['job red → ops'])
  })
})
