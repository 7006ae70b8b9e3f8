import { connect } from 'node:net'
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import {
  answers,
  type Behaviour,
  CERTIFICATES_END_AT,
  certificates,
  closesEarly,
  HttpTarget,
  hangs,
  sends,
} from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import { http } from './http.ts'

/** Opens a tunnel to a port on loopback, whatever name is asked for. */
function tunnelsTo(port: number): Behaviour {
  return {
    when: 'request',
    act(socket) {
      const inner = connect(port, '127.0.0.1', () =>
        socket.write('HTTP/1.1 200 Connected\r\nVia: proxy\r\n\r\n'),
      )
      inner.on('data', (bytes) => socket.write(bytes))
      inner.on('end', () => socket.end())
      inner.on('error', () => socket.destroy())
      socket.on('data', (text: string) => inner.write(text, 'latin1'))
      socket.on('close', () => inner.destroy())
    },
  }
}

describe('a proxy', () => {
  test('is asked in absolute form for http, with the credentials of its URL', async () => {
    await using proxy = await HttpTarget.start()
    const run = new LoopbackRun()
    const outcome = await runCheck(
      http,
      {
        url: 'http://shop.test:8080/a?b',
        proxy: `http://me:pw@proxy.test:${proxy.port}`,
        auth: { bearer: 't' },
      },
      run,
    )
    expect(outcome.status).toBe('success')
    expect(run.connections).toEqual([{ host: 'proxy.test', port: proxy.port, family: 'any' }])
    expect(proxy.requests[0]).toBe(
      'GET http://shop.test:8080/a?b HTTP/1.1\r\nHost: shop.test:8080\r\nUser-Agent: pulseward\r\nAccept: */*\r\n' +
        `Authorization: Bearer t\r\nProxy-Authorization: Basic ${btoa('me:pw')}\r\nConnection: close\r\n\r\n`,
    )
  })

  test('is asked for a tunnel for https and never sees the request', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.good } })
    await using proxy = await HttpTarget.start()
    proxy.behave(tunnelsTo(target.port))
    const outcome = await runCheck(http, {
      url: 'https://shop.test/health',
      proxy: `http://me:pw@127.0.0.1:${proxy.port}`,
      auth: { bearer: 'secret' },
      tls: { ca: certificates.authority },
      expect: { body: { contains: 'ok' } },
    })
    expect(outcome).toMatchObject({ status: 'success', certificateExpiresAt: CERTIFICATES_END_AT })
    expect(proxy.requests[0]).toBe(
      `CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\nUser-Agent: pulseward\r\nProxy-Authorization: Basic ${btoa('me:pw')}\r\n\r\n`,
    )
    expect(target.requests[0]).not.toContain('Proxy-Authorization')
  })

  test('is asked for an IPv6 target in brackets', async () => {
    await using proxy = await HttpTarget.start()
    proxy.behave(answers({ status: 502 }))
    await runCheck(http, { url: 'https://[::1]:8443/', proxy: `http://127.0.0.1:${proxy.port}` })
    expect(proxy.requests[0]).toMatch(/^CONNECT \[::1\]:8443 HTTP\/1\.1\r\n/)
  })

  test('is asked for a tunnel for HTTP/2 without TLS too', async () => {
    await using proxy = await HttpTarget.start()
    proxy.behave(answers({ status: 403 }))
    await runCheck(http, { url: 'http://shop.test/', http_version: '2', proxy: proxy.url() })
    expect(proxy.requests[0]).toMatch(/^CONNECT shop\.test:80 HTTP\/1\.1\r\n/)
  })

  const refusals: readonly [string, Behaviour, string][] = [
    ['refuses the tunnel', answers({ status: 502 }), 'the proxy refused a tunnel to the target (status 502)'],
    [
      'wants other credentials',
      answers({ status: 407 }),
      'the proxy asks for other credentials (status 407)',
    ],
    ['closes', closesEarly(), 'the proxy: the connection was closed before a response'],
    [
      'speaks no HTTP',
      sends(['SSH-2.0-x\r\n']),
      'the proxy: the server answered with something that is not HTTP: "SSH-2.0-x"',
    ],
  ]
  for (const [title, behaviour, reason] of refusals) {
    test(`that ${title} is the reason`, async () => {
      await using proxy = await HttpTarget.start()
      proxy.behave(behaviour)
      const outcome = await runCheck(http, {
        url: 'https://shop.test/',
        proxy: `http://127.0.0.1:${proxy.port}`,
      })
      expect(outcome).toMatchObject({ status: 'failure', reason })
    })
  }

  test('that refuses the connection is the reason', async () => {
    const gone = await HttpTarget.start()
    await gone[Symbol.asyncDispose]()
    const outcome = await runCheck(http, { url: 'http://shop.test/', proxy: gone.url() })
    expect(outcome).toMatchObject({
      reason: 'the proxy: connection refused by 127.0.0.1',
      evidence: 'target',
    })
  })

  test('that never answers is waited for until the deadline', async () => {
    await using proxy = await HttpTarget.start()
    proxy.behave(hangs())
    const config = { url: 'https://shop.test/', proxy: `http://127.0.0.1:${proxy.port}` }
    expect(await runCheck(http, config, new LoopbackRun(60))).toMatchObject({
      status: 'timeout',
      reason: 'no answer of the proxy within 60 ms; connected to the proxy',
    })
  })

  test('does not carry a request past the policy', async () => {
    await using proxy = await HttpTarget.start()
    const run = new LoopbackRun()
    run.refused.add('169.254.169.254')
    const config = { url: 'http://169.254.169.254/', proxy: `http://127.0.0.1:${proxy.port}` }
    expect((await runCheck(http, config, run)).reason).toBe('169.254.169.254 may not be reached')
    expect(proxy.acceptedSockets).toBe(0)
  })

  for (const proxy of ['https://proxy.test', 'not a url']) {
    test(`given as ${proxy} is refused`, async () => {
      const outcome = await runCheck(http, { url: 'http://shop.test/', proxy })
      expect(outcome.reason).toBe('the configured proxy is not an http:// URL')
    })
  }
})
