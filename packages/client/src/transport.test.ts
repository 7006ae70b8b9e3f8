import { getEventListeners, once } from 'node:events'
import { misbehaviours, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type Fetch, InvalidInputError } from './index.ts'

const token = 'the-secret-token-of-this-client-0123456789'
let peer: ReferencePeer
let stranger: ReferencePeer

beforeAll(async () => {
  peer = await ReferencePeer.start()
  stranger = await ReferencePeer.start()
})
afterEach(() => peer.misbehave(null))
afterAll(async () => {
  await peer[Symbol.asyncDispose]()
  await stranger[Symbol.asyncDispose]()
})

const mebibyte = 1_048_576
/** Large answers take their time on a busy machine. */
const patientMs = 50_000

describe('the token', () => {
  it('is not accepted for plain HTTP without the flag, not even for loopback', () => {
    expect(() => createClient({ baseUrl: peer.url, token })).toThrow(InvalidInputError)
    expect(() => createClient({ baseUrl: peer.url, token, allowInsecureHttp: false })).toThrow(/https/)
    expect(() => createClient({ baseUrl: 'https://service.test', token })).not.toThrow()
    expect(() => createClient({ baseUrl: peer.url })).not.toThrow()
  })

  it('is refused when it could break out of its header, without being shown', () => {
    const bad = `${token}\r\nX-Evil: 1`
    const create = () => createClient({ baseUrl: 'https://service.test', token: bad })
    expect(create).toThrow(InvalidInputError)
    expect(create).not.toThrow(token)
  })

  it.each([301, 302, 303, 307, 308])('goes to no other origin by a redirect with %i', async (status) => {
    peer.misbehave(misbehaviours.redirects(status, `${stranger.url}/api/v2/state`))
    const client = createClient({ baseUrl: peer.url, token, allowInsecureHttp: true })
    await expect(client.getState()).rejects.toMatchObject({ category: 'transport', reason: 'redirect' })
    await expect(client.v1.getOverview()).rejects.toMatchObject({ reason: 'redirect' })
    await expect(client.streamMetrics(new WritableStream())).rejects.toMatchObject({ reason: 'redirect' })
    expect(stranger.requests).toHaveLength(0)
  })

  it('is not believed to have stayed when a fetch of the caller has followed a redirect', async () => {
    const following: Fetch = (url, init) => fetch(url, { ...init, redirect: 'follow' })
    peer.misbehave(misbehaviours.redirects(307, `${stranger.url}/api/v2/state`))
    const client = createClient({ baseUrl: peer.url, fetch: following })
    await expect(client.getState()).rejects.toMatchObject({ reason: 'redirect' })
    stranger.requests.length = 0
  })
})

describe('the address of the service', () => {
  it.each([
    'service.test',
    'ftp://service.test',
    'https://user:password@service.test',
    'https://service.test/?a=1',
    'https://service.test/#top',
    '',
  ])('is refused as %j', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(InvalidInputError)
  })

  it('may have a path, with or without a slash at its end', async () => {
    const seen: string[] = []
    const recording: Fetch = async (url) => {
      seen.push(url)
      return Response.json({})
    }
    for (const baseUrl of [
      'https://service.test/pulse',
      'https://service.test/pulse/',
      new URL('https://a.test'),
    ]) {
      await createClient({ baseUrl, fetch: recording }).getState()
    }
    expect(seen).toEqual([
      'https://service.test/pulse/api/v2/state',
      'https://service.test/pulse/api/v2/state',
      'https://a.test/api/v2/state',
    ])
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('takes no timeout and no ceiling of %d', (value) => {
    expect(() => createClient({ baseUrl: peer.url, timeoutMs: value })).toThrow(/timeoutMs/)
    expect(() => createClient({ baseUrl: peer.url, maxResponseBytes: value })).toThrow(/maxResponseBytes/)
  })
})

/** Endless answers, each of which is closed only when its request is aborted. */
function closingLate(): { readonly fetch: Fetch; readonly closings: readonly string[] } {
  const closings: string[] = []
  const fetch: Fetch = async (url, { signal }) => {
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => controller.enqueue(new Uint8Array(1_000).fill(0x20)),
        async cancel() {
          closings.push(url)
          if (!signal!.aborted) await once(signal!, 'abort')
        },
      },
      { highWaterMark: 0 },
    )
    const contentType = url.endsWith('/metrics') ? 'text/plain' : 'application/json'
    return new Response(body, { headers: { 'Content-Type': contentType } })
  }
  return { fetch, closings }
}

