import { checkFixture } from '@pulseward/testing/network'
import {
  answers,
  type Behaviour,
  BlackHole,
  certificates,
  closesEarly,
  drips,
  HelloGate,
  HttpTarget,
  hangs,
  hangsAfterHead,
  readRequest,
  resets,
  sends,
  sendsEndlessBody,
  sendsEndlessHeaders,
  TcpTarget,
  type TlsSetup,
  trustTestAuthority,
} from '@pulseward/testing/targets'
import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../clock.ts'
import { outboundPolicy } from './address-policy.ts'
import type { TlsMaterial } from './outbound-connect.ts'
import { type OutboundRequest, type OutboundResult, sendOutbound, shownOrigin } from './outbound-http.ts'

const policy = outboundPolicy({ allowLoopback: true, allowLinkLocal: false })

async function send(
  url: string,
  request: Partial<OutboundRequest> = {},
  timeoutMs = 3_000,
): Promise<OutboundResult> {
  using fixture = checkFixture({ policy, hosts: '127.0.0.1 shop.test other.test' })
  const whole: OutboundRequest = { method: 'POST', url, headers: {}, body: 'hello', ...request }
  return await sendOutbound(fixture.network, whole, { signal: AbortSignal.timeout(timeoutMs), timeoutMs })
}

describe('an outbound request', () => {
  it('sends what it was given, with framing and connection headers of its own', async () => {
    await using target = await HttpTarget.start()
    const headers = { 'X-Key': 'k', Connection: 'upgrade', 'Content-Length': '1' }
    await send(target.url('/hook?a=b'), { headers, body: 'grüße' })
    const request = readRequest(target.requests[0]!)
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=b', body: 'grüße' })
    expect(Object.fromEntries(request.headers)).toEqual({
      host: `127.0.0.1:${target.port}`,
      'user-agent': 'pulseward',
      'x-key': 'k',
      'content-length': '7',
      connection: 'close',
    })
  })

  it('sends the user info of a URL as authorization', async () => {
    await using target = await HttpTarget.start()
    await send(`http://us%65r:p%40ss%@127.0.0.1:${target.port}/`)
    const authorization = readRequest(target.requests[0]!).headers.get('authorization')
    expect(authorization).toBe(`Basic ${Buffer.from('user:p%40ss%').toString('base64')}`)
  })

  it('sends no body and no length with a GET', async () => {
    await using target = await HttpTarget.start()
    await send(target.url(), { method: 'GET', body: null })
    expect(readRequest(target.requests[0]!).headers.has('content-length')).toBe(false)
  })

  it('gives status, headers and body of the answer', async () => {
    await using target = await HttpTarget.start()
    target.behave(answers({ status: 429, headers: { 'Retry-After': '7' }, body: '{"ok":false}' }))
    expect(await send(target.url())).toMatchObject({
      kind: 'answered',
      status: 429,
      headers: { 'retry-after': '7' },
      body: '{"ok":false}',
      isWhole: true,
    })
  })

  it('does not follow a redirect', async () => {
    await using elsewhere = await HttpTarget.start()
    await using target = await HttpTarget.start()
    target.behave(answers({ status: 307, headers: { Location: elsewhere.url() } }))
    expect(await send(target.url())).toMatchObject({ kind: 'answered', status: 307 })
    expect(elsewhere.acceptedSockets).toBe(0)
  })

  it.each<[string, Behaviour]>([
    ['an endless body', sendsEndlessBody()],
    ['a body that never comes', hangsAfterHead()],
    ['a body that drips', drips('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nslow', 5)],
    ['a body that breaks off', sends(['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'], 'reset')],
  ])('is answered by a head with %s', async (_, behaviour) => {
    await using target = await HttpTarget.start()
    target.behave(behaviour)
    const result = await send(target.url(), {}, 2_500)
    expect(result).toMatchObject({ kind: 'answered', status: 200, isWhole: false })
    if (result.kind === 'answered') expect(result.body.length).toBeLessThanOrEqual(64 * 1024)
    await target.idle()
  })

  // Cases that wait for the deadline have a short one; the others must not reach theirs on a slow machine.
  it.each<[string, Behaviour, RegExp, timeoutMs?: number]>([
    ['hangs', hangs(), /^sent, but no answer from 127.0.0.1:\d+ within 1 s$/, 1_000],
    ['closes', closesEarly(), /broke off before it answered$/],
    ['resets', resets(), /broke off before it answered$/],
    ['speaks something else', sends(['SSH-2.0-OpenSSH\r\n']), /did not answer in HTTP$/],
    ['sends endless headers', sendsEndlessHeaders(), /did not answer in HTTP$/],
    ['sends half a head', sends(['HTTP/1.1 200 OK\r\nContent-'], 'hold'), /no answer/, 1_000],
  ])('is sent without an answer when the peer %s', async (_, behaviour, reason, timeoutMs) => {
    await using target = await HttpTarget.start()
    target.behave(behaviour)
    const result = await send(target.url('/services/SECRET?token=SECRET'), {}, timeoutMs)
    expect(result).toMatchObject({ kind: 'no-answer', reason: expect.stringMatching(reason) })
    expect(JSON.stringify(result)).not.toContain('SECRET')
    await target.idle()
  })

  it.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'http://', 'no URL'])(
    'is not sent to %s',
    async (url) => {
      expect(await send(url)).toMatchObject({ kind: 'not-sent', isRetryable: false })
    },
  )

  it('sends header values as UTF-8', async () => {
    await using target = await HttpTarget.start()
    await send(target.url(), { headers: { 'X-Place': 'Zürich 東京' } })
    const sent = readRequest(target.requests[0]!).headers.get('x-place') ?? ''
    expect(Buffer.from(sent, 'latin1').toString()).toBe('Zürich 東京')
  })

  it('is not sent with a header that would add another one', async () => {
    await using target = await HttpTarget.start()
    const result = await send(target.url(), { headers: { 'X-Key': 'SECRET\r\nX-Other: 1' } })
    expect(result).toMatchObject({
      kind: 'not-sent',
      reason: 'the header "X-Key" cannot be sent',
      isRetryable: false,
    })
    expect(target.acceptedSockets).toBe(0)
  })

  it('is not sent, but may be later, when the connection is refused', async () => {
    await using target = await TcpTarget.start()
    await target.refuses()
    expect(await send(`http://127.0.0.1:${target.port}/`)).toMatchObject({
      kind: 'not-sent',
      reason: `connection refused by 127.0.0.1:${target.port}`,
      isRetryable: true,
    })
  })

  it('is not sent, but may be later, when nobody answers the connection', async () => {
    await using hole = await BlackHole.start()
    expect(await send(`http://127.0.0.1:${hole.port}/`, {}, 300)).toMatchObject({
      kind: 'not-sent',
      reason: `no connection to 127.0.0.1:${hole.port} within 300 ms`,
      isRetryable: true,
    })
  })

  it('is not sent, but may be later, when the resolver does not answer', async () => {
    expect(await send('http://gone.test/', {}, 300)).toMatchObject({ kind: 'not-sent', isRetryable: true })
  })

  it('is not sent after its deadline', async () => {
    await using target = await HttpTarget.start()
    using fixture = checkFixture({ policy })
    const request: OutboundRequest = { method: 'POST', url: target.url(), headers: {}, body: '' }
    const result = await sendOutbound(fixture.network, request, { signal: AbortSignal.abort(), timeoutMs: 1 })
    expect(result).toMatchObject({ kind: 'not-sent', isRetryable: true })
    expect(target.acceptedSockets).toBe(0)
  })
})

