// What people ask for, over time: snoozes that end by the wall clock, over restarts and clock steps; incidents that are
// acknowledged, dismissed and reopened; recoveries by hand; reviews. Each test is a timeline of the whole controller.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { Control, ControlResult } from './deciding/control.ts'
import { accepted, rejected, unknown } from './platform/action-outcome.ts'

const hour = 3_600_000
const notify = { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] }, gray: { endpoints: ['ops'] } }
const recovery = { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart' } }
const fleet = (parts: object = {}, ...others: ReturnType<typeof http>[]) => ({
  monitors: [{ ...http('edge'), notify, ...parts }, ...others],
  head: endpoints('ops'),
})
const asked = { actor: 'mara', reason: 'planned work', note: null }

const healthOf = (service: TestService, id = 'edge') => service.engine.reading.healthOf(service.rowOf(id))
const incidentOf = (service: TestService) => healthOf(service).episode?.incident?.id ?? ''

/** Carries out a control in a separate turn, whatever revision its subject has. */
async function ask(service: TestService, control: (revision: number) => Control): Promise<ControlResult> {
  let result: ControlResult = { done: false, refusal: { code: 'notFound', message: 'never asked' } }
  await service.engine.request('told', (turn) => {
    const { control: ofMonitor, episode } = healthOf(service)
    const kind = control(1).verb
    const isOfIncident = kind === 'acknowledge' || kind === 'dismiss' || kind === 'reopen'
    const revision = isOfIncident ? episode?.incident?.handling?.revision : ofMonitor?.revision
    result = service.engine.applyControl(turn, control(revision ?? 1))
  })
  return result
}

const snooze = (service: TestService, seconds: number) =>
  ask(service, (revision) => ({
    verb: 'snooze',
    monitorId: 'edge',
    revision,
    asked,
    untilWallMs: service.clock.wallMs() + seconds * 1000,
  }))
const unsnooze = (service: TestService) =>
  ask(service, (revision) => ({ verb: 'unsnooze', monitorId: 'edge', revision, asked }))
const handle = (service: TestService, verb: 'acknowledge' | 'dismiss' | 'reopen') =>
  ask(service, (revision) => ({ verb, monitorId: 'edge', incidentId: incidentOf(service), revision, asked }))
const recover = (service: TestService) =>
  ask(service, (revision) => ({ verb: 'recover', monitorId: 'edge', incidentId: null, revision, asked }))

async function broken(parts: object = {}, settings: object = {}): Promise<TestService> {
  const service = await TestService.start({ ...fleet(parts), settings })
  await service.advance({ seconds: 15 })
  service.target('edge').goesDown('HTTP 503')
  await service.advance({ seconds: 45 })
  return service
}

const typesOf = async (service: TestService) => (await service.events('edge')).map(({ type }) => type)
const samplesOf = (service: TestService) => service.fleet.columns.totalSamples[service.rowOf('edge')]

describe('a review', () => {
  it('is in the history of a monitor that left the fleet and came back', async () => {
    const service = await TestService.start(fleet())
    await service.advance({ seconds: 15 })
    service.providers.outcomeOf = () => unknown('no answer')
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 45 })
    const [lost] = service.parts.ledger.view.firstUnknown(1)
    await service.reload({ monitors: [http('other')], head: endpoints('ops') })
    await service.reload(fleet())
    const review = {
      verb: 'review',
      actionId: lost?.id ?? '',
      resolution: 'accepted',
      evidenceRefs: [],
    } as const
    expect(await ask(service, () => ({ ...review, revision: 1, asked }))).toMatchObject({ done: true })
    const number = service.fleet.columns.numericId[service.rowOf('edge')]
    const told = (await service.events('edge')).find(({ type }) => type === 'action_reviewed')
    expect(told).toMatchObject({ numericId: number, actionId: lost?.id })
  })
})

