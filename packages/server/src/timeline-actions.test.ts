// Whole-service timelines of what is done about a broken monitor: told, recovered, remembered over a crash.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'

const everyColor = ['red', 'yellow', 'green', 'cyan', 'gray'] as const
const toOps = Object.fromEntries(everyColor.map((color) => [color, { endpoints: ['ops'] }]))
const head = endpoints('ops')
const watched = { ...http('edge'), notify: toOps }
const recoverable = {
  ...watched,
  recovery: { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart' } },
}
const fleet = { monitors: [watched], head }

async function typesOf(service: TestService): Promise<string[]> {
  return (await service.events('edge')).map(({ type, color }) => (color === null ? type : `${type} ${color}`))
}

describe('telling people', () => {
  it('sends yellow at the first failure, red with the incident and green with its end', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 11 })
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 31 })
    expect(service.told).toEqual(['edge yellow → ops', 'edge red → ops'])
    expect(service.providers.deliveries[1]!.notification).toMatchObject({
      monitor: 'edge',
      status: 'incident',
      severity: 'critical',
      seen: 'HTTP 503',
    })
    service.target('edge').comesBack()
    await service.advance({ seconds: 31 })
    expect(service.told).toEqual(['edge yellow → ops', 'edge red → ops', 'edge green → ops'])
    expect(await typesOf(service)).toEqual([
      'action_queued yellow',
      'action_started yellow',
      'action_succeeded yellow',
      'incident_opened',
      'action_queued red',
      'action_started red',
      'action_succeeded red',
      'incident_closed',
      'action_queued green',
      'action_started green',
      'action_succeeded green',
    ])
  })

  it('calls nobody before the start of the action is on disk', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 11 })
    service.target('edge').goesDown()
    service.holdCommits()
    await service.advance({ seconds: 11 })
    expect(service.told).toEqual([])
    await service.releaseCommits()
    await service.advance({ seconds: 1 })
    expect(service.told).toEqual(['edge yellow → ops'])
  })

  it('carries out a start that is being stored when the service is asked to stop, and keeps the answer', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 11 })
    service.target('edge').goesDown()
    service.holdCommits()
    await service.advance({ seconds: 11 })
    const stopped = service.engine.stop()
    await service.releaseCommits()
    service.sleep({ seconds: 1 })
    service.deliverAnswers()
    await stopped
    expect(service.told).toEqual(['edge yellow → ops'])
    expect(await typesOf(service)).toContain('action_succeeded yellow')
  })

  it('says a red that stands again as often as it is told to', async () => {
    const monitors = [{ ...http('edge'), notify: { red: { endpoints: ['ops'] }, repeat: '10m' } }]
    const service = await TestService.start({ monitors, head })
    service.target('edge').goesDown()
    await service.advance({ seconds: 25 * 60 })
    expect(service.told).toEqual(['edge red → ops', 'edge red → ops', 'edge red → ops'])
  })

  it('tells of maintenance and keeps quiet in it', async () => {
    const start = '2026-01-01T00:02:00Z'
    const maintenance = [{ start, end: '2026-01-01T00:12:00Z' }]
    const service = await TestService.start({ monitors: [{ ...watched, maintenance }], head })
    await service.advance({ seconds: 121 })
    expect(service.told).toEqual(['edge gray → ops'])
    service.target('edge').goesDown()
    await service.advance({ seconds: 300 })
    expect(service.statusOf('edge')).toBe('down')
    expect(service.told).toEqual(['edge gray → ops'])
    await service.advance({ seconds: 330 })
    expect(service.statusOf('edge')).toBe('incident')
    expect(service.told.slice(1).sort()).toEqual(['edge gray → ops', 'edge red → ops', 'edge yellow → ops'])
  })

  it('tells nothing of a maintenance that is over before the first turn of the service', async () => {
    const maintenance = [{ start: '2025-12-31T23:00:00Z', end: '2026-01-01T00:00:01Z' }]
    const service = await TestService.start({ monitors: [{ ...watched, maintenance }], head })
    service.sleep({ seconds: 2 })
    await service.advance({ seconds: 1 })
    expect(service.told).toEqual([])
  })
})

