// Whole-service timelines of messages that do not arrive: nothing that failed goes unheard.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { retry } from './platform/action-outcome.ts'
import { heldBack } from './projection/action-view.ts'

const head = endpoints('ops')
const toOps = { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] } }
const check = {
  ...http('edge').check,
  interval: '1s',
  timeout: '500ms',
  unhealthy_threshold: 1,
  healthy_threshold: 1,
}
const edge = { ...http('edge'), check, notify: toOps }

async function started(monitors: Parameters<typeof TestService.start>[0]['monitors'] = [edge]) {
  const service = await TestService.start({ monitors, head })
  await service.advance({ seconds: 2 })
  return service
}

async function outage(service: TestService, seconds: number): Promise<void> {
  service.target('edge').goesDown('status 500')
  await service.advance({ seconds })
  service.target('edge').comesBack()
  await service.advance({ seconds: 2 })
}

/** Answers 503 so many times, then takes everything. */
function rejects(service: TestService, times: number): void {
  let left = times
  const { outcomeOf } = service.providers
  service.providers.outcomeOf = (delivery) => (left-- > 0 ? retry('HTTP 503') : outcomeOf(delivery))
}

const delivered = (service: TestService) =>
  service.providers.deliveries.map(({ notification }) => notification)

describe('an outage of five seconds', () => {
  it.each([1, 2, 3])('is told although the webhook answers 503 %d times', async (times) => {
    const service = await started()
    rejects(service, times)
    await outage(service, 5)
    await service.advance({ seconds: 60 })
    const taken = delivered(service).slice(times)
    const isRedTaken = taken.some(({ color }) => color === 'red')
    const green = taken.find(({ color }) => color === 'green')!
    expect(taken).toContain(green)
    expect(isRedTaken || green.untold?.incidents === 1).toBe(true)
    if (!isRedTaken) expect(green.untold).toMatchObject({ incidents: 1, seen: 'status 500' })
  })
})

describe('six outages within a minute', () => {
  it('are told by one red, one green and one digest', async () => {
    const service = await started()
    for (let count = 0; count < 6; count++) await outage(service, 5)
    await service.advance({ seconds: 600 })
    const told = delivered(service)
    expect(told.map(({ color, digest }) => (digest === null ? color : 'digest'))).toEqual([
      'red',
      'green',
      'digest',
    ])
    expect(told.at(-1)!.digest).toMatchObject({
      incidents: 5,
      moreMonitors: 0,
      monitors: [{ monitorId: 'edge', monitor: 'edge', incidents: 5 }],
    })
    const events = await service.events()
    expect(events.filter(({ type }) => type === 'digest_sent')).toMatchObject([
      { endpoint: 'ops', monitorId: null, detail: { incidents: 5, monitors: 1 } },
    ])
    const named = events.filter(({ type }) => type === 'incident_reported')
    expect(named.map(({ monitorId, endpoint }) => `${monitorId} to ${endpoint}`)).toEqual(
      Array.from({ length: 5 }, () => 'edge to ops'),
    )
    const opened = events.filter(({ type }) => type === 'incident_opened').map(({ incidentId }) => incidentId)
    expect(named.every(({ incidentId }) => opened.includes(incidentId))).toBe(true)
  })

  it('are told by the digest of the next process when the first one is killed', async () => {
    const service = await started()
    for (let count = 0; count < 6; count++) await outage(service, 5)
    await service.restart()
    await service.advance({ seconds: 600 })
    expect(delivered(service).at(-1)!.digest).toMatchObject({ incidents: 5 })
  })
})

describe('a monitor that fails beyond its threshold', () => {
  const recovery = { type: 'webhook', config: { url: 'http://runbooks.test/restart' } }
  const failing = { ...edge, recovery }

  it('says at every moment why nothing happens, or something does', async () => {
    const monitors = ['a', 'b', 'c'].map((id) => ({ ...failing, id, name: id }))
    const settings = { 'recovery.budget_per_minute': 2 }
    const service = await TestService.start({ monitors, head, settings })
    service.providers.recoveryOutcomeOf = () => ({ kind: 'rejected', reason: 'no' })
    service.providers.latencyMs = 3_000
    await service.advance({ seconds: 2 })
    for (const { id } of monitors) service.target(id).goesDown()
    const said = new Set<string | null>()
    for (let second = 0; second < 90; second++) {
      await service.advance({ seconds: 1 })
      for (const { id } of monitors) {
        const reason = heldBack(service.engine.reading, service.rowOf(id))
        said.add(reason)
        const { episode, intervention } = service.parts.health.of(service.rowOf(id))
        const isHeard = episode === null || episode.incident !== null || intervention !== null
        expect([id, second, isHeard || reason !== null]).toEqual([id, second, true])
      }
    }
    expect(said).toContain('its recovery action waits for the recovery budget')
    expect(said).toContain('its recovery action waits for another one of the same target')
    expect(monitors.map(({ id }) => service.statusOf(id))).toEqual(['incident', 'incident', 'incident'])
  })

  it('names what it depends on while that is in trouble, and nothing when that is over', async () => {
    const parent = { ...edge, id: 'gateway', name: 'gateway' }
    const child = { ...edge, depends_on: ['gateway'] }
    const service = await started([parent, child])
    service.target('gateway').goesDown()
    await service.advance({ seconds: 2 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 3 })
    const row = service.rowOf('edge')
    expect(heldBack(service.engine.reading, row)).toBe('it is suppressed by gateway, which it depends on')
    service.target('gateway').comesBack()
    await service.advance({ seconds: 3 })
    expect(heldBack(service.engine.reading, row)).toBeNull()
    expect(service.statusOf('edge')).toBe('incident')
  })
})

describe('four destinations that hang', () => {
  it('do not delay one that answers', async () => {
    const names = ['a', 'b', 'c', 'd', 'healthy']
    const monitors = Array.from({ length: 20 }, (_, number) => ({
      ...edge,
      id: `m${number}`,
      name: `m${number}`,
      notify: { red: { endpoints: number < 16 ? names.slice(0, 4) : ['healthy'] } },
    }))
    const service = await TestService.start({ monitors, head: endpoints(...names) })
    service.providers.latencyOf = (endpoint) => (endpoint === 'healthy' ? 20 : 15_000)
    await service.advance({ seconds: 2 })
    for (const { id } of monitors.slice(0, 16)) service.target(id).goesDown()
    await service.advance({ seconds: 3 })
    for (const { id } of monitors.slice(16)) service.target(id).goesDown()
    await service.advance({ seconds: 3 })
    expect(service.told.filter((words) => words.endsWith('healthy'))).toHaveLength(4)
    await service.advance({ seconds: 60 })
    expect(service.parts.actions.pipelines.code.pool.busy).toBe(0)
  })
})
