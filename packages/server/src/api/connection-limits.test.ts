// Clients that hold many connections. Real sockets, from several addresses of this machine.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { eventually } from '@pulseward/testing'
import { exchange, getRequest, listeningApi } from '@pulseward/testing/api'
import { certificates } from '@pulseward/testing/targets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultConnectionBounds } from './connection-limits.ts'
import { json, route } from './route.ts'
import { healthz } from './routes/healthz.ts'
import { readyz } from './routes/readyz.ts'
import type { ApiOptions } from './server.ts'

const ready = readyz(() => ({ reasons: [], details: { snapshot_at: null, snapshot_age_seconds: null } }))

interface Held {
  readonly socket: Socket
  /** All that came back. */
  received: string
  closed: boolean
}

async function listening(options: Partial<ApiOptions>) {
  const api = await listeningApi({ routes: [healthz, ready], ...options })
  onTestFinished(() => api[Symbol.asyncDispose]())
  const hold = async (from: string): Promise<Held> => {
    const socket = connect({ port: api.address.port, host: '127.0.0.1', localAddress: from })
    onTestFinished(() => void socket.destroy())
    const held: Held = { socket, received: '', closed: false }
    socket.on('data', (chunk) => {
      held.received += String(chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      held.closed = true
    })
    await once(socket, 'connect')
    return held
  }
  const ask = async (held: Held, path = '/api/v1/readyz', headers = '') => {
    const before = held.received.length
    held.socket.write(getRequest(path, headers))
    await eventually(() => expect(held.received.length > before || held.closed).toBe(true))
    return /^HTTP\/1\.1 (\d+)/.exec(held.received.slice(before))?.[1] ?? 'closed'
  }
  return { port: api.address.port, hold, ask }
}

const open = (held: readonly Held[]) => held.map(({ closed }) => !closed)

describe('a client with more connections than it may have', () => {
  const connections = { all: 100, ofOneClient: 4 }

  it('leaves room for other addresses, and loses its oldest idle connections to its new ones', async () => {
    const { hold, ask } = await listening({ connections })
    const many: Held[] = []
    for (let count = 0; count < 7; count++) many.push(await hold('127.0.0.1'))
    await eventually(() => expect(open(many)).toEqual([false, false, false, true, true, true, true]))
    expect(await ask(await hold('127.0.0.2'))).toBe('200')
    expect(await ask(many[6]!)).toBe('200')
    expect(await ask(await hold('127.0.0.1'))).toBe('200')
  })

  it('keeps the connections that it uses: those that have waited longest go', async () => {
    const { hold, ask } = await listening({ connections })
    const held: Held[] = []
    for (let count = 0; count < 4; count++) held.push(await hold('127.0.0.1'))
    expect(await ask(held[0]!)).toBe('200')
    held.push(await hold('127.0.0.1'))
    await eventually(() => expect(open(held)).toEqual([true, false, true, true, true]))
    expect(await ask(held[0]!)).toBe('200')
  })

  it('loses connections on which half a request has come, not those that are being answered', async () => {
    const waiting: (() => void)[] = []
    const slow = route('GetConfig', async () => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return json({})
    })
    const { hold, ask } = await listening({ connections, routes: [ready, slow] })
    const held: Held[] = []
    for (let count = 0; count < 4; count++) held.push(await hold('127.0.0.1'))
    // With an expectation, too, which Node hands over by another way.
    held[0]!.socket.write(getRequest('/api/v1/config', 'Expect: wonders\r\n'))
    for (const { socket } of held.slice(1, 3)) socket.write(getRequest('/api/v1/config'))
    held[3]!.socket.write('GET /api/v1/config HTTP/1.1\r\nHost: ')
    await eventually(() => expect(waiting).toHaveLength(3))
    const probe = await hold('127.0.0.1')
    expect(await ask(probe)).toBe('200')
    await eventually(() => expect(held[3]!.closed).toBe(true))
    probe.socket.write(getRequest('/api/v1/config'))
    await eventually(() => expect(waiting).toHaveLength(4))
    expect(await ask(await hold('127.0.0.1'))).toBe('closed')
    expect(await ask(await hold('127.0.0.2'))).toBe('200')
    for (const go of waiting) go()
    for (const one of [...held.slice(0, 3), probe])
      await eventually(() => expect(one.received).toMatch(/HTTP\/1\.1 200/))
    expect(await ask(await hold('127.0.0.1'))).toBe('200')
  })

  it('loses connections on which a wrong guess waits for its refusal', async () => {
    const bounds = { all: 100, ofOneClient: 30 }
    const { port, hold, ask } = await listening({ connections: bounds, token: 'key' })
    const guess = getRequest('/api/v1/readyz', 'Authorization: Bearer wrong\r\n')
    // From the twentieth on, a refusal waits for a second.
    await Promise.all(Array.from({ length: 20 }, () => exchange(port, guess)))
    for (let count = 0; count < 30; count++) (await hold('127.0.0.1')).socket.write(guess)
    const login = 'Authorization: Bearer key\r\n'
    const other = await hold('127.0.0.2')
    // Meanwhile the guesses are read.
    for (let count = 0; count < 20; count++) expect(await ask(other, undefined, login)).toBe('200')
    expect(await ask(await hold('127.0.0.1'), undefined, login)).toBe('200')
  })

  it('is counted before a handshake, and keeps the connections that it uses after one', async () => {
    const { port, hold } = await listening({ connections, identity: certificates.good })
    const securely = async () => {
      const socket = connectSecurely({
        port,
        host: '127.0.0.1',
        ca: certificates.authority,
        servername: 'localhost',
      })
      onTestFinished(() => void socket.destroy())
      const held: Held = { socket, received: '', closed: false }
      socket.on('data', (chunk) => {
        held.received += String(chunk)
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        held.closed = true
      })
      await once(socket, 'secureConnect')
      return held
    }
    const used = await securely()
    const silent: Held[] = []
    for (let count = 0; count < 3; count++) silent.push(await hold('127.0.0.1'))
    used.socket.write(getRequest('/api/v1/readyz'))
    await eventually(() => expect(used.received).toMatch(/HTTP\/1\.1 200/))
    await securely()
    await eventually(() => expect(open([used, ...silent])).toEqual([true, false, true, true]))
  })
})

describe('more connections than there may be', () => {
  it('take the room of the client that has the most', async () => {
    const { hold, ask } = await listening({ connections: { all: 5, ofOneClient: 4 } })
    const few = [await hold('127.0.0.2')]
    const many: Held[] = []
    for (let count = 0; count < 4; count++) many.push(await hold('127.0.0.1'))
    expect(await ask(await hold('127.0.0.3'))).toBe('200')
    await eventually(() => expect(open([...few, ...many])).toEqual([true, false, true, true, true]))
    expect(await ask(few[0]!)).toBe('200')
  })

  it('do not keep others, nor the same address, from readiness, however many one address opens', async () => {
    const connections = {
      all: defaultConnectionBounds.all / 64,
      ofOneClient: defaultConnectionBounds.ofOneClient / 64,
    }
    const { hold, ask } = await listening({ connections })
    for (let count = 0; count < connections.all + 10; count++) await hold('127.0.0.1')
    expect(await ask(await hold('127.0.0.2'))).toBe('200')
    expect(await ask(await hold('127.0.0.1'))).toBe('200')
  })
})