describe('an outbound request over TLS', () => {
  it('is sent to a server with a trusted certificate for its name', async () => {
    using _trust = trustTestAuthority()
    await using target = await HttpTarget.start({ tls: { identity: certificates.good } })
    expect(await send(target.url('/', 'shop.test'))).toMatchObject({ kind: 'answered', status: 200 })
    expect(readRequest(target.requests[0]!).headers.get('host')).toBe(`shop.test:${target.port}`)
    expect(await send(target.url('/', '127.0.0.1'))).toMatchObject({ kind: 'answered', status: 200 })
  })

  it.each([
    ['self-signed', certificates.selfSigned, 'is not signed by a trusted authority'],
    ['expired', certificates.expired, 'has expired'],
    ['not yet valid', certificates.future, 'is not valid yet'],
    ['for another name', certificates.other, 'is for another name'],
  ])('is not sent to a server with a certificate that is %s', async (_, identity, words) => {
    using _trust = trustTestAuthority()
    await using target = await HttpTarget.start({ tls: { identity } })
    expect(await send(target.url('/', 'shop.test'))).toMatchObject({
      kind: 'not-sent',
      reason: `the certificate of shop.test:${target.port} ${words}`,
      isRetryable: false,
    })
    expect(target.requests).toEqual([])
  })

  it.each(['silent', 'half-close', 'reset', 'garbage'] as const)(
    'is not sent, but may be later, when the peer is %s in the handshake',
    async (kind) => {
      await using target = await TcpTarget.start({ behaviour: { kind } })
      const result = await send(`https://127.0.0.1:${target.port}/`, {}, 300)
      expect(result).toMatchObject({ kind: 'not-sent', isRetryable: true })
      await target.allClosed()
    },
  )
})

