// The story of an incident over time, as readers get it: its recovery that came before it opened, who was told, what people
// did, notes after its end. The document to begin a post-mortem with is a file.
import { storyAsMarkdown, storyOf } from '@pulseward/contract/v1/words'
import { expectV1Answer, expectV1Problem, expectV2Answer } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const recovery = { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart' } }
const notify = {
  yellow: { endpoints: ['ops'] },
  cyan: { endpoints: ['ops'] },
  red: { endpoints: ['ops', 'pager'] },
  green: { endpoints: ['ops', 'pager'] },
}
const monitors = [{ ...http('edge'), name: 'Edge | <gateway>', recovery, notify }]

let service: TestService
let next: ServedNext
beforeEach(async () => {
  service = await TestService.start({ monitors, head: endpoints('ops', 'pager') })
  next = await serveNext(service)
  await service.advance({ seconds: 15 })
})
afterEach(() => next[Symbol.asyncDispose]())

/** A recovery is accepted and does not help, people act, and it ends by itself. */
async function outage(): Promise<{ readonly id: string; readonly monitorID: string }> {
  service.target('edge').goesDown('HTTP 503: <b>no</b> backend')
  await service.advance({ seconds: 60 })
  const query = '?monitorID=edge&limit=1'
  const { items } = await expectV2Answer('ListIncidents', await next.call('ListIncidents', { query }))
  const incident = items[0]!
  const { id, revision } = incident
  const body = { revision, note: 'I am *on* it' }
  await next.call('AcknowledgeIncident', { id, headers: { 'if-match': `"${revision}"` }, body })
  await note(id, '# The pool was full\n- raised it to 200')
  service.target('edge').comesBack()
  await service.advance({ seconds: 40 })
  await note(id, 'It was the release of 09:12.')
  return incident
}

const note = (id: string, text: unknown) => next.call('AddIncidentNote', { id, body: { text } })

async function eventsOf(query: string, page: { readonly limit?: number } = {}) {
  const events = []
  const limit = page.limit === undefined ? '' : `&limit=${page.limit}`
  for (let cursor = ''; ; ) {
    const answer = await next.get(`history?${query}${limit}${cursor}`)
    const { events: found, next_cursor } = await expectV1Answer('GetHistory', 'next', answer)
    events.push(...found)
    if (next_cursor === null) return events
    cursor = `&cursor=${next_cursor}`
  }
}

describe('the story of an incident', () => {
  it('begins with the recovery that did not help, and goes on after the end', async () => {
    const { id } = await outage()
    const { sections, failure, acknowledgedBy } = storyOf(await eventsOf(`incident_id=${id}`))
    expect(failure).toBe('HTTP 503: <b>no</b> backend')
    expect(acknowledgedBy).toBe('the-operator')
    expect(sections.tried).toMatchObject([
      { text: 'The recovery', steps: [{ text: 'queued' }, { text: 'sent' }, { text: 'accepted' }] },
    ])
    expect(sections.told.map(({ text }) => text)).toEqual([
      'Cyan to ops',
      'Red to ops',
      'Red to pager',
      'Green to ops',
      'Green to pager',
    ])
    expect(sections.people.map(({ text }) => text)).toEqual([
      'Incident acknowledged by the-operator',
      'Note added by the-operator',
      'Note added by the-operator',
    ])
    expect(sections.end).toHaveLength(1)
  })

  it('is the same page by page, in both orders', async () => {
    const { id } = await outage()
    const all = await eventsOf(`incident_id=${id}`)
    expect(all.length).toBeGreaterThan(15)
    expect(await eventsOf(`incident_id=${id}`, { limit: 3 })).toEqual(all)
    const backwards = await eventsOf(`incident_id=${id}&order=desc`, { limit: 3 })
    expect(backwards.toReversed()).toEqual(all)
    expect(await eventsOf(`incident_id=${id}&monitor_id=edge`)).toEqual(all)
  })

  it('has nothing of the next incident of the same monitor', async () => {
    const first = await outage()
    const second = await outage()
    expect(second.id).not.toBe(first.id)
    const of = async ({ id }: { id: string }) =>
      (await eventsOf(`incident_id=${id}`)).map((event) => event.id)
    const [one, other] = [await of(first), await of(second)]
    expect(one.filter((id) => other.includes(id))).toEqual([])
  })

  it('says in which digest a destination that had refused its messages was told of it', async () => {
    const { outcomeOf } = service.providers
    service.providers.outcomeOf = (delivery) =>
      delivery.endpoint === 'pager' && delivery.notification.digest === null
        ? { kind: 'rejected', reason: 'the pager is off' }
        : outcomeOf(delivery)
    const { id } = await outage()
    await service.advance({ seconds: 600 })
    const story = storyOf(await eventsOf(`incident_id=${id}`))
    expect(story.sections.told.at(-1)).toMatchObject({
      text: 'Reported to pager in a digest',
      why: null,
      steps: [{ text: null }],
    })
    const document = storyAsMarkdown(story, { monitorName: 'Edge', link: null })
    expect(document).toMatch(/^- 2026-01-01 00:\d\d:\d\d UTC Reported to pager in a digest$/m)
  })

  it('is as Markdown a document for a post-mortem', async () => {
    const { id } = await outage()
    const story = storyOf(await eventsOf(`incident_id=${id}`))
    const document = storyAsMarkdown(story, {
      monitorName: 'Edge | <gateway>',
      link: 'https://pulseward.test/incidents/it',
    })
    await expect(document.replaceAll(id, 'ID')).toMatchFileSnapshot('golden/incident-story.md')
  })

  it.each(['nothing', "' OR 1=1", '../edge'])('of %j is not found', async (id) => {
    const answer = await next.get(`history?incident_id=${encodeURIComponent(id)}`)
    const { code } = await expectV1Problem('GetHistory', 'next', answer)
    expect(code).toBe('incident_not_found')
  })

  it('of an incident of another monitor is not found', async () => {
    const { id } = await outage()
    const answer = await next.get(`history?incident_id=${id}&monitor_id=other`)
    expect((await expectV1Problem('GetHistory', 'next', answer)).code).toBe('incident_not_found')
  })

  it('has cursors of its own', async () => {
    const { id } = await outage()
    const answer = await next.get(`history?incident_id=${id}&limit=2`)
    const { next_cursor } = await expectV1Answer('GetHistory', 'next', answer)
    for (const query of ['monitor_id=edge', '']) {
      const foreign = await next.get(`history?${query}&cursor=${next_cursor}`)
      expect((await expectV1Problem('GetHistory', 'next', foreign)).code).toBe('invalid_cursor')
    }
  })
})
