// Controls over HTTP: what they refuse and in which words, what they leave behind, and how v1 and v2 show it.
import { v2 } from '@pulseward/contract'
import { expectV1Answer, expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const fleet = {
  monitors: ['edge', 'other'].map((id) => ({ ...http(id), notify: { red: { endpoints: ['ops'] } } })),
  head: endpoints('ops'),
}
const markup = '<img src=x onerror=alert(1)>\u202e'

let service: TestService
let next: ServedNext
beforeEach(async () => {
  service = await TestService.start(fleet)
  await service.advance({ seconds: 15 })
  for (const id of ['edge', 'other']) service.target(id).goesDown('HTTP 503')
  await service.advance({ seconds: 45 })
  next = await serveNext(service)
})
afterEach(() => next[Symbol.asyncDispose]())

async function incidentOf(monitor: string) {
  const query = `?monitorID=${monitor}`
  const { items } = await expectV2Answer('ListIncidents', await next.call('ListIncidents', { query }))
  return { id: items[0]?.id ?? '', revision: items[0]?.revision ?? '' }
}

async function monitorOf(id: string) {
  const { status } = await expectV2Answer('GetMonitor', await next.call('GetMonitor', { id }))
  return { id, revision: status?.controlRevision ?? '', status }
}

type ControlName = Parameters<ServedNext['call']>[0]

function control(
  name: ControlName,
  { id, revision }: { id: string; revision: string },
  words: object = {},
  ifMatch = revision,
) {
  return next.call(name, { id, headers: { 'if-match': `"${ifMatch}"` }, body: { revision, ...words } })
}

const why = { reason: 'planned work' }

describe('a control', () => {
  it.each<[string, ControlName, object, string]>([
    ['no duration', 'SnoozeMonitor', why, '/duration required'],
    ['a duration of nothing', 'SnoozeMonitor', { ...why, duration: '0s' }, '/duration tooSmall'],
    ['721 hours', 'SnoozeMonitor', { ...why, duration: '721h' }, '/duration tooLarge'],
    ['no reason', 'SnoozeMonitor', { duration: '1h' }, '/reason required'],
    ['a blank reason', 'SnoozeMonitor', { reason: ' \n', duration: '1h' }, '/reason required'],
    ['a note of 5 KB', 'SnoozeMonitor', { ...why, duration: '1h', note: 'ä'.repeat(2_500) }, '/note rule'],
    ['a resolution', 'UnsnoozeMonitor', { resolution: 'accepted' }, '/resolution misplaced'],
    ['neither reason nor resolution', 'ReviewAction', {}, '/reason required, /resolution required'],
    ['no reason', 'DismissIncident', {}, '/reason required'],
    ['no reason', 'RecoverMonitor', {}, '/reason required'],
    ['a duration', 'AcknowledgeIncident', { duration: '1h' }, '/duration misplaced'],
  ])('with %s is refused by %s, and all that is wrong is named', async (_, name, words, expected) => {
    const subject = name.endsWith('Monitor') ? await monitorOf('edge') : await incidentOf('edge')
    const { errors } = await expectV2Problem(name, await control(name, subject, words), 'invalidResource')
    expect(errors?.map(({ field, reason }) => `${field} ${reason}`).join(', ')).toBe(expected)
    expect((await service.events('edge')).filter(({ actor }) => actor !== null)).toEqual([])
  })

  it('names its actor by the credential and takes none from the body', async () => {
    const response = await control('AcknowledgeIncident', await incidentOf('edge'), {
      actor: 'somebody else',
    })
    await expectV2Problem('AcknowledgeIncident', response, 'invalidBody')
  })

  it('is of a reader forbidden, before anything else is looked at', async () => {
    const { id } = await incidentOf('edge')
    const response = await next.call('DismissIncident', { id, role: 'reader', body: 'not JSON' })
    await expectV2Problem('DismissIncident', response, 'forbidden')
  })

  it('needs the revision that its subject has: no other, none of another subject, and the same in both places', async () => {
    const [mine, other] = [await incidentOf('edge'), await incidentOf('other')]
    const stale = async (subject: { id: string; revision: string }) =>
      expectV2Problem('DismissIncident', await control('DismissIncident', subject, why), 'versionConflict')
    await stale({ ...mine, revision: other.revision })
    await stale({ ...mine, revision: '1' })
    await stale({ ...mine, revision: (await monitorOf('edge')).revision })
    const different = await control('DismissIncident', mine, why, other.revision)
    const { errors } = await expectV2Problem('DismissIncident', different, 'invalidResource')
    expect(errors).toMatchObject([{ field: '/revision' }])
    await expectV2Answer('AcknowledgeIncident', await control('AcknowledgeIncident', mine))
    await stale(mine)
    const missing = await next.call('DismissIncident', {
      id: mine.id,
      body: { revision: mine.revision, ...why },
    })
    await expectV2Problem('DismissIncident', missing, 'preconditionRequired')
  })

  it('of two who decided on the same revision is carried out for one', async () => {
    const subject = await monitorOf('edge')
    const words = { ...why, duration: '1h' }
    const answers = await Promise.all([1, 2, 3].map(() => control('SnoozeMonitor', subject, words)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })

  it('is not found for what does not exist', async () => {
    const nobody = { id: 'nobody', revision: '1' }
    for (const [name, words] of [
      ['AcknowledgeIncident', {}],
      ['ReviewAction', { ...why, resolution: 'accepted' }],
      ['SnoozeMonitor', { ...why, duration: '1h' }],
      ['UnsnoozeMonitor', {}],
      ['RecoverMonitor', why],
    ] as const)
      await expectV2Problem(name, await control(name, nobody, words), 'notFound')
  })

  it('leaves its operation, its event and its new revision', async () => {
    const before = await monitorOf('edge')
    const words = { reason: markup, note: 'until the disk is changed', duration: '2h' }
    const response = await control('SnoozeMonitor', before, words)
    const operation = await expectV2Answer('SnoozeMonitor', response)
    const after = await monitorOf('edge')
    expect(operation).toMatchObject({
      id: response.headers.get('x-operation-id'),
      state: 'completed',
      items: [{ id: 'edge', outcome: 'updated', oldVersion: before.revision, newVersion: after.revision }],
    })
    const read = await next.call('GetOperation', { id: operation.id })
    expect(await expectV2Answer('GetOperation', read)).toEqual(operation)
    const until = service.clock.wallMs() + 7_200_000
    expect(after.status).toMatchObject({ health: 'unknown', snoozedUntil: new Date(until).toISOString() })
    const query = '?monitorID=edge&limit=500'
    const { items } = await expectV2Answer('GetHistory', await next.call('GetHistory', { query }))
    expect(items.at(-1)).toMatchObject({
      kind: 'control_snoozed',
      actor: 'the-operator',
      reason: markup,
      note: 'until the disk is changed',
    })
  })

  it('is shown in v1 of next', async () => {
    const incident = await incidentOf('edge')
    const acknowledged = await control('AcknowledgeIncident', incident)
    const { revision, acknowledgedBy, acknowledgedAt } = await expectV2Answer(
      'AcknowledgeIncident',
      acknowledged,
    )
    expect(acknowledged.headers.get('etag')).toBe(`"${revision}"`)
    await expectV2Answer('DismissIncident', await control('DismissIncident', { ...incident, revision }, why))
    await control('SnoozeMonitor', await monitorOf('edge'), { ...why, duration: '1h' })
    const { incidents } = await expectV1Answer('ListIncidents', 'next', await next.get('incidents'))
    expect(incidents.find(({ name }) => name === 'edge')).toMatchObject({
      status: 'disabled',
      incident: true,
      acknowledged_by: acknowledgedBy,
      acknowledged_at: acknowledgedAt,
      dismissed: true,
      snoozed_until: new Date(service.clock.wallMs() + 3_600_000).toISOString(),
      next_check: null,
    })
    const overview = await expectV1Answer('GetOverview', 'next', await next.get('overview'))
    expect(overview).toMatchObject({ incidents: 2, disabled: 1 })
    const { events } = await expectV1Answer('GetHistory', 'next', await next.get('history?monitor_id=edge'))
    expect(events.filter(({ actor }) => actor !== null).map(({ type }) => type)).toEqual([
      'control_acknowledged',
      'control_dismissed',
      'control_snoozed',
    ])
  })

  it('keeps what was done about an incident when it has closed', async () => {
    const incident = await incidentOf('edge')
    await expectV2Answer('DismissIncident', await control('DismissIncident', incident, why))
    service.target('edge').comesBack()
    await service.advance({ seconds: 25 })
    const read = await expectV2Answer('GetIncident', await next.call('GetIncident', { id: incident.id }))
    expect(read).toMatchObject({ state: 'closed', dismissed: true, reason: 'planned work' })
    const late = await control('ReopenIncident', { id: read.id, revision: read.revision })
    await expectV2Problem('ReopenIncident', late, 'incidentNotActive')
  })

  describe('that is a note', () => {
    const note = (id: string, body: unknown, role?: 'reader') =>
      next.call('AddIncidentNote', { id, body, ...(role === undefined ? {} : { role }) })
    const notesOf = async (monitor: string) =>
      (await service.events(monitor)).filter(({ type }) => type === 'control_noted')

    it('is an event with its actor, needs no revision and changes none', async () => {
      const before = await incidentOf('edge')
      const answer = await note(before.id, { text: markup })
      const { revision } = await expectV2Answer('AddIncidentNote', answer)
      expect(revision).toBe(before.revision)
      expect(answer.headers.get('etag')).toBe(`"${revision}"`)
      const query = '?monitorID=edge&limit=500'
      const { items } = await expectV2Answer('GetHistory', await next.call('GetHistory', { query }))
      expect(items.at(-1)).toMatchObject({
        kind: 'control_noted',
        ...{ actor: 'the-operator', note: markup, incidentID: before.id },
        because: { kind: 'control', verb: 'note', actor: 'the-operator' },
      })
      const operation = await next.call('GetOperation', { id: answer.headers.get('x-operation-id') ?? '' })
      expect(await expectV2Answer('GetOperation', operation)).toMatchObject({
        state: 'completed',
        items: [{ id: before.id, oldVersion: revision, newVersion: revision }],
      })
      const newest = await next.get('history?order=desc&limit=1')
      const { events } = await expectV1Answer('GetHistory', 'next', newest)
      expect(events).toMatchObject([{ type: 'control_noted', note: markup, reason: null }])
    })

    it('of many at once is kept for each', async () => {
      const { id } = await incidentOf('edge')
      const texts = Array.from({ length: 5 }, (_, index) => `note ${index}`)
      const answers = await Promise.all(texts.map((text) => note(id, { text })))
      expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200))
      const notes = (await notesOf('edge')).map(({ detail }) => (detail as { note: string }).note)
      expect(notes.toSorted()).toEqual(texts)
    })

    it('is also of an incident that has closed, and of a monitor that was removed', async () => {
      const { id } = await incidentOf('edge')
      service.target('edge').comesBack()
      await service.advance({ seconds: 25 })
      await expectV2Answer('AddIncidentNote', await note(id, { text: 'after the end' }))
      await service.reload({ ...fleet, monitors: fleet.monitors.slice(1) })
      await expectV2Answer('AddIncidentNote', await note(id, { text: 'after its removal' }))
      expect(await notesOf('edge')).toHaveLength(2)
    })

    it.each([
      [{}, 'invalidBody', '/text'],
      [{ text: '' }, 'invalidResource', '/text'],
      [{ text: ' \n ' }, 'invalidResource', '/text'],
      [{ text: 7 }, 'invalidBody', '/text'],
      [{ text: 'ä'.repeat(2_049) }, 'invalidResource', '/text'],
      [{ text: 'a', actor: 'somebody else' }, 'invalidBody', '/actor'],
    ] as const)('of %j is refused as %s, and nothing is kept', async (body, code, field) => {
      const { id } = await incidentOf('edge')
      const { errors } = await expectV2Problem('AddIncidentNote', await note(id, body), code)
      expect(errors?.map((one) => one.field)).toEqual([field])
      expect(await notesOf('edge')).toEqual([])
    })

    it('has room for 4,096 bytes', async () => {
      const { id } = await incidentOf('edge')
      await expectV2Answer('AddIncidentNote', await note(id, { text: 'ä'.repeat(2_048) }))
    })

    it('is of a reader forbidden, and not found for an incident that is not there', async () => {
      const { id } = await incidentOf('edge')
      await expectV2Problem('AddIncidentNote', await note(id, { text: 'a' }, 'reader'), 'forbidden')
      await expectV2Problem('AddIncidentNote', await note('nothing', { text: 'a' }), 'notFound')
    })

    it('is refused while nothing can be stored', async () => {
      const { id } = await incidentOf('edge')
      service.engine.pause()
      await expectV2Problem('AddIncidentNote', await note(id, { text: 'a' }), 'unavailable')
      service.engine.resume()
      expect(await notesOf('edge')).toEqual([])
    })
  })

  it('takes a monitor that was created through v2 as it takes one of a file', async () => {
    const driver = { type: 'http', config: { url: 'http://shop.test/' } }
    const spec = { check: { driver, interval: '10s', timeout: '5s' } }
    const body = { apiVersion: v2.apiVersion, kind: 'Monitor', metadata: { id: 'shop' }, spec }
    await next.call('CreateMonitor', { body, headers: { 'if-none-match': '*' } })
    const words = { ...why, duration: '1h' }
    await expectV2Answer('SnoozeMonitor', await control('SnoozeMonitor', await monitorOf('shop'), words))
    const { status, metadata } = await expectV2Answer(
      'GetMonitor',
      await next.call('GetMonitor', { id: 'shop' }),
    )
    expect(status?.snoozedUntil).toBeDefined()
    // A control edits neither spec nor metadata.
    expect(metadata.generation).toBe(1)
  })

  it('of a recovery says when it may be asked for again', async () => {
    await next[Symbol.asyncDispose]()
    const recovery = { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart' } }
    service = await TestService.start({ monitors: [{ ...http('edge'), recovery }] })
    service.providers.recoveryOutcomeOf = () => ({ kind: 'rejected', reason: 'no' })
    await service.advance({ seconds: 15 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 45 })
    next = await serveNext(service)
    const recover = async (words: object = {}) =>
      control('RecoverMonitor', await monitorOf('edge'), { ...why, ...words })
    const foreign = await recover({ incidentID: 'another' })
    await expectV2Problem('RecoverMonitor', foreign, 'recoveryIneligible')
    await expectV2Answer('RecoverMonitor', await recover({ incidentID: (await incidentOf('edge')).id }))
    await service.advance({ seconds: 10 })
    const limited = await recover()
    await expectV2Problem('RecoverMonitor', limited, 'rateLimited')
    expect(limited.headers.get('retry-after')).toBe('50')
  })

  it('does nothing while nothing can be stored, and says so', async () => {
    const subject = await monitorOf('edge')
    service.engine.pause()
    const response = await control('SnoozeMonitor', subject, { ...why, duration: '1h' })
    await expectV2Problem('SnoozeMonitor', response, 'unavailable')
    expect(response.headers.get('retry-after')).toBe('1')
    service.engine.resume()
    expect((await monitorOf('edge')).revision).toBe(subject.revision)
  })
})