describe.each([
  ['TLS 1.3', { identity: certificates.good }],
  ['TLS 1.2', { identity: certificates.good, maxVersion: 'TLSv1.2' }],
] as const)('a call over %s to a destination', (_version, tls: TlsSetup) => {
  const ca = certificates.authority
  const { certificate, key } = certificates.client
  const call = (port: number, material: TlsMaterial = {}, host = 'shop.test') =>
    send(`https://${host}:${port}/`, { tls: { ca, ...material } })
  const answered = { kind: 'answered', status: 200 }

  it('resumes the session of the call before it, whatever that was answered', async () => {
    await using target = await HttpTarget.start({ tls })
    target.behave(answers({ status: 503 }))
    expect(await call(target.port)).toMatchObject({ kind: 'answered', status: 503 })
    target.behave(answers())
    for (let again = 0; again < 3; again++) expect(await call(target.port)).toMatchObject(answered)
    expect(target.handshakes).toEqual(['full', 'resumed', 'resumed', 'resumed'])
  })

  it('makes a full handshake five minutes after the last one', async () => {
    const { monotonicMs } = systemClock
    let aheadMs = 0
    using _ahead = vi.spyOn(systemClock, 'monotonicMs').mockImplementation(() => monotonicMs() + aheadMs)
    await using target = await HttpTarget.start({ tls })
    for (const later of [0, 200_000, 100_000, 0]) {
      aheadMs += later
      expect(await call(target.port)).toMatchObject(answered)
    }
    expect(target.handshakes).toEqual(['full', 'resumed', 'full', 'resumed'])
  })

  it('never resumes a session with another name, authority or client certificate', async () => {
    await using target = await HttpTarget.start({ tls: { ...tls, clientAuthority: ca } })
    const calls: [TlsMaterial, string?][] = [
      [{ certificate, key }],
      [{ certificate, key }, 'other.test'],
      [{ certificate, key, serverName: 'localhost' }],
      [{ certificate, key, ca: `${ca}\n${certificates.chain.root}` }],
    ]
    for (const [material, host] of calls) await call(target.port, material, host)
    expect(target.handshakes).not.toContain('resumed')
    expect(await call(target.port)).not.toMatchObject(answered)
    expect(await call(target.port, { certificate, key })).toMatchObject(answered)
    expect(target.handshakes.at(-1)).toBe('resumed')
  })

  it('makes a full handshake after one that was not answered', async () => {
    await using target = await HttpTarget.start({ tls })
    await call(target.port)
    target.behave(closesEarly())
    expect(await call(target.port)).toMatchObject({ kind: 'no-answer' })
    target.behave(answers())
    expect(await call(target.port)).toMatchObject(answered)
    expect(target.handshakes).toEqual(['full', 'resumed', 'full'])
  })

  it('is not sent when the server shows another certificate than before', async () => {
    await using target = await HttpTarget.start({ tls })
    await call(target.port)
    target.presents({ ...tls, identity: certificates.expired })
    target.forgetsTickets()
    const reason = `the certificate of shop.test:${target.port} has expired`
    expect(await call(target.port)).toMatchObject({ kind: 'not-sent', reason, isRetryable: false })
    expect(target.requests).toHaveLength(1)
  })

  it('is sent over a second connection when the server breaks off at the sight of a session', async () => {
    await using target = await HttpTarget.start({ tls })
    await using gate = await HelloGate.start(target.port, ({ offersSession }) => !offersSession)
    for (let again = 0; again < 2; again++) expect(await call(gate.port)).toMatchObject(answered)
    expect(gate.hellos.map(({ offersSession }) => offersSession)).toEqual([false, true, false])
    expect(target.requests).toHaveLength(2)
  })
})

describe('shownOrigin', () => {
  it('shows nothing but the origin', () => {
    expect(shownOrigin('https://user:pass@hooks.test:8443/services/T0/SECRET?x#y')).toBe(
      'https://hooks.test:8443',
    )
    expect(shownOrigin('nonsense')).toBe('an invalid URL')
  })
})
