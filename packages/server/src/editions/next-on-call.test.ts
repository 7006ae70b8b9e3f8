// People, schedules and policies through v2: what holds on to what, who is on call, and the page of an incident.
import { createHash } from 'node:crypto'
import type { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { documentOf, type ServedNext, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { FleetHead } from '../config/fleet-file/schema.ts'

const log = { type: 'log', config: {} }
const check = {
  driver: { type: 'http', config: { url: 'http://shop/' } },
  interval: '1h',
  timeout: '5s',
}

async function create(
  next: ServedNext,
  kind: v2.ResourceKind,
  id: string,
  spec: object,
  metadata: object = {},
) {
  const document = documentOf(kind, id, spec)
  const body = { ...document, metadata: { ...document.metadata, ...metadata } }
  const answer = await next.call(`Create${kind}`, { body, headers: { 'if-none-match': '*' } })
  expect([id, answer.status]).toEqual([id, 201])
}

async function deletion(next: ServedNext, kind: v2.ResourceKind, id: string): Promise<Response> {
  const found = await next.call(`Get${kind}`, { id })
  return await next.call(`Delete${kind}`, { id, headers: { 'if-match': found.headers.get('etag') ?? '' } })
}

describe('people, schedules and policies', () => {
  it('hold on to what they name', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    await create(next, 'NotificationEndpoint', 'chat', log)
    await create(next, 'NotificationGroup', 'leads', { endpointRefs: ['chat'] })
    await create(next, 'Person', 'ana', { endpointRefs: ['chat'] })
    await create(next, 'Schedule', 'primary', {
      layers: [{ personRefs: ['ana'], start: '2026-03-02T09:00' }],
    })
    await create(next, 'Policy', 'page', {
      steps: [{ notify: [{ scheduleRef: 'primary' }, { groupRef: 'leads' }] }],
    })
    await create(next, 'Route', 'payments', { match: { team: 'payments' }, policyRef: 'page' })
    await create(next, 'Monitor', 'shop', { check, policyRef: 'page', severity: 'warning' })
    const inUse = [
      ['NotificationEndpoint', 'chat', 'person/ana'],
      ['NotificationGroup', 'leads', 'policy/page'],
      ['Person', 'ana', 'schedule/primary'],
      ['Schedule', 'primary', 'policy/page'],
      ['Policy', 'page', 'route/payments'],
    ] as const
    for (const [kind, id, user] of inUse) {
      const refused = await deletion(next, kind, id)
      const { detail } = await expectV2Problem(`Delete${kind}`, refused, 'resourceReferenced')
      expect(detail).toContain(user)
    }
    expect((await deletion(next, 'Route', 'payments')).status).toBe(200)
    expect((await deletion(next, 'Policy', 'page')).status).toBe(409)
    expect((await deletion(next, 'Monitor', 'shop')).status).toBe(200)
    for (const [kind, id] of inUse.toReversed())
      expect([kind, (await deletion(next, kind, id)).status]).toEqual([kind, 200])
  })

  it('say who is on call, until when, and who is next', async () => {
    const wallMs = Date.parse('2026-03-29T12:00:00Z')
    await using next = await serveNext(await TestService.start({ monitors: [], wallMs }))
    await create(next, 'NotificationEndpoint', 'chat', log)
    await create(next, 'Person', 'ana', { endpointRefs: ['chat'] }, { name: 'Ana Berg' })
    await create(next, 'Person', 'bo', { endpointRefs: ['chat'] }, { name: 'Bo' })
    await create(next, 'Schedule', 'primary', {
      timezone: 'Europe/Berlin',
      layers: [{ personRefs: ['bo', 'ana'], start: '2026-03-23T09:00' }],
      overrides: [{ from: '2026-03-30T12:00', to: '2026-03-30T18:00', personRef: 'bo' }],
    })
    await create(next, 'Schedule', 'later', { layers: [{ personRefs: ['bo'], start: '2099-01-01T00:00' }] })
    const onCallBy = async (id: string) =>
      (await expectV2Answer('GetSchedule', await next.call('GetSchedule', { id }))).status?.onCall
    // The clocks are an hour ahead since the night: 09:00 is 07:00 UTC.
    const until = '2026-03-30T07:00:00.000Z'
    expect(await onCallBy('primary')).toEqual({
      personRef: 'bo',
      name: 'Bo',
      until,
      nextPersonRef: 'ana',
      nextName: 'Ana Berg',
    })
    expect(await onCallBy('later')).toEqual({})
    const dutiesOf = async (id: string) =>
      (await expectV2Answer('GetPerson', await next.call('GetPerson', { id }))).status?.onCall
    expect([await dutiesOf('bo'), await dutiesOf('ana')]).toEqual([[{ scheduleRef: 'primary', until }], []])
    const query = '?from=2026-03-29T00:00:00Z&to=2026-04-06T07:00:00Z'
    const { shifts } = await expectV2Answer(
      'GetShifts',
      await next.call('GetShifts', { id: 'primary', query }),
    )
    expect(shifts.map((shift) => [shift.from, shift.to, shift.name, shift.isOverride])).toEqual([
      ['2026-03-29T00:00:00.000Z', until, 'Bo', false],
      [until, '2026-03-30T10:00:00.000Z', 'Ana Berg', false],
      ['2026-03-30T10:00:00.000Z', '2026-03-30T16:00:00.000Z', 'Bo', true],
      ['2026-03-30T16:00:00.000Z', '2026-04-06T07:00:00.000Z', 'Ana Berg', false],
    ])
    const ahead = await expectV2Answer('GetShifts', await next.call('GetShifts', { id: 'later' }))
    expect(ahead.shifts).toEqual([{ from: ahead.from, to: ahead.to, isOverride: false }])
    expect(Date.parse(ahead.to) - Date.parse(ahead.from)).toBe(56 * 86_400_000)
    for (const wrong of [
      '?from=yesterday',
      '?to=2020-01-01T00:00:00Z',
      '?to=2099-01-01T00:00:00Z',
      '?at=now',
    ])
      await expectV2Problem(
        'GetShifts',
        await next.call('GetShifts', { id: 'primary', query: wrong }),
        'invalidParameter',
      )
    await expectV2Problem('GetShifts', await next.call('GetShifts', { id: 'nowhere' }), 'notFound')
  })

  it('give a monitor the policy of the first matching route, by order and then by id', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    await create(next, 'NotificationEndpoint', 'chat', log)
    for (const id of ['first', 'second', 'own'])
      await create(next, 'Policy', id, { steps: [{ notify: [{ endpointRef: 'chat' }] }] })
    await create(next, 'Route', 'a', { match: {}, policyRef: 'second', order: 2 })
    await create(next, 'Route', 'b', { match: { team: 'shop' }, policyRef: 'first', order: 1 })
    const labels = { team: 'shop' }
    await create(next, 'Monitor', 'shop', { check }, { labels })
    await create(next, 'Monitor', 'edge', { check })
    await create(next, 'Monitor', 'mine', { check, policyRef: 'own' }, { labels })
    const policyOf = async (id: string) =>
      (await expectV2Answer('GetMonitor', await next.call('GetMonitor', { id }))).status?.audience?.policy
    expect([await policyOf('shop'), await policyOf('edge'), await policyOf('mine')]).toEqual([
      'first',
      'second',
      'own',
    ])
    await create(next, 'Route', '0', { match: {}, policyRef: 'own', order: 1 })
    expect(await policyOf('shop')).toBe('own')
  })
})