describe('recovering', () => {
  it('acts once, verifies, and says green without an incident when it helped', async () => {
    const service = await TestService.start({ monitors: [recoverable], head })
    await service.advance({ seconds: 11 })
    service.target('edge').goesDown()
    service.providers.recoveryOutcomeOf = () => {
      service.target('edge').comesBack()
      return { kind: 'accepted' }
    }
    await service.advance({ seconds: 32 })
    expect(service.providers.recoveries).toHaveLength(1)
    expect(service.statusOf('edge')).toBe('verifying')
    await service.advance({ seconds: 25 })
    expect(service.statusOf('edge')).toBe('up')
    expect(service.told).toEqual(['edge yellow → ops', 'edge cyan → ops', 'edge green → ops'])
    expect(service.engine.reading.sloReport().recoveryCoverage).toMatchObject({
      eligible: 1,
      admitted: 1,
      succeeded: 1,
      failed: 0,
    })
  })

  it('opens the incident when the recovery was rejected', async () => {
    const service = await TestService.start({ monitors: [recoverable], head })
    service.providers.recoveryOutcomeOf = () => ({ kind: 'rejected', reason: 'HTTP 403' })
    service.target('edge').goesDown()
    await service.advance({ seconds: 60 })
    expect(service.statusOf('edge')).toBe('incident')
    expect(service.providers.recoveries).toHaveLength(1)
    expect(service.told).toEqual(['edge yellow → ops', 'edge red → ops'])
  })
})

