import { LoopbackRun, promptlyMs, runCheck } from '@pulseward/testing/checks'
import { answersBy, CERTIFICATES_END_AT, certificates, HttpTarget, sends } from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

const follow = { redirects: { follow: true } }

/** Redirects /a to a location; everything else is fine. */
function redirecting(location: string, status = 302) {
  return answersBy((request) =>
    request.split(' ')[1] === '/a'
      ? { status, headers: { Location: location }, body: 'moved' }
      : { body: 'landed' },
  )
}

describe('redirects', () => {
  test('are not followed by default', async () => {
    await using target = await HttpTarget.start()
    target.behave(redirecting('/b'))
    const outcome = await runCheck(http, { url: target.url('/a') })
    expect(outcome.reason).toBe('status 302, expected 200-299 (redirects are not followed)')
    expect(target.requests).toHaveLength(1)
  })

  test('are followed when asked for, each on a connection of its own', async () => {
    await using target = await HttpTarget.start()
    target.behave(redirecting('b?x=1#y'))
    const run = new LoopbackRun()
    const config: HttpConfig = { url: target.url('/a'), ...follow, expect: { body: { contains: 'landed' } } }
    expect((await runCheck(http, config, run)).status).toBe('success')
    expect(target.requests.map((request) => request.split(' ')[1])).toEqual(['/a', '/b?x=1'])
    expect(run.connections).toHaveLength(2)
  })

  test('end after the number that is allowed', async () => {
    await using target = await HttpTarget.start()
    target.behave(answersBy(() => ({ status: 301, headers: { Location: '/again' } })))
    expect((await runCheck(http, { url: target.url(), ...follow })).reason).toBe(
      'more than 5 redirects in a row',
    )
    expect(target.requests).toHaveLength(6)
    const once = await runCheck(http, { url: target.url(), redirects: { follow: true, max: 1 } })
    expect(once.reason).toBe('more than 1 redirect in a row')
  })

  test('without a location are answers like any other', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends(['HTTP/1.1 302 Found\r\n\r\n']))
    expect((await runCheck(http, { url: target.url(), ...follow })).reason).toBe(
      'status 302, expected 200-299',
    )
    expect((await runCheck(http, { url: target.url(), ...follow, expect: { status: [302] } })).status).toBe(
      'success',
    )
  })

  const methods: readonly [number, HttpConfig['method'], string][] = [
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
    [301, 'DELETE', 'DELETE'],
  ]
  for (const [status, method, then] of methods) {
    test(`${status} makes ${then} of ${method}`, async () => {
      await using target = await HttpTarget.start()
      target.behave(redirecting('/b', status))
      const body = method === 'HEAD' ? {} : { body: 'payload' }
      await runCheck(http, { url: target.url('/a'), method: method!, ...body, ...follow })
      const second = target.requests[1]!
      expect(second.split(' ')[0]).toBe(then)
      expect(second.includes('payload')).toBe(then !== 'GET' && then !== 'HEAD')
    })
  }

  test('to another origin carry nothing that the configuration gave', async () => {
    await using elsewhere = await HttpTarget.start()
    await using target = await HttpTarget.start()
    target.behave(redirecting(`http://attacker:pw@elsewhere.test:${elsewhere.port}/b`))
    const headers = { Cookie: 'session=secret', 'X-Api-Key': 'secret', Host: 'shop.test' }
    const outcome = await runCheck(http, {
      url: target.url('/a').replace('127.0.0.1', 'user:secret@127.0.0.1'),
      headers,
      auth: { bearer: 'secret' },
      ...follow,
    })
    expect(outcome.status).toBe('success')
    expect(target.requests[0]).toContain('secret')
    expect(elsewhere.requests[0]).toBe(
      `GET /b HTTP/1.1\r\nHost: elsewhere.test:${elsewhere.port}\r\nUser-Agent: pulseward\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    )
  })

  test('within the origin keep headers and authentication', async () => {
    await using target = await HttpTarget.start()
    target.behave(redirecting('/b'))
    await runCheck(http, {
      url: target.url('/a'),
      headers: { 'X-Key': 'k' },
      auth: { bearer: 't' },
      ...follow,
    })
    expect(target.requests[1]).toContain('\r\nX-Key: k\r\nAuthorization: Bearer t\r\n')
  })

  test('to another origin present neither the client certificate nor the server name', async () => {
    const { authority: ca, client, good } = certificates
    await using elsewhere = await HttpTarget.start({ tls: { identity: good, clientAuthority: ca } })
    await using target = await HttpTarget.start({ tls: { identity: good } })
    target.behave(redirecting(elsewhere.url('/b', 'localhost')))
    const tls = { ca, certificate: client.certificate, key: client.key, server_name: 'shop.test' }
    const outcome = await runCheck(http, { url: target.url('/a'), tls, ...follow })
    expect(outcome.reason).toBe('the server asks for a client certificate')
    expect(outcome.certificateExpiresAt).toBe(CERTIFICATES_END_AT)
  })

  test('lead from http to https', async () => {
    await using secure = await HttpTarget.start({ tls: { identity: certificates.good } })
    await using target = await HttpTarget.start()
    target.behave(redirecting(secure.url('/b')))
    const outcome = await runCheck(http, {
      url: target.url('/a'),
      tls: { ca: certificates.authority },
      ...follow,
    })
    expect(outcome).toMatchObject({ status: 'success', certificateExpiresAt: CERTIFICATES_END_AT })
  })

  test('never lead from https to http', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.good } })
    target.behave(redirecting('http://shop.test/b?token=secret'))
    const outcome = await runCheck(http, {
      url: target.url('/a'),
      tls: { ca: certificates.authority },
      ...follow,
    })
    expect(outcome.reason).toBe('the redirect leaves https for http://shop.test/b')
  })

  test('go through the address policy again', async () => {
    await using target = await HttpTarget.start()
    target.behave(redirecting('http://169.254.169.254/latest/meta-data'))
    const run = new LoopbackRun()
    run.refused.add('169.254.169.254')
    const outcome = await runCheck(http, { url: target.url('/a'), ...follow }, run)
    expect(outcome.reason).toBe('169.254.169.254 may not be reached')
  })

  const refusals: Record<string, string> = {
    'file:///etc/passwd': 'the redirect leads to "file:", which is neither http nor https',
    'http://[bad': 'the redirect leads to an address that cannot be read: "http://[bad"',
  }
  for (const [location, reason] of Object.entries(refusals)) {
    test(`do not lead to ${location}`, async () => {
      await using target = await HttpTarget.start()
      target.behave(redirecting(location))
      expect((await runCheck(http, { url: target.url('/a'), ...follow })).reason).toBe(reason)
    })
  }

  test('do not hand a request body to another origin', async () => {
    await using target = await HttpTarget.start()
    target.behave(redirecting('http://elsewhere.test/b', 307))
    const outcome = await runCheck(http, { url: target.url('/a'), body: 'secret', ...follow })
    expect(outcome.reason).toBe('the redirect would hand the request body to http://elsewhere.test/b')
  })

  test('share one deadline, which also stops the last of them', async () => {
    await using target = await HttpTarget.start()
    target.behave({
      when: 'request',
      act: (socket, request) => {
        if (request.startsWith('GET /a ')) redirecting('/b').act(socket, request)
      },
    })
    const outcome = await runCheck(http, { url: target.url('/a'), ...follow }, new LoopbackRun(80))
    expect(outcome).toMatchObject({
      status: 'timeout',
      reason: 'no response within 80 ms; connected, request sent',
    })
    expect(outcome.latencyMs).toBeLessThan(promptlyMs)
  })
})