describe('a calendar', () => {
  const key = 'k'.repeat(43)
  const keyDigest = createHash('sha256').update(key).digest('hex')
  const eventsIn = (text: string) =>
    [...text.matchAll(/DTSTART:(\S+)\r\nDTEND:(\S+)\r\nSUMMARY:(.*)\r\n/g)].map(([, from, to, words]) => [
      from,
      to,
      words,
    ])

  it('has the shifts of a schedule or of one person, exact through daylight saving, until it is revoked', async () => {
    const wallMs = Date.parse('2026-03-10T12:00:00Z')
    const service = await TestService.start({ monitors: [], wallMs })
    await using next = await serveNext(service)
    await create(next, 'NotificationEndpoint', 'chat', log)
    await create(next, 'Person', 'ana', { endpointRefs: ['chat'] }, { name: 'Ana, "Berg"' })
    await create(next, 'Person', 'bo', { endpointRefs: ['chat'] }, { name: 'Bo' })
    await create(next, 'Schedule', 'primary', {
      timezone: 'Europe/Berlin',
      layers: [{ personRefs: ['ana', 'bo'], start: '2026-03-16T09:00' }],
      overrides: [{ from: '2026-03-24T09:00', to: '2026-03-25T09:00', personRef: 'bo' }],
    })
    const fileOf = (of: string) => next.get(`/calendar/${of}.ics`, { headers: { authorization: '' } })
    expect((await fileOf(key)).status).toBe(404)
    await create(next, 'Calendar', 'all', { scheduleRef: 'primary', keyDigest })
    const answer = await fileOf(key)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    const text = await answer.text()
    // The clocks go forward on 29 March: 09:00 is 08:00 UTC before it, and 07:00 UTC after it. The override of a day is no
    // shift of its own where the same person is on call before and after.
    expect(eventsIn(text).slice(0, 3)).toEqual([
      ['20260316T080000Z', '20260323T080000Z', 'Ana\\, "Berg" (primary)'],
      ['20260323T080000Z', '20260330T070000Z', 'Bo (primary)'],
      ['20260330T070000Z', '20260406T070000Z', 'Ana\\, "Berg" (primary)'],
    ])
    expect(eventsIn(text).at(-1)?.[1]).toBe('20261001T000000Z')

    const ofBo = 'b'.repeat(43)
    const digest = createHash('sha256').update(ofBo).digest('hex')
    await create(next, 'Calendar', 'bo', { scheduleRef: 'primary', personRef: 'bo', keyDigest: digest })
    const own = await (await fileOf(ofBo)).text()
    expect(eventsIn(own)[0]).toEqual(['20260323T080000Z', '20260330T070000Z', 'On call: primary'])
    const uidsIn = (of: string) => [...of.matchAll(/UID:(\S+)/g)].map(([, uid]) => uid)
    await service.advance({ seconds: 3_600 })
    expect(uidsIn(await (await fileOf(ofBo)).text())).toEqual(uidsIn(own))
    expect(new Set(uidsIn(text)).size).toBe(uidsIn(text).length)

    expect((await deletion(next, 'Calendar', 'all')).status).toBe(200)
    const revoked = await fileOf(key)
    expect([revoked.status, await revoked.text()]).toEqual([
      404,
      'There is no calendar at this address, or it was revoked.\n',
    ])
    expect((await fileOf(ofBo)).status).toBe(200)
    for (const wrong of ['nothing', `${key}x`, '..%2f..']) expect((await fileOf(wrong)).status).toBe(404)
  })
})

