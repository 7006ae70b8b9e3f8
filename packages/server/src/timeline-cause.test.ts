// Why an incident opened, over time: kept with the incident when it has closed and the process is another one, and
// told in digests. The last error of a failing monitor outlives the process that saw it.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'

import { sentence } from './notify/driver/wording.ts'
import { rejected } from './platform/action-outcome.ts'
import { eventReason } from './projection/event-reason.ts'
import { IncidentViews } from './projection/v2/incident-views.ts'
import { OnCallViews } from './projection/v2/on-call-views.ts'

const head = endpoints('ops')
const notify = { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] } }
const edge = { ...http('edge'), notify }

/** Fails for half a minute with other words at each check; the third check opens the incident. */
async function broken(): Promise<TestService> {
  const service = await TestService.start({ monitors: [edge], head })
  await service.advance({ seconds: 15 })
  for (const words of ['refused', 'no route', 'HTTP 503', 'HTTP 500']) {
    service.target('edge').goesDown(words)
    await service.advance({ seconds: 10 })
  }
  return service
}

const incidentsOf = async (service: TestService) => {
  const { incidents } = await service.store.listIncidents({
    ...{ monitorId: 'edge', upTo: Number.MAX_SAFE_INTEGER, after: null, limit: 10 },
  })
  const { fleet, engine } = service
  const views = new IncidentViews(fleet, engine.reading, new OnCallViews(fleet, engine.reading))
  return incidents.map((incident) => views.view(incident))
}
const openingsOf = async (service: TestService) =>
  (await service.events('edge')).filter(({ type }) => type === 'incident_opened')
const lastErrorOf = (service: TestService) =>
  service.engine.reading.noteOf(service.rowOf('edge'))?.lastError ?? null

describe('the cause of an incident', () => {
  it('is in its event and in the incident: the check that opened it, not the last one', async () => {
    const service = await broken()
    const [opening] = await openingsOf(service)
    expect(eventReason(opening!)).toBe('HTTP 503')
    expect(await incidentsOf(service)).toMatchObject([
      {
        state: 'open',
        reason: 'HTTP 503',
        because: { kind: 'threshold', failure: 'HTTP 503', failureClass: 'failure' },
      },
    ])
    const [incident] = await incidentsOf(service)
    // Two intervals, and the time that a check takes.
    expect(incident!.because!.failingMs! / 1000).toBeCloseTo(20, 1)
    expect(lastErrorOf(service)).toBe('HTTP 500')
  })

  it('stays when the incident has closed, and over a restart', async () => {
    const service = await broken()
    service.target('edge').comesBack()
    await service.advance({ seconds: 30 })
    await service.restart()
    await service.advance({ seconds: 15 })
    expect(await incidentsOf(service)).toMatchObject([{ state: 'closed', reason: 'HTTP 503' }])
    expect((await openingsOf(service)).map(eventReason)).toEqual(['HTTP 503'])
  })

  it('is the check before a restart if the recovery that it led to is lost in it', async () => {
    const recovery = { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart' } }
    const service = await TestService.start({ monitors: [{ ...edge, recovery }], head })
    service.providers.latencyMs = 60_000
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 40 })
    await service.restart()
    expect(await incidentsOf(service)).toMatchObject([
      { reason: 'HTTP 503', because: { kind: 'recovery_failed', failure: 'HTTP 503' } },
    ])
  })
})

describe('the last error of a failing monitor', () => {
  it('is known in the next process, before its first check', async () => {
    const service = await broken()
    await service.restart()
    expect(lastErrorOf(service)).toBe('HTTP 500')
    expect(service.statusOf('edge')).toBe('incident')
  })

  it('is not kept for a monitor that recovered', async () => {
    const service = await broken()
    service.target('edge').comesBack()
    await service.advance({ seconds: 30 })
    await service.restart()
    expect(lastErrorOf(service)).toBeNull()
  })
})

describe('a digest', () => {
  it('says why each monitor was down, also after a restart', async () => {
    const service = await TestService.start({ monitors: [edge], head })
    const { outcomeOf } = service.providers
    service.providers.outcomeOf = () => rejected('HTTP 400')
    await service.advance({ seconds: 15 })
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 40 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 30 })
    await service.restart()
    service.providers.outcomeOf = outcomeOf
    await service.advance({ seconds: 400 })
    const { notification } = service.providers.deliveries.at(-1)!
    expect(notification.digest?.monitors).toMatchObject([{ monitorId: 'edge', seen: 'HTTP 503' }])
    expect(sentence(notification)).toMatch(/edge \d+ s in 1 incident \(HTTP 503\)$/)
  })
})