describe('a snooze', () => {
  it('stops checks, drops what is in flight, and goes on with the monitor’s own time slots', async () => {
    const service = await TestService.start(fleet())
    await service.advance({ seconds: 15 })
    const target = service.target('edge')
    target.end = { ...target.end, lastsMs: 3_000 }
    for (const { checks } = { ...target }; target.checks === checks; ) await service.advance({ ms: 100 })
    const before = samplesOf(service)
    expect(await snooze(service, 60)).toMatchObject({ done: true, before: 1, after: 2 })
    await service.advance({ seconds: 59 })
    expect([samplesOf(service), service.statusOf('edge')]).toEqual([before, 'disabled'])
    expect(service.overview()).toMatchObject({ disabled: 1, up_percent: null })
    expect(target.checks).toBe(3)
    await service.advance({ seconds: 2 })
    expect(service.statusOf('edge')).toBe('unknown')
    expect(healthOf(service).control?.revision).toBe(3)
    await service.advance({ seconds: 14 })
    expect(service.statusOf('edge')).toBe('up')
    expect(await typesOf(service)).toEqual(['control_snoozed', 'snooze_expired'])
    expect(service.engine.reading.sloReport().reports).toMatchObject([{ missed: 0 }])
  })

  it('keeps an open incident silent, and tells it again when it is still true afterwards', async () => {
    const service = await broken({}, { alert_cooldown: 1_000 })
    expect(service.told).toEqual(['edge red → ops'])
    await snooze(service, 120)
    await service.advance({ seconds: 100 })
    expect([service.told.length, service.overview().incidents]).toEqual([1, 1])
    await unsnooze(service)
    await service.advance({ seconds: 40 })
    expect(service.told).toEqual(['edge red → ops', 'edge red → ops'])
    service.target('edge').comesBack()
    await service.advance({ seconds: 25 })
    expect(service.told.at(-1)).toBe('edge green → ops')
    expect(await typesOf(service)).not.toContain('snooze_expired')
  })

  it('names the incident that is open then, when it begins and when it ends, and no other', async () => {
    const service = await broken()
    const incidentId = incidentOf(service)
    await snooze(service, 60)
    await service.restart()
    await service.advance({ seconds: 61 })
    await snooze(service, 60)
    await unsnooze(service)
    service.target('edge').comesBack()
    await service.advance({ seconds: 40 })
    await snooze(service, 60)
    await unsnooze(service)
    const ofSnoozes = (await service.events('edge')).filter(({ type }) => type.includes('snooze'))
    expect(ofSnoozes.map((event) => [event.type, event.incidentId])).toEqual([
      ['control_snoozed', incidentId],
      ['snooze_expired', incidentId],
      ['control_snoozed', incidentId],
      ['control_unsnoozed', incidentId],
      ['control_snoozed', null],
      ['control_unsnoozed', null],
    ])
  })

  it('is counted once with its end: until it ends, is ended, or its monitor leaves', {
    tags: 'long',
  }, async () => {
    const service = await broken()
    const { counts } = service.fleet
    const figures = () => [counts.snoozed, service.overview().disabled, service.overview().incidents]
    await snooze(service, 60)
    expect(figures()).toEqual([1, 1, 1])
    await snooze(service, 300)
    await service.restart()
    expect(service.fleet.counts.snoozed).toBe(1)
    await service.advance({ seconds: 310 })
    expect(service.fleet.counts.snoozed).toBe(0)
    await snooze(service, 300)
    await unsnooze(service)
    expect(service.fleet.counts.snoozed).toBe(0)
    await snooze(service, 300)
    await service.reload({ monitors: [{ ...http('edge'), enabled: false, notify }] })
    expect([service.fleet.counts.snoozed, service.overview().disabled]).toEqual([0, 1])
    await service.reload({ monitors: [{ ...http('edge'), notify }] })
    expect(service.fleet.counts.snoozed).toBe(1)
    await service.reload({ monitors: [http('other')] })
    expect(service.fleet.counts).toMatchObject({ total: 1, snoozed: 0, incidents: 0 })
  })

  it('suppresses no child', async () => {
    const service = await TestService.start(fleet({}, { ...http('behind'), depends_on: ['edge'], notify }))
    await service.advance({ seconds: 15 })
    for (const id of ['edge', 'behind']) service.target(id).goesDown()
    await service.advance({ seconds: 45 })
    expect(service.told).toEqual(['edge red → ops'])
    await snooze(service, 600)
    await service.advance({ seconds: 15 })
    expect(service.told).toEqual(['edge red → ops', 'behind red → ops'])
  })

  it('ends when its deadline has passed while no process was running, and lasts over a restart otherwise', async () => {
    const service = await broken()
    await snooze(service, 300)
    await service.restart(fleet(), { offSeconds: 100 })
    await service.advance({ seconds: 60 })
    expect([service.statusOf('edge'), healthOf(service).snooze]).toMatchObject(['disabled', {}])
    expect(healthOf(service).control?.revision).toBe(2)
    await service.restart(fleet(), { offSeconds: 200 })
    await service.advance({ seconds: 1 })
    expect(healthOf(service)).toMatchObject({ snooze: null, control: { revision: 3 } })
    await service.advance({ seconds: 15 })
    expect(service.statusOf('edge')).toBe('incident')
  })

  it.each([
    [-hour, 'disabled'],
    [hour, 'unknown'],
  ])('ends by the wall clock when that is set by %i ms', async (stepMs, status) => {
    const service = await TestService.start(fleet())
    await service.advance({ seconds: 15 })
    await snooze(service, 600)
    service.clock.jumpWall(stepMs)
    await service.advance({ seconds: 2 })
    expect(service.statusOf('edge')).toBe(status)
    // What is stored did not move either.
    await service.restart()
    await service.advance({ seconds: 1 })
    expect(healthOf(service).snooze === null).toBe(status === 'unknown')
  })

  const window = [{ start: '2025-12-31T00:00:00Z', end: '2026-02-01T00:00:00Z' }]
  const beginnings: Readonly<Record<string, (service: TestService) => Promise<unknown>>> = {
    snooze: (service) => snooze(service, 600),
    disable: (service) => service.reload(fleet({ ...state.get(service), enabled: false })),
    maintenance: (service) => service.reload(fleet({ ...state.get(service), maintenance: window })),
  }
  const ends: Readonly<Record<string, (service: TestService) => Promise<unknown>>> = {
    snooze: unsnooze,
    disable: (service) => service.reload(fleet({ ...state.get(service), enabled: true })),
    maintenance: (service) => service.reload(fleet({ ...state.get(service), maintenance: [] })),
  }
  /** What the file says of the monitor. */
  const state = new WeakMap<TestService, object>()
  const orders = [
    ['snooze', 'disable', 'maintenance'],
    ['snooze', 'maintenance', 'disable'],
    ['disable', 'snooze', 'maintenance'],
    ['disable', 'maintenance', 'snooze'],
    ['maintenance', 'snooze', 'disable'],
    ['maintenance', 'disable', 'snooze'],
  ]
  it.each(orders.flatMap((begin) => orders.map((end) => [begin.join(', '), end.join(', ')] as const)))(
    'overlaps with the others: after %s, ended as %s, the monitor is checked only when nothing stops it',
    async (begin, end) => {
      const service = await TestService.start(fleet())
      await service.advance({ seconds: 15 })
      const active = new Set<string>()
      const step = async (name: string, isBeginning: boolean) => {
        await (isBeginning ? beginnings : ends)[name]?.(service)
        if (isBeginning) active.add(name)
        else active.delete(name)
        state.set(service, {
          ...(active.has('disable') ? { enabled: false } : {}),
          ...(active.has('maintenance') ? { maintenance: window } : {}),
        })
        await service.advance({ seconds: 1 })
        const before = samplesOf(service) ?? 0
        await service.advance({ seconds: 21 })
        const isStopped = active.has('snooze') || active.has('disable')
        expect((samplesOf(service) ?? 0) - before, [...active].join()).toBe(isStopped ? 0 : 2)
        expect(service.statusOf('edge') === 'disabled').toBe(isStopped)
        expect(healthOf(service).maintenance !== null).toBe(active.has('maintenance'))
      }
      for (const name of begin.split(', ')) await step(name, true)
      for (const name of end.split(', ')) await step(name, false)
      expect(service.engine.reading.sloReport().reports).toMatchObject([{ missed: 0, overdue: 0 }])
    },
  )
})