describe('the page of an incident', () => {
  const head: FleetHead = {
    endpoints: { push: log, phone: log },
    people: { ana: { endpoints: ['push'] }, bo: { endpoints: ['phone'] } },
    policies: {
      page: {
        steps: [{ notify: [{ person: 'ana' }] }, { notify: [{ person: 'bo' }], wait: '10m' }],
        repeat: 1,
        ack_timeout: '1h',
      },
    },
  }

  it('says which step comes next and when, who was told, and who takes care of it', async () => {
    const service = await TestService.start({ monitors: [{ ...http('edge'), policy: 'page' }], head })
    await service.advance({ seconds: 11 })
    service.target('edge').goesDown('HTTP 503')
    await service.advance({ seconds: 45 })
    await using next = await serveNext(service)
    const incident = async () => {
      const [one] = (await expectV2Answer('ListIncidents', await next.call('ListIncidents'))).items
      return one!
    }
    const { id, openedAt, revision, escalation } = await incident()
    expect(escalation).toMatchObject({
      policyRef: 'page',
      state: 'running',
      severity: 'critical',
      openedAt,
      ...{ round: 1, rounds: 2, step: 2, steps: 2, incidents: 1 },
      nextStepAt: new Date(Date.parse(openedAt ?? '') + 300_000).toISOString(),
      waitsForCheck: false,
      leadMonitorID: 'edge',
      told: [{ personRef: 'ana', endpointRef: 'push' }],
      held: [],
    })
    const { status } = await expectV2Answer('GetPolicy', await next.call('GetPolicy', { id: 'page' }))
    expect(status).toMatchObject({ pages: 1, running: [escalation] })
    const headers = { 'if-match': `"${revision}"` }
    const body = { revision }
    await expectV2Answer('AcknowledgeIncident', await next.call('AcknowledgeIncident', { id, body, headers }))
    const acknowledged = (await incident()).escalation
    expect(acknowledged).toMatchObject({ state: 'acknowledged', restartsAt: expect.any(String) })
    expect(acknowledged?.nextStepAt).toBeUndefined()
    service.target('edge').comesBack()
    await service.advance({ seconds: 45 })
    expect((await incident()).escalation).toBeUndefined()
    const after = await expectV2Answer('GetPolicy', await next.call('GetPolicy', { id: 'page' }))
    expect(after.status).toMatchObject({ pages: 0, running: [] })
  })
})
