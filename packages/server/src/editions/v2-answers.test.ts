// Every operation of v2 against the served edition: answered with its success and a body that keeps to the contract, or
// not built yet. The list of what is not built says so by name; it can only shrink.
import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { type ServedNext, serveNext, troubledFleet, type V2Call } from '@pulseward/testing/editions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const notBuilt: readonly v2.OperationName[] = [
  'PreflightCollection',
  'CreateOperation',
  'UploadOperation',
  'ValidateOperation',
  'ActivateOperation',
  'CancelOperation',
]
const served = v2.defaultOperationNames.filter((name) => !notBuilt.includes(name))

const specs = {
  Monitor: {
    check: {
      driver: { type: 'http', config: { url: 'http://shop.test/' } },
      interval: '10s',
      timeout: '5s',
    },
  },
  NotificationEndpoint: { type: 'log', config: {} },
  NotificationGroup: { endpointRefs: ['the-endpoint'] },
  Credential: { value: 'a value that nobody sees' },
} as const
type Kind = keyof typeof specs
const kinds = Object.keys(specs) as Kind[]

let next: ServedNext
beforeAll(async () => {
  next = await serveNext(await troubledFleet())
  await create('NotificationEndpoint', 'the-endpoint')
})
afterAll(() => next[Symbol.asyncDispose]())

function documentOf(kind: Kind, id: string): object {
  return { apiVersion: v2.apiVersion, kind, metadata: { id, name: `The ${id}` }, spec: specs[kind] }
}

function create(kind: Kind, id: string): Promise<Response> {
  const headers = { 'if-none-match': '*' }
  return next.call(`Create${kind}`, { body: documentOf(kind, id), headers })
}

/** The version of a new resource, as If-Match takes it. */
async function created(kind: Kind, id: string): Promise<Record<string, string>> {
  const response = await create(kind, id)
  expect(response.status).toBe(201)
  return { 'if-match': response.headers.get('etag') ?? '' }
}

/** What an operation is called with to succeed; each test has resources of its own. */
async function callOf(name: v2.OperationName): Promise<V2Call> {
  const kind = kinds.find((one) => name.endsWith(one)) ?? 'Monitor'
  const id = `of-${name}`
  switch (name.replace(kind, '')) {
    case 'Create':
      return { body: documentOf(kind, id), headers: { 'if-none-match': '*' } }
    case 'Get':
      await created(kind, id)
      return { id }
    case 'Replace':
      return { id, headers: await created(kind, id), body: documentOf(kind, id) }
    case 'Patch':
      return { id, headers: await created(kind, id), body: { metadata: { labels: { team: 'payments' } } } }
    case 'Delete':
      return { id, headers: await created(kind, id) }
    case 'GetIncident':
      return { id: await firstId('ListIncidents') }
    case 'GetAction':
      return { id: await firstId('ListActions') }
    case 'GetOperation':
      return { id: (await create(kind, id)).headers.get('x-operation-id') ?? '' }
    case 'AcknowledgeIncident':
    case 'DismissIncident':
      return ofIncident(false)
    case 'ReopenIncident':
      return ofIncident(true)
    case 'Snooze':
      return ofMonitor(await create(kind, id).then(() => id))
    case 'Unsnooze':
      await create(kind, id)
      await expectV2Answer('SnoozeMonitor', await next.call('SnoozeMonitor', await ofMonitor(id)))
      return ofMonitor(id, {})
    case 'Recover':
      await expectV2Answer('ReviewAction', await next.call('ReviewAction', await ofUnknown('doubtful')))
      return ofMonitor('doubtful', { reason: 'the runbook was repaired' })
    case 'ReviewAction':
      return ofUnknown('broken')
    case 'ExplainResource':
      return { id: 'check.http' }
    default:
      return {}
  }
}

function controlling(id: string, revision: string, words: object): V2Call {
  return { id, headers: { 'if-match': `"${revision}"` }, body: { revision, ...words } }
}

async function ofMonitor(
  id: string,
  words: object = { reason: 'planned work', duration: '1h' },
): Promise<V2Call> {
  const { status } = await expectV2Answer('GetMonitor', await next.call('GetMonitor', { id }))
  return controlling(id, status?.controlRevision ?? '', words)
}

async function ofIncident(dismissed: boolean): Promise<V2Call> {
  const { items } = await expectV2Answer('ListIncidents', await next.call('ListIncidents'))
  const meant = items.find((incident) => incident.state === 'open' && incident.dismissed === dismissed)
  return controlling(meant?.id ?? '', meant?.revision ?? '', { reason: 'known' })
}

/** The newest unknown action of a monitor, which the fleet has from its restart. */
async function ofUnknown(monitor: string): Promise<V2Call> {
  const query = `?monitorID=${monitor}`
  const { items } = await expectV2Answer('ListActions', await next.call('ListActions', { query }))
  const unknown = items.filter(({ state }) => state === 'unknown')
  const meant = unknown.find(({ kind }) => kind === 'intervention') ?? unknown[0]
  return controlling(meant?.id ?? '', meant?.reviewRevision ?? '', { reason: 'seen', resolution: 'rejected' })
}

async function firstId(list: 'ListIncidents' | 'ListActions'): Promise<string> {
  const { items } = await expectV2Answer(list, await next.call(list))
  return items[0]?.id ?? ''
}

describe('v2 of the edition next', () => {
  it('knows all operations: 49 are built, 6 are not, and 11 need external jobs', () => {
    expect(new Set([...served, ...notBuilt]).size).toBe(55)
    expect(served).toHaveLength(49)
    expect(v2.operationNames).toHaveLength(66)
  })

  it.each(served)('answers %s as the contract says', async (name) => {
    await expectV2Answer(name, await next.call(name, await callOf(name)))
  })

  it.each(served)('refuses %s without a token', async (name) => {
    const headers = { authorization: 'Bearer nobody' }
    const response = await next.call(name, { id: 'any', headers })
    await expectV2Problem(name, response, 'unauthorized')
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="pulseward"')
  })

  it.each(notBuilt)('says that it does not offer %s yet', async (name) => {
    const response = await next.call(name, { id: 'any' })
    const { detail } = await expectV2Problem(name, response, 'featureUnavailable')
    expect(detail).toBe('This service does not offer this operation yet.')
  })

  it.each(v2.operationNames.filter((name) => !v2.defaultOperationNames.includes(name)))(
    'says how %s is turned on',
    async (name) => {
      const isWorkerCall = name.startsWith('Worker')
      const response = await next.call(name, { id: 'any', ...(isWorkerCall ? { role: 'worker' } : {}) })
      const { detail } = await expectV2Problem(name, response, 'featureUnavailable')
      expect(detail).toContain('external_jobs')
    },
  )
})