describe('the ceiling', () => {
  it('is 64 MiB unless given', async () => {
    const client = createClient({ baseUrl: peer.url, timeoutMs: patientMs })
    peer.misbehave(misbehaviours.pads(63 * mebibyte))
    expect((await client.getState()).data.live).toBe(true)
    peer.misbehave(misbehaviours.pads(64 * mebibyte))
    await expect(client.getState()).rejects.toMatchObject({ category: 'oversizedResponse' })
  })

  it('counts decoded bytes and stops reading where it is crossed', async () => {
    let decodedBytes = 0
    const counting: Fetch = async (url, init) => {
      const answer = await fetch(url, init)
      const counted = answer.body!.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            decodedBytes += chunk.byteLength
            controller.enqueue(chunk)
          },
        }),
      )
      return new Response(counted, answer)
    }
    peer.misbehave(misbehaviours.unfolds(1024 * mebibyte))
    const client = createClient({
      baseUrl: peer.url,
      maxResponseBytes: mebibyte,
      timeoutMs: patientMs,
      fetch: counting,
    })
    await expect(client.getState()).rejects.toMatchObject({ category: 'oversizedResponse' })
    expect(decodedBytes).toBeGreaterThan(mebibyte)
    expect(decodedBytes).toBeLessThan(2 * mebibyte)
  })

  it('decides once it is crossed, even if the time runs out before the body is closed', async () => {
    const { fetch, closings } = closingLate()
    const client = createClient({ baseUrl: peer.url, maxResponseBytes: 5_000, timeoutMs: 50, fetch })
    const isOversized = { category: 'oversizedResponse', reason: 'oversizedAnswer' }
    await expect(client.getState()).rejects.toMatchObject(isOversized)
    await expect(client.streamMetrics(new WritableStream())).rejects.toMatchObject(isOversized)
    await expect(client.deleteMonitor({ id: 'edge', ifMatch: '1' })).rejects.toMatchObject({
      category: 'ambiguousMutation',
      reason: 'oversizedAnswer',
    })
    expect(closings).toHaveLength(3)
  })

  it('lets an answer pass that just fits', async () => {
    const { data } = await createClient({ baseUrl: peer.url }).getVersion()
    const exact = new TextEncoder().encode(JSON.stringify(data)).byteLength
    const fits = createClient({ baseUrl: peer.url, maxResponseBytes: exact })
    expect((await fits.getVersion()).data).toEqual(data)
    const short = createClient({ baseUrl: peer.url, maxResponseBytes: exact - 1 })
    await expect(short.getVersion()).rejects.toMatchObject({ category: 'oversizedResponse' })
  })
})

describe('the signal of the caller', () => {
  it('is let go of after every call, whatever became of it', async () => {
    const { signal } = new AbortController()
    const client = createClient({ baseUrl: peer.url })
    await client.getState({}, { signal })
    await client.streamMetrics(new WritableStream(), { signal })
    peer.misbehave(misbehaviours.dropsConnection)
    await expect(client.getState({}, { signal })).rejects.toThrow()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('parts of an answer', () => {
  const answering = (headers: Record<string, string>) =>
    createClient({ baseUrl: 'https://a.test', fetch: async () => Response.json({}, { headers }) })

  it('takes the version out of a weakened tag too, and none out of anything else', async () => {
    const versionFor = async (ETag: string) => (await answering({ ETag }).getState()).resourceVersion
    expect(await Promise.all(['"42"', 'W/"42"', '42', '"4"2"'].map(versionFor))).toEqual(['42', '42', '', ''])
  })

  it('reads Retry-After as seconds or as a date', async () => {
    const secondsFor = async (text: string) =>
      (await answering({ 'Retry-After': text }).getState()).retryAfter
    expect(await secondsFor('7')).toBe(7)
    expect(await secondsFor('soon')).toBeNull()
    expect(await secondsFor('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0)
    const inAMinute = await secondsFor(new Date(Date.now() + 60_000).toUTCString())
    expect(inAMinute).toBeGreaterThan(50)
    expect(inAMinute).toBeLessThanOrEqual(60)
  })

  it('refuses bytes that are not text', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const fetch: Fetch = async () => new Response(new Uint8Array([0x22, 0xff, 0x22]), { headers })
    const client = createClient({ baseUrl: 'https://a.test', fetch })
    await expect(client.getState()).rejects.toMatchObject({ reason: 'malformedAnswer' })
  })
})