describe('after a crash', () => {
  it('goes on with the incident, its number and its counters, and says nothing twice', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 11 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    const number = service.fleet.columns.numericId[service.rowOf('edge')]
    const samples = service.overview().healthy_sample_percent
    await service.restart()
    expect(service.statusOf('edge')).toBe('incident')
    expect(service.fleet.columns.numericId[service.rowOf('edge')]).toBe(number)
    expect(service.overview().healthy_sample_percent).toBe(samples)
    await service.advance({ seconds: 60 })
    expect(service.told).toEqual(['edge yellow → ops', 'edge red → ops'])
    service.target('edge').comesBack()
    await service.advance({ seconds: 30 })
    expect(service.told.at(-1)).toBe('edge green → ops')
  })

  it('is up again at once when all was well', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 30 })
    await service.restart()
    expect(service.statusOf('edge')).toBe('up')
  })

  it('checks monitors in their own time slots, not all at once', async () => {
    const monitors = [{ ...watched, check: { ...watched.check, interval: '1h' } }]
    const service = await TestService.start({ monitors, head })
    await service.advance({ seconds: 31 })
    const dueMs = service.parts.checks.scheduler.nextDueMs(0)!
    const checks = service.target('edge').checks
    await service.restart()
    await service.advance({ seconds: 31 })
    expect(service.target('edge').checks).toBe(checks)
    expect(service.parts.checks.scheduler.nextDueMs(0)).toBe(dueMs)
  })

  it('calls what was started unknown and never starts it again', async () => {
    const service = await TestService.start({ monitors: [recoverable], head })
    service.providers.latencyMs = 60_000
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    expect(service.providers.recoveries).toHaveLength(1)
    await service.restart()
    service.providers.latencyMs = 20
    await service.advance({ seconds: 120 })
    expect(service.providers.recoveries).toHaveLength(1)
    expect(service.statusOf('edge')).toBe('incident')
    expect(await typesOf(service)).toContain('action_unknown')
    expect(service.parts.ledger.view.unknownActionsOf('edge').interventions).toBe(1)
  })

  it('forgets what was not committed, and has not acted on it', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 11 })
    service.holdCommits()
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    expect(service.told).toEqual([])
    service.target('edge').comesBack()
    await service.restart()
    await service.advance({ seconds: 40 })
    expect(service.told).toEqual([])
    expect(service.statusOf('edge')).toBe('up')
  })

  it('sends a red that was queued only after a check of this run has failed', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 11 })
    service.providers.outcomeOf = () => ({ kind: 'retry', reason: 'HTTP 429', retryAfterMs: 120_000 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    const before = service.told.length
    service.providers.outcomeOf = () => ({ kind: 'accepted' })
    service.target('edge').comesBack()
    await service.restart(undefined, { offSeconds: 300 })
    await service.advance({ seconds: 60 })
    expect(service.told.slice(before)).not.toContain('edge red → ops')
    expect(service.statusOf('edge')).toBe('up')
  })

  it('closes the incident of a monitor that was removed meanwhile, without a green', async () => {
    const service = await TestService.start({ monitors: [watched, http('other')], head })
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    await service.restart({ monitors: [http('other')], head })
    await service.advance({ seconds: 5 })
    expect((await service.events('edge')).at(-1)).toMatchObject({
      type: 'incident_closed',
      outcome: 'removed',
    })
    expect(service.told).not.toContain('edge green → ops')
  })

  it('knows the number of a monitor that was removed while its action was under way', async () => {
    const service = await TestService.start({ monitors: [watched, http('other')], head })
    service.providers.latencyMs = 60_000
    service.target('edge').goesDown()
    await service.advance({ seconds: 20 })
    await service.restart({ monitors: [http('other')], head })
    const unknown = (await service.events()).filter(({ type }) => type === 'action_unknown')
    expect(unknown).toMatchObject([{ monitorId: 'edge', numericId: 1 }])
  })

  it('does not take a destination for dead that came back to life before', async () => {
    const service = await TestService.start(fleet)
    service.providers.outcomeOf = () => ({ kind: 'gone', reason: 'HTTP 410' })
    service.target('edge').goesDown()
    await service.advance({ seconds: 20 })
    await service.reload({ monitors: [http('edge')] })
    await service.reload(fleet)
    expect(service.parts.ledger.view.destinationRecords()).toEqual([])
    await service.restart()
    expect(service.parts.ledger.view.destinationRecords()).toEqual([])
  })

  it('gives a monitor that comes back its number, and a new one another', async () => {
    const service = await TestService.start({ monitors: [http('a'), http('b')] })
    await service.restart({ monitors: [http('b')] })
    await service.restart({ monitors: [http('c'), http('b'), http('a')] })
    const numbers = ['a', 'b', 'c'].map((id) => service.fleet.columns.numericId[service.rowOf(id)])
    expect(numbers).toEqual([1, 2, 3])
  })

  it('starts a new revision and an unknown health when the check was changed meanwhile', async () => {
    const service = await TestService.start(fleet)
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    const changed = { ...watched, check: { ...watched.check, config: { url: 'http://elsewhere.test/' } } }
    await service.restart({ monitors: [changed], head })
    expect(service.statusOf('edge')).toBe('incident')
    expect(service.parts.identities.revisionOf(service.rowOf('edge'))).toBe(2)
    service.target('edge').comesBack()
    await service.advance({ seconds: 30 })
    expect(service.statusOf('edge')).toBe('up')
  })
})