describe('an incident', () => {
  it('is not repeated once it is acknowledged, and its messages say by whom, also after a restart', async () => {
    const parts = { notify: { ...notify, repeat: '30s' } }
    const service = await broken(parts, { alert_cooldown: 1_000 })
    await service.advance({ seconds: 31 })
    expect(service.told).toEqual(['edge red → ops', 'edge red → ops'])
    await handle(service, 'acknowledge')
    await service.restart(fleet(parts))
    await service.advance({ seconds: 100 })
    expect(service.told).toHaveLength(2)
    service.target('edge').comesBack()
    await service.advance({ seconds: 25 })
    const messages = service.providers.deliveries.map(({ notification }) => notification)
    expect(messages.map(({ acknowledgedBy }) => acknowledgedBy)).toEqual([null, null, 'mara'])
  })

  it('sends nothing once it is dismissed, over a restart, to its end', { tags: 'long' }, async () => {
    const service = await broken()
    await handle(service, 'dismiss')
    await service.restart()
    await service.advance({ seconds: 400 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 700 })
    expect(service.told).toEqual(['edge red → ops'])
    service.target('edge').goesDown()
    await service.advance({ seconds: 45 })
    expect(service.told.at(-1)).toBe('edge red → ops')
  })

  it('has the red withdrawn by a dismissal that was to follow one of the incident before', async () => {
    const service = await TestService.start({ ...fleet(), settings: { alert_cooldown: 1_000 } })
    await service.advance({ seconds: 15 })
    service.providers.latencyMs = 150_000
    const target = service.target('edge')
    target.goesDown('HTTP 503')
    await service.advance({ seconds: 45 })
    target.comesBack()
    await service.advance({ seconds: 25 })
    target.goesDown('HTTP 503')
    await service.advance({ seconds: 45 })
    expect(await handle(service, 'dismiss')).toMatchObject({ done: true })
    await service.advance({ seconds: 180 })
    const told = service.providers.deliveries.map(({ notification }) => notification.color)
    expect(told.filter((color) => color === 'red')).toEqual(['red'])
    expect((await service.events('edge')).filter(({ outcome }) => outcome === 'dismissed')).toHaveLength(1)
  })

  it('has the yellow of a warning withdrawn that ends with it while it is dismissed', async () => {
    const service = await broken({ notify: { ...notify, yellow: { endpoints: ['ops'] } } })
    await handle(service, 'dismiss')
    const told = service.providers.deliveries.length
    service.target('edge').warns('the certificate ends soon')
    await service.advance({ seconds: 10 })
    // It waits for the cooldown of the episode's own yellow.
    expect(await typesOf(service)).toContain('action_queued')
    service.target('edge').comesBack()
    await service.advance({ seconds: 400 })
    expect([service.statusOf('edge'), service.providers.deliveries.length]).toEqual(['up', told])
  })

  it('has its unsent red withdrawn by a dismissal; reopened, it is untold and its digest comes', {
    tags: 'long',
  }, async () => {
    const service = await TestService.start({ ...fleet(), settings: { alert_cooldown: 60_000 } })
    await service.advance({ seconds: 15 })
    service.providers.outcomeOf = () => ({ kind: 'retry', reason: 'HTTP 503', retryAfterMs: 600_000 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 45 })
    await handle(service, 'dismiss')
    const cancelled = (await service.events('edge')).findLast(({ type }) => type === 'action_cancelled')
    expect(cancelled).toMatchObject({ outcome: 'dismissed', color: 'red' })
    service.providers.outcomeOf = () => accepted()
    const { length } = service.told
    await service.advance({ seconds: 700 })
    expect(service.told).toHaveLength(length)
    await handle(service, 'reopen')
    await service.restart()
    await service.advance({ seconds: 30 })
    expect(service.told).toHaveLength(length)
    await service.advance({ seconds: 60 })
    expect(service.providers.deliveries.slice(length).map(({ notification }) => notification.cause)).toEqual([
      'digest',
    ])
  })

  it('is told of by nobody when it was dismissed to its end', async () => {
    const service = await TestService.start({ ...fleet(), settings: { alert_cooldown: 60_000 } })
    service.providers.outcomeOf = () => rejected('HTTP 400')
    await service.advance({ seconds: 15 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 45 })
    service.providers.outcomeOf = () => accepted()
    await handle(service, 'dismiss')
    const { length } = service.told
    service.target('edge').comesBack()
    await service.advance({ seconds: 300 })
    expect(service.told).toHaveLength(length)
  })
})

