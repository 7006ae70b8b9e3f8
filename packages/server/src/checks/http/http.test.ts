// The http check against a real server on loopback. Larger topics (expectations, TLS, HTTP/2, proxies,
// redirects, hostile peers, deadlines) are tested beside their files in http/.
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { answers, answersBy, HttpTarget, sends } from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

const check = (config: HttpConfig, run?: LoopbackRun) => runCheck(http, config, run)

describe('an http check', () => {
  test('succeeds on a 2xx answer and notes its phases', async () => {
    await using target = await HttpTarget.start()
    const run = new LoopbackRun()
    const outcome = await check({ url: target.url('/health') }, run)
    expect(outcome).toMatchObject({
      status: 'success',
      reason: null,
      warning: null,
      certificateExpiresAt: null,
    })
    expect(outcome.latencyMs).toBeGreaterThan(0)
    expect(run.marks).toEqual(['connect', 'first_byte'])
  })

  test('sends one plain request with the right host and nothing of the user info but its authorization', async () => {
    await using target = await HttpTarget.start()
    await check({ url: target.url('/a/b?c=d#e') })
    await check({ url: `http://us%40er:p%20w@127.0.0.1:${target.port}/` })
    expect(target.requests[0]).toBe(
      `GET /a/b?c=d HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nUser-Agent: pulseward\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    )
    expect(target.requests[1]).not.toContain('p%20w')
    expect(target.requests[1]).toContain(`Authorization: Basic ${btoa('us@er:p w')}\r\n`)
  })

  test('writes an IPv6 host in brackets and connects without them', async () => {
    await using target = await HttpTarget.start({ host: '::1' })
    const run = new LoopbackRun()
    expect(await check({ url: target.url('/', '[::1]'), family: 'ipv6' }, run)).toMatchObject({
      status: 'success',
    })
    expect(target.requests[0]).toContain(`\r\nHost: [::1]:${target.port}\r\n`)
    expect(run.connections).toMatchObject([{ host: '::1', port: target.port, family: 'ipv6' }])
  })

  test('sends method, headers and body, and counts the body in bytes', async () => {
    await using target = await HttpTarget.start()
    const headers = {
      'Content-Type': 'text/plain',
      host: 'shop.test',
      'USER-AGENT': 'mine',
      Accept: 'text/plain',
    }
    await check({ url: target.url(), method: 'PUT', headers, body: 'grüße' })
    expect(target.requests[0]).toBe(
      'PUT / HTTP/1.1\r\nContent-Type: text/plain\r\nhost: shop.test\r\nUSER-AGENT: mine\r\nAccept: text/plain\r\n' +
        `Content-Length: 7\r\nConnection: close\r\n\r\n${Buffer.from('grüße').toString('latin1')}`,
    )
  })

  test('posts when there is a body and no method', async () => {
    await using target = await HttpTarget.start()
    await check({ url: target.url(), body: '' })
    expect(target.requests[0]).toMatch(/^POST \/ .*\r\nContent-Length: 0\r\n/s)
  })

  test('authenticates with basic and bearer', async () => {
    await using target = await HttpTarget.start()
    await check({ url: target.url(), auth: { basic: { username: 'anna', password: 'pä:ss' } } })
    await check({ url: target.url(), auth: { bearer: 'token-1' } })
    expect(target.requests[0]).toContain(
      `\r\nAuthorization: Basic ${Buffer.from('anna:pä:ss').toString('base64')}\r\n`,
    )
    expect(target.requests[1]).toContain('\r\nAuthorization: Bearer token-1\r\n')
  })

  test('refuses a header value that would add a line, without showing it', async () => {
    await using target = await HttpTarget.start()
    const outcome = await check({ url: target.url(), auth: { bearer: 'secret\r\nX-Evil: 1' } })
    expect(outcome).toMatchObject({
      status: 'no_data',
      reason: 'the value for the header Authorization holds a character that no header may hold',
    })
    expect(target.acceptedSockets).toBe(0)
  })

  test('speaks HTTP/1.0 when told to', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends(['HTTP/1.0 200 OK\r\n\r\nold']))
    const outcome = await check({
      url: target.url(),
      http_version: '1.0',
      expect: { body: { contains: 'old' } },
    })
    expect(outcome.status).toBe('success')
    expect(target.requests[0]).toMatch(/^GET \/ HTTP\/1\.0\r\nHost: /)
  })

  test('reads a HEAD answer without waiting for the body it announces', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends(['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'], 'hold'))
    const config: HttpConfig = { url: target.url(), method: 'HEAD', expect: { body: { not_contains: 'x' } } }
    expect((await check(config)).status).toBe('success')
  })

  test('is decided by the head when nothing is asked about the body', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends(['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'], 'hold'))
    expect((await check({ url: target.url() })).status).toBe('success')
  })

  test('warns about a good answer that took too long', async () => {
    await using target = await HttpTarget.start()
    target.behave(answers({ delayMs: 30 }))
    const slow = await check({ url: target.url(), max_latency: '10ms' })
    expect(slow.status).toBe('success')
    expect(slow.warning).toMatch(/^answered in \d+ ms, over the 10 ms allowed$/)
    expect((await check({ url: target.url(), max_latency: '5s' })).warning).toBeNull()
  })

  test('fails with the network’s own words and evidence when there is no connection', async () => {
    const closed = await HttpTarget.start()
    await closed[Symbol.asyncDispose]()
    const outcome = await check({ url: closed.url() })
    expect(outcome).toMatchObject({
      status: 'failure',
      reason: 'connection refused by 127.0.0.1',
      evidence: 'target',
    })
  })

  test('never shows user info, query or fragment as its target', () => {
    const shown = http.target({ url: 'https://user:secret@Shop.test:8443/health?token=secret#secret' })
    expect(shown).toBe('https://shop.test:8443/health')
  })

  test('keeps each of many checks at once to its own answer', async () => {
    await using target = await HttpTarget.start()
    target.behave(answersBy((request) => ({ body: `you asked for ${request.split(' ')[1]}` })))
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        check({ url: target.url(`/${index}`), expect: { body: { regex: `^you asked for /${index}$` } } }),
      ),
    )
    expect(outcomes.every(({ status }) => status === 'success')).toBe(true)
    expect(target.requests).toHaveLength(50)
  })
})
