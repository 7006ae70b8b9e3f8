// Bytes that no proper client sends. Whatever comes, the answer is a refusal with a 4xx, never a 5xx, a hang or the
// content of something else, and the listener goes on.
import { connect } from 'node:net'
import { Problem } from '@pulseward/contract'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../telemetry/log.ts'
import { SystemMeters } from '../telemetry/system-meter.ts'
import { type Route, route } from './route.ts'
import { healthz } from './routes/healthz.ts'
import { type ApiServer, startApi } from './server.ts'

const problemContract = Compile(Problem)
const neverAnswered: Route = route('GetReady', () => new Promise(() => {}))

let api: ApiServer
beforeAll(async () => {
  api = await startApi({
    listen: { host: '127.0.0.1', port: 0 },
    token: null,
    clock: systemClock,
    log: silentLog,
    meter: new SystemMeters(0).add('api'),
    routes: [healthz, neverAnswered],
  })
})
afterAll(() => api[Symbol.asyncDispose]())

/** Sends bytes as they are and gives back all that comes until the end of the connection. */
function exchange(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(api.address.port, '127.0.0.1', () => socket.end(bytes))
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    // A peer that closes with our bytes unread resets the connection; what it said before still counts.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

describe('a request whose body breaks off', () => {
  const request = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n`
  const statusesOf = (answer: string) => answer.match(/^HTTP\/1\.1 \d{3}/gm)

  it.each(['GET', 'HEAD'])('is answered once, then its connection ends (%s)', async (method) => {
    const answer = await exchange(request(method, '/api/v1/healthz'))
    expect(statusesOf(answer)).toEqual(['HTTP/1.1 200'])
    expect(answer.endsWith('\r\n\r\n')).toBe(method === 'HEAD')
  })

  it.each(['GET', 'HEAD'])('is refused if the answer has still to be found (%s)', async (method) => {
    const answer = await exchange(request(method, '/api/v1/readyz'))
    expect(statusesOf(answer)).toEqual(['HTTP/1.1 400'])
    expect(answer.endsWith('\r\n\r\n')).toBe(method === 'HEAD')
  })
})

describe('a hostile request', () => {
  const problems: Record<string, [status: number, request: string]> = {
    'a path that climbs, encoded': [404, get('/api/v1/..%2f..%2fetc/passwd')],
    'a path that climbs, twice encoded': [404, get('/api/v1/..%252f..%252fetc/passwd')],
    'a path that climbs': [404, get('/../../etc/passwd')],
    'a path that climbs to a route': [404, get('/api/v1/x/../healthz')],
    'a NUL, encoded': [404, get('/api/v1/healthz%00')],
    'a NUL': [400, get('/api/v1/\0')],
    'a broken escape': [400, get('/api/v1/%')],
    'an escape that is no UTF-8': [400, get('/api/v1/%ff')],
    'a broken escape in a parameter': [404, get('/api/v1/none?a=%zz')],
    'a header beyond the limit': [431, get('/api/v1/healthz', `X-A: ${'x'.repeat(20_000)}\r\n`)],
    'headers beyond the limit': [431, get('/api/v1/healthz', 'X-A: 1\r\n'.repeat(5_000))],
    'a path beyond the limit': [431, get(`/${'x'.repeat(20_000)}`)],
    'a method that nobody knows': [400, 'BREW /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    'no host': [400, 'GET /api/v1/healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    'an expectation that nobody knows': [404, get('/api/v1/none', 'Expect: wonders\r\n')],
    'another protocol': [400, '\x16\x03\x01\x00\xa5\x01\x00\x00'],
    'two lengths': [
      400,
      'POST /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    'a length and chunks': [
      400,
      'POST /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    'a line break in a header': [400, get('/api/v1/healthz', 'X-A: a\rb\r\n')],
    'a body beyond all limits': [
      405,
      `POST /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1_000_000)}`,
    ],
  }
  for (const [title, [status, request]] of Object.entries(problems)) {
    it(`is refused with a problem: ${title}`, async () => {
      const answer = await exchange(request)
      expect(statusOf(answer)).toBe(status)
      const problem = bodyOf(answer)
      expect(problemContract.Errors(problem)).toEqual([])
      expect(problem.status).toBe(status)
      expect(answer.toLowerCase()).toContain(`x-request-id: ${problem.request_id}`)
    })
  }

  it('cannot put a line of its own into the answer', async () => {
    const answer = await exchange(get('/api/v1/none', 'X-Request-ID: a%0d%0aSet-Cookie: b\r\n'))
    expect(answer).not.toMatch(/set-cookie/i)
  })

  it('that shows a path of a route in another way is that route or nothing', async () => {
    expect(statusOf(await exchange(get('http://localhost:1/api/v1/healthz')))).toBe(200)
    expect(statusOf(await exchange(get('/api/v1/%68ealthz')))).toBe(200)
    expect(statusOf(await exchange(get('//api/v1/healthz')))).toBe(404)
  })

  it('of any bytes is refused or not answered, and the listener goes on', async () => {
    const paths = fc.string({ unit: fc.constantFrom(...'/%.\\;:@?#&=a0é\0 \t'), maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          paths.map((path) => get(`/${path}`)),
          fc.uint8Array({ maxLength: 200 }),
        ),
        async (bytes) => {
          const answer = await exchange(Buffer.from(bytes as string))
          if (answer === '') return
          expect(statusOf(answer)).toBeLessThan(500)
        },
      ),
      { numRuns: 150 },
    )
    expect(statusOf(await exchange(get('/api/v1/healthz')))).toBe(200)
  })
})
