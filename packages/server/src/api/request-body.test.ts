// Bodies of requests over real sockets, with a limit of a few bytes.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { until } from '@pulseward/testing'
import { exchange } from '@pulseward/testing/api'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { http } from '../platform/late-modules.ts'
import { Exchange } from './exchange.ts'
import { UnreadAnswers } from './unread-answers.ts'

const limit = 8
const unread = new UnreadAnswers()
const read: string[] = []
const server = http.createServer(async (request, response) => {
  const asked = new Exchange(request, response, unread)
  const body = await asked.readBody(limit)
  read.push(typeof body === 'string' ? body : `"${Buffer.from(body).toString()}"`)
  asked.send(200, 'answered')
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => void read.splice(0))

const portOf = () => (server.address() as AddressInfo).port
const post = (rest: string) => `POST / HTTP/1.1\r\nHost: localhost\r\n${rest}`
const chunked = 'Transfer-Encoding: chunked\r\n\r\n'
const answers = (text: string) => text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0

describe('the body of a request', () => {
  it.each([
    ['none', '\r\n', '""'],
    ['of no bytes', 'Content-Length: 0\r\n\r\n', '""'],
    ['as long as may be', 'Content-Length: 8\r\n\r\n12345678', '"12345678"'],
    ['in chunks', `${chunked}4\r\n1234\r\n4\r\n5678\r\n0\r\n\r\n`, '"12345678"'],
  ])('is read whole, and its connection goes on (%s)', async (_, rest, expected) => {
    const text = await exchange(portOf(), post(rest).repeat(2))
    expect(read).toEqual([expected, expected])
    expect(answers(text)).toBe(2)
    expect(text).not.toMatch(/^connection: close/im)
  })

  it.each([
    ['announced', 'Content-Length: 9\r\n\r\n123456789'],
    ['announced, and not sent', 'Content-Length: 9\r\n\r\n'],
    ['in chunks', `${chunked}4\r\n1234\r\n5\r\n56789\r\n0\r\n\r\n`],
    ['in chunks without an end', `${chunked}9\r\n123456789\r\n`],
  ])('is refused beyond the limit, and its connection ends (%s)', async (_, rest) => {
    const text = await exchange(portOf(), post(rest), { staysOpen: true })
    expect(read).toEqual(['too large'])
    expect(answers(text)).toBe(1)
    expect(text).toMatch(/^connection: close/im)
  })

  it('is asked for where the client waits for that', async () => {
    const text = await exchange(portOf(), post('Expect: 100-continue\r\nContent-Length: 2\r\n\r\nab'))
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
    expect(read).toEqual(['"ab"'])
  })

  it.each([['Content-Length: 8\r\n\r\n1234'], [`${chunked}4\r\n12`]])(
    'is broken off when the client leaves in the middle (%j)',
    async (rest) => {
      const client = connect(portOf(), '127.0.0.1')
      const asked = once(server, 'request')
      client.write(post(rest))
      await asked
      client.destroy()
      await until(() => read.length > 0)
      expect(read).toEqual(['broken off'])
    },
  )
})
