// Status pages through v2: what people write is on the page when its write is answered, with nothing of who wrote it.
import { createHash } from 'node:crypto'
import type { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { documentOf, type ServedNext, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'

const mark = 'mArKeD'
const wallMs = Date.parse('2026-03-29T01:30:00Z')
const key = 'k'.repeat(30)

let service: TestService
let next: ServedNext
beforeAll(async () => {
  service = await TestService.start({ monitors: [http(`${mark}-web`)], wallMs })
  next = await serveNext(service)
  await write('StatusPage', 'shop', {
    title: 'Example Shop',
    groups: [
      { name: 'Shop', components: [{ id: 'checkout', name: 'Checkout', monitorRefs: [`${mark}-web`] }] },
    ],
  })
})
afterAll(() => next[Symbol.asyncDispose]())

async function write(kind: v2.ResourceKind, id: string, spec: object): Promise<Response> {
  const document = documentOf(kind, id, spec)
  const body = { ...document, metadata: { id, name: `${mark} name`, labels: { [mark]: mark } } }
  const answer = await next.call(`Create${kind}`, { body, headers: { 'if-none-match': '*' } })
  if (answer.status !== 201) return answer
  // Whoever reads the page looks at it at most once per second.
  await service.advance({ seconds: 1 })
  return answer
}

async function patch(id: string, spec: object): Promise<Response> {
  const found = await next.call('GetStatusIncident', { id })
  const headers = { 'if-match': found.headers.get('etag') ?? '' }
  const answer = await next.call('PatchStatusIncident', { id, headers, body: { spec } })
  await service.advance({ seconds: 1 })
  return answer
}

const page = async (path = '') =>
  (await next.get(`/status/shop/${path}`, { headers: { authorization: '' } })).text()
const investigating = {
  at: '2026-03-29T01:00:00Z',
  phase: 'investigating',
  text: 'We **look** <b>into</b> it.',
}
const resolved = { at: '2026-03-29T01:20:00Z', phase: 'resolved', text: 'It is over.' }

it('shows an incident from its first update to its postmortem', async () => {
  const created = await write('StatusIncident', 'payments', {
    pageRef: 'shop',
    title: 'Payments fail',
    components: [{ id: 'checkout', state: 'partial_outage' }],
    updates: [investigating],
  })
  expect(created.status).toBe(201)
  expect(await page()).toContain('Some systems are partly down')
  expect(await page('incidents/payments.html')).toContain(
    'We <strong>look</strong> &lt;b&gt;into&lt;/b&gt; it.',
  )
  expect(await page('api/v2/status.json')).toContain('"indicator":"major"')

  expect(
    (await patch('payments', { updates: [investigating, resolved], postmortem: 'A disk.' })).status,
  ).toBe(200)
  expect(await page('incidents/payments.html')).toContain('<p>A disk.</p>')
  expect(await page('api/v2/incidents/unresolved.json')).toContain('"incidents":[]')
  expect(await page('history/2026-03.html')).toContain('Payments fail')
  expect(await page('feed.atom')).toContain('<title>Payments fail</title>')

  const late = { at: '2026-03-29T01:25:00Z', phase: 'monitoring', text: 'Or not.' }
  const refused = await patch('payments', { updates: [investigating, resolved, late] })
  const { errors } = await expectV2Problem('PatchStatusIncident', refused, 'invalidResource')
  expect(errors?.map(({ field }) => field)).toEqual(['/spec/updates/2'])
})

it('says nothing of names, labels, monitors and principals', async () => {
  for (const path of ['', 'history.html', 'incidents/payments.html', 'feed.rss', 'api/v2/incidents.json'])
    expect(await page(path)).not.toMatch(new RegExp(`${mark}|the-operator`))
})

it('keeps who wrote it, in an event', async () => {
  const history = await expectV2Answer('GetHistory', await next.call('GetHistory', { query: '?limit=500' }))
  const written = history.items.filter(({ resource }) => resource?.kind === 'StatusIncident')
  expect(written.map(({ actor, kind }) => [actor, kind])).toEqual(
    expect.arrayContaining([
      ['the-operator', 'resource_created'],
      ['the-operator', 'resource_updated'],
    ]),
  )
})

it('refuses a Markdown of a megabyte', async () => {
  const text = 'x'.repeat(900_000)
  const answer = await write('StatusIncident', 'long', {
    pageRef: 'shop',
    title: 'Long',
    updates: [{ ...investigating, text }],
  })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain('/spec/updates/0/text')
})

it('gives a host to one page alone, in a collection too', async () => {
  const spec = (host: string) => ({
    title: 'S',
    host,
    groups: [{ name: 'G', components: [{ id: 'a', name: 'A', match: { team: 'x' } }] }],
  })
  expect((await write('StatusPage', 'first', spec('status.shop.example'))).status).toBe(201)
  const refused = await write('StatusPage', 'second', spec('status.shop.example'))
  const { errors } = await expectV2Problem('CreateStatusPage', refused, 'invalidResource')
  expect(errors?.map(({ message }) => message)).toEqual([
    '"status.shop.example" is the host of the status page "first"; a host shows one page',
  ])
  const items = [
    ['first', 'status.shop.example'],
    ['third', 'status.shop.example'],
    ['fourth', 'other.shop.example'],
    ['fifth', 'other.shop.example'],
  ].map(([id = '', host = '']) => ({
    id,
    contentDigest: 'opaque',
    source: 'a test',
    resource: { ...documentOf('StatusPage', id, spec(host)) },
  }))
  const answer = await next.call('PreflightCollection', { body: { items } })
  const preflight = await expectV2Answer('PreflightCollection', answer)
  const wrong = preflight.items?.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  expect(wrong).toEqual(['third', 'fifth'])
})

it('serves a badge until it is deleted, and holds on to its page', async () => {
  const keyDigest = createHash('sha256').update(key).digest('hex')
  expect((await next.get(`/badge/${key}.svg`)).status).toBe(404)
  await write('Badge', 'one', { componentRef: 'shop/checkout', shows: 'status', label: 'shop', keyDigest })
  const picture = await next.get(`/badge/${key}.svg`, { headers: { authorization: '' } })
  expect([picture.status, await picture.text()]).toEqual([200, expect.stringContaining('shop: ')])
  const found = await next.call('GetStatusPage', { id: 'shop' })
  const headers = { 'if-match': found.headers.get('etag') ?? '' }
  const refused = await next.call('DeleteStatusPage', { id: 'shop', headers })
  await expectV2Problem('DeleteStatusPage', refused, 'resourceReferenced')
  const badge = await next.call('GetBadge', { id: 'one' })
  await next.call('DeleteBadge', { id: 'one', headers: { 'if-match': badge.headers.get('etag') ?? '' } })
  expect((await next.get(`/badge/${key}.svg`)).status).toBe(404)
})

it('lets a page say by itself what is down, with nothing of what it is made of', async () => {
  const components = [{ id: 'web', name: 'The web shop', monitorRefs: [`${mark}-web`], auto: true }]
  await write('StatusPage', 'auto', { title: 'Auto', groups: [{ name: 'G', components }] })
  const shown = async (path = '') => {
    next.progress.note()
    next.everySecond()
    await service.advance({ seconds: 1 })
    return (await next.get(`/status/auto/${path}`, { headers: { authorization: '' } })).text()
  }
  service.target(`${mark}-web`).goesDown(`${mark} is broken`)
  await service.advance({ seconds: 240 })
  expect(await shown()).toContain('Major outage')
  expect(await shown()).not.toContain('is not available')
  await service.advance({ seconds: 300 })
  for (const path of [
    '',
    'history/2026-03.html',
    'feed.atom',
    'feed.rss',
    'api/v2/incidents/unresolved.json',
  ]) {
    const text = await shown(path)
    expect([path, text]).toEqual([path, expect.stringContaining('The web shop is not available')])
    expect(text).not.toMatch(new RegExp(`${mark}|503|broken`))
  }
  service.target(`${mark}-web`).comesBack()
  await service.advance({ seconds: 300 })
  expect(await shown()).toContain('The web shop works again.')
  expect(await shown('api/v2/incidents/unresolved.json')).toContain('"incidents":[]')
})
