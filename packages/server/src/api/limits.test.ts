// What clients can do to the listener by being many, slow, deaf or too eager. Real sockets; times are short ones.
import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually } from '@pulseward/testing'
import { deafClient, exchange, expectV1Problem, getRequest, listeningApi } from '@pulseward/testing/api'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { json, route } from './route.ts'
import { healthz } from './routes/healthz.ts'
import { readyz } from './routes/readyz.ts'
import type { ApiOptions, ApiServer } from './server.ts'

async function listening(options: Partial<ApiOptions>): Promise<ApiServer> {
  const api = await listeningApi(options)
  onTestFinished(() => api[Symbol.asyncDispose]())
  return api
}

/** A route that answers when the test says so. */
function heldRoute() {
  const waiting: (() => void)[] = []
  return {
    waiting,
    held: route('GetConfig', async () => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return json({})
    }),
  }
}

const ready = readyz(() => ({ reasons: [], details: { snapshot_at: null, snapshot_age_seconds: null } }))

describe('more requests than may be under way', () => {
  it('are told to come back, while health and readiness still answer', async () => {
    const { held, waiting } = heldRoute()
    const { url } = await listening({ routes: [held, healthz, ready], concurrentRequests: 2 })
    const first = [fetch(`${url}/api/v1/config`), fetch(`${url}/api/v1/config`)]
    await eventually(() => expect(waiting).toHaveLength(2))
    const refused = await fetch(`${url}/api/v1/config`)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await expectV1Problem('GetConfig', 'main', refused)).toMatchObject({
      status: 503,
      code: 'overloaded',
    })
    for (const path of ['healthz', 'readyz']) expect((await fetch(`${url}/api/v1/${path}`)).status).toBe(200)
    for (const go of waiting) go()
    for (const answer of first) expect((await answer).status).toBe(200)
    const next = fetch(`${url}/api/v1/config`)
    await eventually(() => expect(waiting).toHaveLength(3))
    waiting[2]!()
    expect((await next).status).toBe(200)
  })

  it('are refused after what is wrong with them', async () => {
    const { held, waiting } = heldRoute()
    const list = route('ListIncidents', () => json({}))
    const { url } = await listening({ routes: [held, list], concurrentRequests: 1, token: 'key' })
    const headers = { authorization: 'Bearer key' }
    const first = fetch(`${url}/api/v1/config`, { headers })
    await eventually(() => expect(waiting).toHaveLength(1))
    const statusOf = async (path: string, init: RequestInit = { headers }) =>
      (await fetch(`${url}/api/v1/${path}`, init)).status
    expect(await statusOf('incidents?page=0', {})).toBe(401)
    expect(await statusOf('none?page=0')).toBe(404)
    expect(await statusOf('incidents?page=0', { method: 'POST', headers })).toBe(405)
    expect(await statusOf('incidents?page=0')).toBe(400)
    expect(await statusOf('incidents')).toBe(503)
    waiting[0]!()
    await first
  })

  it('get their permits back from clients that leave, also in the middle of a pipeline', async () => {
    const { held, waiting } = heldRoute()
    const api = await listening({ routes: [held], concurrentRequests: 3 })
    const client = connect(api.address.port, '127.0.0.1')
    client.write(getRequest('/api/v1/config').repeat(3))
    await eventually(() => expect(waiting).toHaveLength(3))
    client.destroy()
    await eventually(async () => {
      const asked = fetch(`${api.url}/api/v1/config`)
      await Promise.race([asked, vi.waitUntil(() => waiting.length > 3)])
      const go = waiting[3]
      if (go === undefined) throw new Error(`still ${(await asked).status}`)
      go()
    })
  })

  it('do not count streams, whose own route bounds them', async () => {
    const stream = route('StreamEvents', () => ({
      stream: (_request, response) => void response.writeHead(200).write('x'),
    }))
    const config = route('GetConfig', () => json({}))
    const { url } = await listening({ routes: [stream, config], concurrentRequests: 1 })
    const cancel = new AbortController()
    onTestFinished(() => cancel.abort())
    for (let listener = 0; listener < 3; listener++)
      expect((await fetch(`${url}/api/v1/events`, { signal: cancel.signal })).status).toBe(200)
    expect((await fetch(`${url}/api/v1/config`)).status).toBe(200)
  })
})

