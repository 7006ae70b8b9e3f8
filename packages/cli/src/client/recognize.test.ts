// What listens at the address is not always a Pulseward server. Real servers on loopback play the strangers.
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { describe, expect, it } from 'vitest'
import { runInProcess } from './command.fixture.ts'

const answering = (status: number, headers: Record<string, string>, body: string) =>
  createHttpServer((_, response) => void response.writeHead(status, headers).end(body))

const json = { 'Content-Type': 'application/json' }
const marked = { ...json, 'X-Request-ID': 'theirs' }
const saying = (greeting: string) => createServer((socket) => void socket.on('error', () => {}).end(greeting))

const strangers: readonly [what: string, server: () => Server, words: string][] = [
  [
    'a page',
    () => answering(200, { 'Content-Type': 'text/html; charset=utf-8' }, '<h1>It works!</h1>'),
    ': it answered with status 200 and text/html',
  ],
  [
    'health of its own',
    () => answering(200, json, '{"status":"ok"}'),
    ': it answered with status 200 and application/json',
  ],
  [
    'JSON with a request id',
    () => answering(200, marked, '{"status":"UP","reasons":[]}'),
    ', or one of another version: its answer is not of this API',
  ],
  [
    'a list',
    () => answering(200, marked, '[]'),
    ', or one of another version: its answer is not of this API',
  ],
  [
    'null',
    () => answering(200, marked, 'null'),
    ', or one of another version: its answer is not of this API',
  ],
  [
    'a plain 404',
    () => answering(404, { 'Content-Type': 'text/plain' }, '404 page not found'),
    ': it answered with status 404 and text/plain',
  ],
  [
    'a 404 with a request id',
    () => answering(404, marked, '{"error":"no"}'),
    ': it answered with status 404',
  ],
  [
    'JSON while it is away',
    () => answering(503, json, '{"error":"away"}'),
    ', or a proxy answers in its place: it answered with status 503 and application/json',
  ],
  [
    'a login of its own',
    () => answering(401, { 'WWW-Authenticate': 'Basic' }, ''),
    ', or a proxy answers in its place: it answered with status 401',
  ],
  ['no HTTP', () => saying('SSH-2.0-OpenSSH_9.9\r\n'), ': what it sends is not HTTP'],
]

describe('a stranger that answers with', () => {
  it.each(strangers)('%s is not a Pulseward server', async (_, server, words) => {
    const stranger = server().listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    try {
      for (const line of ['health', 'ready', 'get overview', 'get monitors -o json', 'get endpoints'])
        expect(await runInProcess([...line.split(' '), '--server', url]), line).toEqual({
          code: 3,
          stdout: '',
          stderr: `pulseward: ${url} is not a Pulseward server${words}; check the address and the port of --server.\n`,
        })
    } finally {
      stranger.close()
    }
  })
})

describe('a Pulseward server', () => {
  it('of another version may say more, and need not have what may be null', async () => {
    await using peer = await ReferencePeer.start()
    const { stdout } = await runInProcess(['get', 'overview', '-o', 'json', '--server', peer.url])
    const { up_percent: _, ...known } = JSON.parse(stdout) as Record<string, unknown>
    peer.answer({ status: 200, headers: marked, body: JSON.stringify({ ...known, weather: 'fine' }) })
    const shown = await runInProcess(['get', 'overview', '--server', peer.url])
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Up +-$/m) })
  })

  it('is one behind https only when TLS is spoken there', async () => {
    await using peer = await ReferencePeer.start()
    const url = peer.url.replace('http:', 'https:')
    expect(await runInProcess(['health', '--server', url])).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: ${url} does not speak TLS; write http:// in --server if that is meant.\n`,
    })
  })
})
