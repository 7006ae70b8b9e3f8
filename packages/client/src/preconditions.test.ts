import { ReferencePeer } from '@pulseward/testing/reference-peer'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, type Fetch, InvalidInputError, type v2 } from './index.ts'

let peer: ReferencePeer
let client: Client

beforeAll(async () => {
  peer = await ReferencePeer.start()
  client = createClient({ baseUrl: peer.url })
})
afterAll(() => peer[Symbol.asyncDispose]())

const body: v2.NotificationGroup = {
  apiVersion: 'pulseward/v2',
  kind: 'NotificationGroup',
  metadata: { id: 'ops' },
  spec: { endpointRefs: ['ops-slack'] },
}

async function expectRefusedUnsent(call: Promise<unknown>, words: RegExp): Promise<void> {
  const before = peer.requests.length
  const error = await call.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InvalidInputError)
  expect((error as Error).message).toMatch(words)
  expect(peer.requests).toHaveLength(before)
}

describe('a missing precondition', () => {
  it('does not compile for a create, and is not sent', async () => {
    // @ts-expect-error ifNoneMatch is missing
    await expectRefusedUnsent(client.createNotificationGroup({ body }), /ifNoneMatch/)
    // @ts-expect-error only the wildcard makes sense
    await expectRefusedUnsent(client.createNotificationGroup({ body, ifNoneMatch: '42' }), /ifNoneMatch/)
  })

  it('does not compile for a replace, a patch, a delete or a control, and is not sent', async () => {
    const id = 'ops'
    // @ts-expect-error ifMatch is missing
    await expectRefusedUnsent(client.replaceNotificationGroup({ id, body }), /ifMatch/)
    // @ts-expect-error ifMatch is missing
    await expectRefusedUnsent(client.patchNotificationGroup({ id, body: {} }), /ifMatch/)
    // @ts-expect-error ifMatch is missing
    await expectRefusedUnsent(client.deleteNotificationGroup({ id }), /ifMatch/)
    // @ts-expect-error ifMatch is missing
    await expectRefusedUnsent(client.snoozeMonitor({ id, body: { revision: '1' } }), /ifMatch/)
  })

  it('does not compile where there is no place for one', async () => {
    const collection = { contentDigest: 'sha256:1', itemCount: 1 }
    // @ts-expect-error an operation carries no precondition
    await client.createOperation({ body: collection, ifNoneMatch: '*' })
    expect(peer.lastRequest.headers).not.toHaveProperty('if-none-match')
  })
})

describe('arguments', () => {
  it.each(['', '"42"', '4 2', '4\r\nX-Evil: 1', 'é'])(
    'refuses %j as a version and sends nothing',
    async (ifMatch) => {
      await expectRefusedUnsent(client.deleteMonitor({ id: 'edge', ifMatch }), /ifMatch/)
    },
  )

  it.each(['', '.', '..', '\ud800'])('refuses %j as an id and sends nothing', async (id) => {
    await expectRefusedUnsent(client.getMonitor({ id }), /id/)
  })

  it.each(['a/b', '../state', 'a?b#c', 'ä b', '%2e%2e', '<b>'])(
    'sends the id %j as one segment',
    async (id) => {
      await client.getMonitor({ id })
      expect(peer.lastRequest.path).toBe(`/api/v2/monitors/${encodeURIComponent(id)}`)
      expect(peer.lastRequest.query).toEqual({})
    },
  )

  it('sends any other id as one segment that reads back as the same id', async () => {
    let path = ''
    const fetch: Fetch = async (url) => {
      path = new URL(url).pathname
      return Response.json({})
    }
    const recording = createClient({ baseUrl: 'https://a.test', fetch })
    const ids = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((id) => id.isWellFormed() && !/^\.\.?$/.test(id))
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        await recording.getMonitor({ id })
        const [, , , , segment, ...rest] = path.split('/')
        expect([decodeURIComponent(segment!), rest]).toEqual([id, []])
      }),
    )
  })

  it.each([0, 501, 1.5, Number.NaN, -1])('refuses a limit of %d and sends nothing', async (limit) => {
    await expectRefusedUnsent(client.listMonitors({ limit }), /limit/)
    await expectRefusedUnsent(client.v1.getHistory({ limit }), /limit/)
  })

  it.each([1, 500])('sends a limit of %d', async (limit) => {
    await client.listMonitors({ limit })
    expect(peer.lastRequest.query).toEqual({ limit: String(limit) })
  })

  it('refuses a body that cannot be written, without showing it', async () => {
    const circular: Record<string, unknown> = { secret: 'hunter2hunter2' }
    circular['self'] = circular
    const call = client.patchMonitor({ id: 'edge', ifMatch: '1', body: circular })
    await expectRefusedUnsent(call, /^patchMonitor: body cannot be written as JSON$/)
  })

  it('sends merge patches with their own content type, nulls included', async () => {
    await client.patchMonitor({ id: 'edge', ifMatch: '42', body: { spec: { recovery: null } } })
    expect(peer.lastRequest.headers['content-type']).toBe('application/merge-patch+json')
    expect(peer.lastRequest.headers['if-match']).toBe('"42"')
    expect(JSON.parse(peer.lastRequest.body)).toEqual({ spec: { recovery: null } })
  })

  it('takes the version of an answer as the next precondition', async () => {
    const created = await client.createNotificationGroup({ body, ifNoneMatch: '*' })
    await client.deleteNotificationGroup({ id: 'ops', ifMatch: created.resourceVersion })
    expect(peer.lastRequest.headers['if-match']).toBe(`"${created.resourceVersion}"`)
  })
})