describe('a recovery by hand', () => {
  it('comes once a minute and three times an hour at most, also over restarts and clock steps', async () => {
    const service = await broken({ recovery })
    service.providers.recoveryOutcomeOf = () => rejected('no')
    await service.advance({ seconds: 30 })
    const automatic = service.providers.recoveries.length
    const limited = async () => {
      const result = await recover(service)
      return result.done
        ? 'done'
        : [result.refusal.code, Math.ceil((result.refusal.retryAfterMs ?? 0) / 1000)]
    }
    expect(await limited()).toBe('done')
    await service.advance({ seconds: 20 })
    expect(await limited()).toEqual(['rateLimited', 40])
    await service.restart(fleet({ recovery }))
    await service.advance({ seconds: 10 })
    expect(await limited()).toEqual(['rateLimited', 30])
    service.clock.jumpWall(hour)
    await service.advance({ seconds: 10 })
    expect(await limited()).toEqual(['rateLimited', 20])
    await service.advance({ seconds: 20 })
    expect(await limited()).toBe('done')
    await service.advance({ seconds: 61 })
    expect(await limited()).toBe('done')
    await service.advance({ seconds: 61 })
    expect(await limited()).toEqual(['rateLimited', 3600 - 60 - 61 - 61])
    expect(service.providers.recoveries.length - automatic).toBe(3)
  })

  it('is held until the unknown one is reviewed, and nothing is repeated by the review', async () => {
    const service = await TestService.start(fleet({ recovery }))
    service.providers.recoveryOutcomeOf = () => unknown('no answer')
    await service.advance({ seconds: 15 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 60 })
    const [action] = service.engine.reading.actions.firstUnknown(1)
    const review = (resolution: 'inconclusive' | 'rejected', revision: number) =>
      ask(service, () => ({
        verb: 'review',
        actionId: action?.id ?? '',
        revision,
        resolution,
        evidenceRefs: [],
        asked,
      }))
    expect(await review('inconclusive', 2)).toMatchObject({ refusal: { code: 'versionConflict' } })
    expect(await review('inconclusive', 1)).toMatchObject({ done: true })
    expect(await recover(service)).toMatchObject({ refusal: { code: 'recoveryIneligible' } })
    await service.restart()
    expect(service.engine.reading.actions.unknownActions).toBe(1)
    expect(await review('rejected', 2)).toMatchObject({ done: true })
    expect(await review('rejected', 3)).toMatchObject({ refusal: { code: 'actionNotUnknown' } })
    await service.restart(fleet({ recovery }))
    await service.advance({ seconds: 60 })
    expect([service.engine.reading.actions.unknownActions, healthOf(service).hold]).toEqual([0, null])
    expect(service.providers.recoveries).toHaveLength(1)
    expect(await recover(service)).toMatchObject({ done: true })
    await service.advance({ seconds: 15 })
    expect(service.providers.recoveries).toHaveLength(2)
  })
})

describe('a turn of controls', () => {
  it('says that it is uncertain when writing begins to fail, and begins nothing while it fails', async () => {
    const service = await broken()
    service.holdCommits()
    const row = service.rowOf('edge')
    const ending = service.engine.request('told', (turn) => {
      turn.decide({ kind: 'monitor', row, input: { kind: 'snoozed', untilWallMs: 2e12, asked } })
    })
    service.engine.pause()
    expect(await ending).toBe('uncertain')
    expect(await service.engine.request('told', () => expect.fail('it was begun'))).toBe('refused')
    // It was never on disk.
    await service.restart()
    expect(healthOf(service).snooze).toBeNull()
  })
})