describe('a reload', () => {
  it('starts a new revision when something of the monitor changed, and none for its name', async () => {
    const service = await TestService.start(fleet)
    const revision = () => service.parts.identities.revisionOf(service.rowOf('edge'))
    await service.reload({ monitors: [{ ...watched, name: 'another name' }], head })
    expect(revision()).toBe(1)
    service.holdCommits()
    await service.reload({ monitors: [{ ...watched, enabled: false }], head })
    await service.reload({ monitors: [watched], head })
    expect(revision()).toBe(3)
    await service.releaseCommits()
    await service.advance({ seconds: 1 })
    expect(service.parts.identities.areWritten).toBe(true)
  })

  it('closes the incident of a removed monitor and keeps its started action going', async () => {
    const service = await TestService.start({ monitors: [watched, http('other')], head })
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    await service.reload({ monitors: [http('other')], head })
    await service.advance({ seconds: 1 })
    expect((await service.events('edge')).at(-1)).toMatchObject({
      type: 'incident_closed',
      outcome: 'removed',
    })
  })

  it('cancels all that is queued of a monitor as disabled when its check changes with it', async () => {
    const other = { ...recoverable, ...http('other') }
    const service = await TestService.start({ monitors: [recoverable, other], head })
    // Both act on one target: the second waits while the first has no answer.
    service.providers.latencyMs = 60_000
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    service.target('other').goesDown()
    await service.advance({ seconds: 35 })
    expect(service.parts.ledger.view.openActionsOf('other')).toMatchObject([
      { kind: 'code', state: 'started' },
      { kind: 'intervention', state: 'queued' },
    ])
    const changed = { ...other.check, config: { url: 'http://elsewhere.test' } }
    await service.reload({ monitors: [recoverable, { ...other, enabled: false, check: changed }], head })
    const cancelled = (await service.events('other')).filter(({ type }) => type === 'action_cancelled')
    expect(cancelled).toMatchObject([{ kind: 'intervention', outcome: 'disabled' }])
  })

  it('cancels what is queued for a destination that is no more', async () => {
    const service = await TestService.start(fleet)
    service.providers.outcomeOf = () => ({ kind: 'retry', reason: 'HTTP 429', retryAfterMs: 60_000 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    await service.reload({ monitors: [http('edge')] })
    const cancelled = (await service.events('edge')).filter(({ type }) => type === 'action_cancelled')
    expect(cancelled.at(-1)).toMatchObject({ outcome: 'configuration_changed' })
  })
})

describe('after a gap', () => {
  it('judges no check that was caught in a stall, although its result comes before the next tick', async () => {
    const hasty = { ...watched, check: { ...watched.check, unhealthy_threshold: 1 } }
    const service = await TestService.start({ monitors: [hasty], head })
    await service.advance({ seconds: 11 })
    service.target('edge').hangs()
    await service.advance({ seconds: 10 })
    service.sleep({ seconds: 60 })
    await service.advance({ ms: 10 })
    expect(service.statusOf('edge')).toBe('unknown')
    await service.advance({ seconds: 1 })
    expect(service.told).toEqual([])
  })

  it('starts no red that an answer brings before the next tick', async () => {
    const service = await TestService.start({ monitors: [recoverable], head })
    service.providers.latencyMs = 5_000
    service.providers.recoveryOutcomeOf = () => ({ kind: 'rejected', reason: 'HTTP 403' })
    service.target('edge').goesDown()
    while (service.providers.recoveries.length === 0) await service.advance({ ms: 100 })
    service.target('edge').comesBack()
    service.sleep({ seconds: 60 })
    await service.advance({ seconds: 30 })
    expect(service.statusOf('edge')).toBe('up')
    expect(service.told).not.toContain('edge red → ops')
  })

  it('starts a red that was queued before the machine was suspended only after a check has failed', async () => {
    const stubborn = { ...watched, check: { ...watched.check, healthy_threshold: 100 } }
    const service = await TestService.start({ monitors: [stubborn], head })
    service.providers.outcomeOf = () => ({ kind: 'retry', reason: 'HTTP 429', retryAfterMs: 60_000 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 40 })
    service.target('edge').comesBack()
    const before = service.told.length
    service.clock.jumpWall(3_600_000)
    await service.advance({ seconds: 120 })
    expect(service.told.slice(before)).toEqual([])
    service.target('edge').goesDown()
    await service.advance({ seconds: 11 })
    expect(service.told.slice(before)).toContain('edge red → ops')
  })
})

describe('the window of punctuality', () => {
  it('is not complete before the service has watched for as long, also over a restart', async () => {
    const service = await TestService.start({ monitors: [http('edge', { every: '60s' })] })
    await service.advance({ seconds: 3 })
    const { coverageComplete, gapEnd } = service.engine.reading.sloReport()
    expect({ coverageComplete, gapEnd }).toEqual({
      coverageComplete: false,
      gapEnd: service.clock.wallMs() - 3_000,
    })
    await service.advance({ seconds: 297 })
    expect(service.engine.reading.sloReport().coverageComplete).toBe(true)
    await service.restart(undefined, { offSeconds: 2 })
    expect(service.engine.reading.sloReport().coverageComplete).toBe(false)
  })
})

describe('while nothing can be written', () => {
  it('starts nothing, judges nobody, and goes on by itself', async () => {
    const service = await TestService.start(fleet)
    await service.advance({ seconds: 31 })
    service.engine.pause()
    const { checks } = service.target('edge')
    await service.advance({ seconds: 60 })
    expect(service.target('edge').checks).toBe(checks)
    service.engine.resume()
    await service.advance({ seconds: 30 })
    expect(service.target('edge').checks).toBe(checks + 3)
    const report = service.engine.reading.sloReport()
    expect(report.coverageComplete).toBe(false)
    expect(report.reports[0]!.missed).toBe(0)
  })
})

describe('many at once', () => {
  const names = Array.from({ length: 1_000 }, (_, number) => `m${number}`)

  it('lets a slow and a limited destination delay nobody', async () => {
    const monitors = names.map((name) => ({
      ...http(name, { every: '60s' }),
      check: { ...http(name, { every: '60s' }).check, unhealthy_threshold: 1 },
      notify: { red: { endpoints: ['slow', 'limited', 'third'] } },
    }))
    const service = await TestService.start({ monitors, head: endpoints('slow', 'limited', 'third') })
    const answers = {
      slow: { kind: 'unknown', reason: 'no answer' },
      limited: { kind: 'retry', reason: 'HTTP 429', retryAfterMs: 60_000 },
      third: { kind: 'accepted' },
    } as const
    service.providers.outcomeOf = ({ endpoint }) => answers[endpoint as keyof typeof answers]
    service.providers.latencyOf = (endpoint) => (endpoint === 'slow' ? 30_000 : 5)
    await service.advance({ seconds: 31 })
    for (const name of names) service.target(name).goesDown()
    await service.advance({ seconds: 61 })
    const arrived = service.providers.deliveries.filter(({ endpoint }) => endpoint === 'third')
    expect(arrived).toHaveLength(names.length)
    const delays = arrived.map(({ notification, atMs }) => atMs - notification.atMs)
    expect(Math.max(...delays)).toBeLessThan(5_000)
  })

  /** Loses and repeats nothing. */
  async function pacesToOneSlackChannel(incidents: number): Promise<void> {
    const many = Array.from({ length: incidents }, (_, number) => `m${number}`)
    const monitors = many.map((name) => ({
      ...http(name, { every: '60s' }),
      check: { ...http(name, { every: '60s' }).check, unhealthy_threshold: 1, healthy_threshold: 1 },
      notify: { red: { endpoints: ['slack'] }, green: { endpoints: ['slack'] } },
    }))
    const head = { endpoints: { slack: { type: 'slack', config: { hook: { credential: 'hook' } } } } }
    const service = await TestService.start({ monitors, head })
    await service.advance({ seconds: 31 })
    for (const name of many) service.target(name).goesDown()
    await service.advance({ seconds: 61 })
    const sent = service.told.length
    expect(sent).toBeGreaterThan(50)
    expect(sent).toBeLessThanOrEqual(62)
    const waiting = service.parts.figures.queues().code
    expect(waiting.depth).toBe(many.length - sent)
    expect(waiting.oldestMs).toBeGreaterThan(50_000)
    for (const name of many) service.target(name).comesBack()
    await service.advance({ seconds: 61 })
    // Destinations that were told of an incident are told of its end; no others hear of either.
    const red = service.told.filter((words) => words.includes('red'))
    const { view } = service.parts.ledger
    const greens =
      service.told.length - red.length + many.filter((name) => view.pendingColorOf(name) === 'green').length
    expect(new Set(service.told).size).toBe(service.told.length)
    expect(greens).toBe(red.length)
    expect(many.filter((name) => view.pendingColorOf(name) === 'red')).toEqual([])
  }

  it('paces a thousand incidents to one Slack channel, and loses and repeats nothing', () =>
    pacesToOneSlackChannel(1_000))

  it('paces ten thousand of them in the same way', { tags: 'long' }, () => pacesToOneSlackChannel(10_000))
})
