// Every operation of v2 against the served edition: answered with its success and a body that keeps to the contract, or
// not built yet. The list of what is not built says so by name; it can only shrink.
import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { type ServedNext, serveNext, troubledFleet, type V2Call } from '@pulseward/testing/editions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const notBuilt: readonly v2.OperationName[] = [
  'AcknowledgeIncident',
  'DismissIncident',
  'ReopenIncident',
  'SnoozeMonitor',
  'UnsnoozeMonitor',
  'RecoverMonitor',
  'ReviewAction',
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
    case 'ExplainResource':
      return { id: 'check.http' }
    case 'PreflightCollection':
      return { body: { items: [itemOf(id)] } }
    case 'CreateOperation':
      return { body: { contentDigest: 'opaque', itemCount: 1 } }
    case 'UploadOperation':
      return { id: await opened(), body: { items: [itemOf(id)] } }
    case 'ValidateOperation':
      return { id: await opened(id) }
    case 'ActivateOperation': {
      const operation = await opened(id)
      await next.call('ValidateOperation', { id: operation })
      return { id: operation }
    }
    case 'CancelOperation':
      return { id: await opened(id) }
    default:
      return {}
  }
}

function itemOf(id: string): object {
  return { id, contentDigest: 'opaque', source: 'a test', resource: documentOf('Monitor', id) }
}

/** An operation for one item, which is uploaded when it is named. */
async function opened(item?: string): Promise<string> {
  const body = { contentDigest: 'opaque', itemCount: 1 }
  const { id } = await expectV2Answer('CreateOperation', await next.call('CreateOperation', { body }))
  if (item !== undefined) await next.call('UploadOperation', { id, body: { items: [itemOf(item)] } })
  return id
}

async function firstId(list: 'ListIncidents' | 'ListActions'): Promise<string> {
  const { items } = await expectV2Answer(list, await next.call(list))
  return items[0]?.id ?? ''
}

describe('v2 of the edition next', () => {
  it('knows all operations: 48 are built, 7 are not, and 11 need external jobs', () => {
    expect(new Set([...served, ...notBuilt]).size).toBe(55)
    expect(served).toHaveLength(48)
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
