import { once } from 'node:events'
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { CERTIFICATES_END_AT, certificates, HttpTarget, hangs, resets } from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

type Serve = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body: string) => void

/** An HTTP/2 server on loopback that closes with its sessions. */
async function start(serve: Serve, server: Http2Server = createServer()) {
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => {})
  })
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    let body = ''
    stream.setEncoding('utf8')
    stream.on('error', () => {})
    stream.on('data', (text) => {
      body += text
    })
    stream.on('end', () => serve(stream, headers, body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    port,
    sessions,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function check(port: number, config: Partial<HttpConfig> = {}, run?: LoopbackRun) {
  return runCheck(http, { url: `http://127.0.0.1:${port}/a?b`, http_version: '2', ...config }, run)
}

describe('a check over HTTP/2', () => {
  test('succeeds in plain text by prior knowledge and sends what is configured', async () => {
    let seen: [IncomingHttpHeaders, string] | null = null
    await using target = await start((stream, headers, body) => {
      seen = [headers, body]
      stream.respond({ ':status': 201, 'x-cache': 'HIT', 'set-cookie': ['a', 'b'] })
      stream.end('all ok')
    })
    const run = new LoopbackRun()
    const expected = {
      status: [201],
      headers: { 'X-Cache': 'HIT', 'set-cookie': 'b' },
      body: { contains: 'ok' },
    }
    const config = { body: 'payload', headers: { 'X-Key': 'k' }, auth: { bearer: 't' }, expect: expected }
    expect((await check(target.port, config, run)).status).toBe('success')
    expect(run.marks).toEqual(['connect', 'first_byte'])
    const [headers, body] = seen!
    expect(body).toBe('payload')
    expect(headers).toMatchObject({
      ':method': 'POST',
      ':path': '/a?b',
      ':authority': `127.0.0.1:${target.port}`,
      'user-agent': 'pulseward',
      'x-key': 'k',
      authorization: 'Bearer t',
    })
  })

  test('succeeds over TLS and sees the certificate', async () => {
    const { good, authority: ca } = certificates
    const server = createSecureServer({ cert: good.certificate, key: good.key })
    await using target = await start(
      (stream) => stream.respond({ ':status': 204 }, { endStream: true }),
      server,
    )
    const outcome = await check(target.port, { url: `https://shop.test:${target.port}/`, tls: { ca } })
    expect(outcome).toMatchObject({ status: 'success', certificateExpiresAt: CERTIFICATES_END_AT })
  })

  test('is decided by the headers when nothing is asked about the body', async () => {
    await using target = await start((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('never ending')
    })
    expect((await check(target.port)).status).toBe('success')
  })

  test('reads no more of a body than its limit', async () => {
    await using target = await start((stream) => {
      stream.respond({ ':status': 200 })
      stream.end('x'.repeat(100_000))
    })
    const outcome = await check(target.port, { max_body_bytes: 1_024, expect: { body: { contains: 'y' } } })
    expect(outcome.reason).toBe('the body does not contain "y" in its first 1 KiB (max_body_bytes)')
  })

  test('fails on a status like any other', async () => {
    await using target = await start((stream) => stream.respond({ ':status': 503 }, { endStream: true }))
    expect((await check(target.port)).reason).toBe('status 503, expected 200-299')
  })

  test('fails when the server breaks off the request', async () => {
    await using target = await start((stream) => stream.close(2))
    expect(await check(target.port)).toMatchObject({
      status: 'failure',
      reason: 'the server broke off the HTTP/2 request',
      evidence: 'target',
    })
  })

  test('fails when the server breaks off the body', async () => {
    await using target = await start((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('part', () => stream.destroy(new Error('broken')))
    })
    const outcome = await check(target.port, { expect: { body: { contains: 'whole' } } })
    expect(outcome.reason).toBe('the server broke off the HTTP/2 request')
  })

  test('fails when the server ends the session', async () => {
    await using target = await start((stream) => stream.session!.goaway(1))
    expect((await check(target.port)).reason).toBe('the server ended the HTTP/2 session (code 1)')
  })

  test('fails when the server speaks HTTP/1', async () => {
    await using target = await HttpTarget.start()
    expect(await check(target.port)).toMatchObject({
      status: 'failure',
      reason: 'the server answered with something that is not HTTP/2',
      evidence: 'target',
    })
  })

  test('fails when the connection is reset', async () => {
    await using target = await HttpTarget.start()
    target.behave(resets())
    expect((await check(target.port)).reason).toMatch(/reset the connection|closed before a response/)
  })

  test('gives no data for headers that it cannot carry, without showing them', async () => {
    await using target = await start((stream) => stream.respond({ ':status': 200 }, { endStream: true }))
    const outcome = await check(target.port, { headers: { 'Keep-Alive': 'secret' } })
    expect(outcome).toMatchObject({
      status: 'no_data',
      reason: 'the configured headers cannot be sent by HTTP/2',
    })
  })

  test('sends header values as UTF-8, as HTTP/1 does', async () => {
    let seen = ''
    await using target = await start((stream, headers) => {
      seen = Buffer.from(String(headers['x-key']), 'latin1').toString()
      stream.respond({ ':status': 200 }, { endStream: true })
    })
    await check(target.port, { headers: { 'X-Key': 'é→' } })
    expect(seen).toBe('é→')
  })

  test('ends at the deadline with what was reached', async () => {
    await using silent = await HttpTarget.start()
    silent.behave(hangs())
    expect(await check(silent.port, {}, new LoopbackRun(60))).toMatchObject({
      status: 'timeout',
      reason: 'no response within 60 ms; connected, request sent',
    })
    await using target = await start((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('part')
    })
    const config = { expect: { body: { contains: 'whole' } } }
    expect(await check(target.port, config, new LoopbackRun(100))).toMatchObject({
      status: 'timeout',
      reason: 'no end of the body within 100 ms; 4 bytes of it received',
    })
  })
})
