import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { createDnsTarget, readQuestion } from './dns-target.ts'
import { createHttpTarget } from './http-target.ts'
import type { Condition } from './life.ts'
import { keepRack } from './rack.ts'
import { createTcpTarget } from './tcp-target.ts'

/** Monitor 1 is healthy, and so on; there are no others. */
const conditions: Record<number, Condition> = { 1: 'healthy', 2: 'failing', 3: 'unavailable', 4: 'silent' }
const look = (monitor: number) => {
  const condition = conditions[monitor]
  return condition === undefined ? null : { condition, delayMs: 1 }
}

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  cleanUps.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('the http target', () => {
  it('answers as the monitor in the path fares', async () => {
    const port = await listen(createHttpTarget(look))
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    expect(await statusOf('/payments/checkout-api/1/health')).toBe(200)
    expect(await statusOf('/payments/checkout-api/2/health')).toBe(500)
    expect(await statusOf('/payments/checkout-api/3/health')).toBe(503)
    expect(await statusOf('/payments/checkout-api/5/health')).toBe(404)
    expect(await statusOf('/')).toBe(404)
  })

  it('says nothing for a silent monitor', async () => {
    const port = await listen(createHttpTarget(look))
    const patience = AbortSignal.timeout(100)
    const answer = fetch(`http://127.0.0.1:${port}/mail/template-api/4/health`, { signal: patience })
    await expect(answer).rejects.toThrow(/timeout/)
  })
})

describe('the tcp target', () => {
  const say = async (port: number, line: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(line)
    return await text(socket).catch((error: NodeJS.ErrnoException) => error.code)
  }

  it('answers as the monitor in the line fares', async () => {
    const port = await listen(createTcpTarget(look))
    expect(await say(port, 'PING 1\r\n')).toBe('PONG 1\r\n')
    expect(await say(port, 'PING 2\r\n')).toBe('ECONNRESET')
    expect(await say(port, 'PING 3\r\n')).toBe('BUSY\r\n')
    expect(await say(port, 'PING 5\r\n')).toBe('')
    expect(await say(port, 'GET / HTTP/1.1\r\n')).toBe('')
  })
})

describe('the dns target', () => {
  it('answers as the monitor in the name fares', async () => {
    const socket = createDnsTarget(look)
    cleanUps.push(() => socket.close())
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const resolver = new Resolver({ timeout: 2_000, tries: 1 })
    resolver.setServers([`127.0.0.1:${socket.address().port}`])
    const codeOf = (name: string) =>
      resolver.resolve4(name).catch((error: NodeJS.ErrnoException) => error.code)
    expect(await codeOf('edge-1.demo.test')).toEqual(['10.0.0.1'])
    expect(await codeOf('edge-2.demo.test')).toBe('ESERVFAIL')
    expect(await codeOf('edge-3.demo.test')).toBe('EREFUSED')
    expect(await codeOf('edge-5.demo.test')).toBe('ENOTFOUND')
    expect(await codeOf('demo.test')).toBe('ENOTFOUND')
  })

  it('reads no question out of bytes that hold none', () => {
    expect(readQuestion(Buffer.alloc(0))).toBe(null)
    expect(readQuestion(Buffer.alloc(12))).toBe(null)
    expect(readQuestion(Buffer.alloc(64, 0xff))).toBe(null)
  })
})

describe('a rack', () => {
  it('closes its port and opens it again where it was', async () => {
    const server = createHttpTarget(look)
    const port = await listen(server)
    let closed = false
    cleanUps.push(keepRack(server, port, () => closed, 5))
    const isReachable = () => fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false)
    expect(await isReachable()).toBe(true)
    closed = true
    await once(server, 'close')
    expect(await isReachable()).toBe(false)
    closed = false
    await once(server, 'listening')
    expect(await isReachable()).toBe(true)
  })
})