describe('a client that does not read its answer', () => {
  const bytes = Buffer.alloc(16 * 1024 * 1024)
  const large = route('GetConfig', () => ({ status: 200, bytes, headers: { 'content-type': 'image/png' } }))

  it('is cut off after a time and gives its permit back', async () => {
    const unread = { takenWithinMs: 300, bytes: Number.MAX_SAFE_INTEGER }
    const small = route('GetQueues', () => json({}))
    const api = await listening({ routes: [large, small], concurrentRequests: 1, unread })
    const client = await deafClient(api.address.port, getRequest('/api/v1/config'))
    client.on('error', () => {})
    const statusOfSmall = async () => (await fetch(`${api.url}/api/v1/queues`)).status
    await eventually(async () => expect(await statusOfSmall()).toBe(503))
    await eventually(async () => expect(await statusOfSmall()).toBe(200))
    const ended = once(client, 'close')
    client.resume()
    await ended
    expect(client.bytesRead).toBeLessThan(bytes.length)
  })

  it('is cut off first when unread answers need too much memory', async () => {
    const unread = { takenWithinMs: 60_000, bytes: 2 * bytes.length }
    const api = await listening({ routes: [large], unread })
    const clients = []
    for (let count = 0; count < 4; count++) {
      const client = await deafClient(api.address.port, getRequest('/api/v1/config'))
      client.on('error', () => {})
      clients.push(client)
    }
    const answer = await fetch(`${api.url}/api/v1/config`)
    expect((await answer.arrayBuffer()).byteLength).toBe(bytes.length)
    const ended = once(clients[0]!, 'close')
    clients[0]!.resume()
    await ended
    expect(clients[0]!.bytesRead).toBeLessThan(bytes.length)
    for (const client of clients) client.destroy()
  })
})

describe('a client that guesses', () => {
  it('gets one answer a connection once its guesses are delayed, however many it sends', async () => {
    const api = await listening({ routes: [healthz], token: 'key' })
    const guess = getRequest('/api/v1/healthz', 'Authorization: Bearer wrong\r\n')
    const answers = await exchange(api.address.port, guess.repeat(5_000))
    const statuses = answers.match(/^HTTP\/1\.1 \d{3}/gm)
    expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 401']))
    expect(statuses!.length).toBeLessThan(15)
    const headers = { authorization: 'Bearer key' }
    expect((await fetch(`${api.url}/api/v1/healthz`, { headers })).status).toBe(200)
  })

  it('is cut off when it does not wait for a delayed answer', async () => {
    const api = await listening({ routes: [healthz], token: 'key' })
    const guess = getRequest('/api/v1/healthz', 'Authorization: Bearer wrong\r\n')
    const headers = { authorization: 'Bearer wrong' }
    for (let count = 0; count < 9; count++) await fetch(`${api.url}/api/v1/healthz`, { headers })
    const send = (bytes: string) => exchange(api.address.port, bytes, { staysOpen: true })
    expect(await send(guess)).toMatch(/^HTTP\/1\.1 401/)
    expect(await send(guess.repeat(2))).toBe('')
  })

  it('counts by its network in IPv6, and by its IPv4 address where that is hidden in one', async () => {
    const api = await listening({ routes: [healthz], token: 'key', proxies: ['127.0.0.1'] })
    const isLate = async (client: string) => {
      const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': client }
      const answer = await fetch(`${api.url}/api/v1/healthz`, { headers })
      return answer.headers.get('connection') === 'close'
    }
    for (let guess = 0; guess < 9; guess++) expect(await isLate(`2001:db8:0:1::${guess}`)).toBe(false)
    expect(await isLate('2001:db8:0:1:ffff::')).toBe(true)
    expect(await isLate('2001:db8:0:2::')).toBe(false)
    for (let guess = 0; guess < 9; guess++) expect(await isLate('::ffff:198.51.100.7')).toBe(false)
    expect(await isLate('::ffff:c633:6407')).toBe(true)
    expect(await isLate('198.51.100.7')).toBe(true)
  })

  it('is told apart from others behind the same proxy, and only there', async () => {
    const api = await listening({ routes: [healthz], token: 'key', proxies: ['127.0.0.1'] })
    const delayOf = async (client: string) => {
      const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': client }
      const answer = await fetch(`${api.url}/api/v1/healthz`, { headers })
      expect(answer.status).toBe(401)
      // A delayed guess is the last of its connection.
      return answer.headers.get('connection') === 'close'
    }
    for (let guess = 0; guess < 9; guess++) expect(await delayOf('198.51.100.1')).toBe(false)
    expect(await delayOf('198.51.100.1')).toBe(true)
    expect(await delayOf('1.1.1.1, 198.51.100.1')).toBe(true)
    expect(await delayOf('198.51.100.1, 198.51.100.2')).toBe(false)
  })

  it('gains nothing by a forwarding header where no proxy is configured', async () => {
    const api = await listening({ routes: [healthz], token: 'key' })
    const closes = []
    for (let guess = 0; guess < 10; guess++) {
      const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': `198.51.100.${guess}` }
      closes.push((await fetch(`${api.url}/api/v1/healthz`, { headers })).headers.get('connection'))
    }
    expect(closes.at(-1)).toBe('close')
  })
})
