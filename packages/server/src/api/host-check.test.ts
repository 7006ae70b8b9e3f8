// A page whose name was made to point at this machine must not read the fleet; what people really write in their
// address bars must go on working. Real bytes over real sockets, since clients' libraries correct what they are given.

import { exchange, listeningApi } from '@pulseward/testing/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { json, route } from './route.ts'
import { healthz } from './routes/healthz.ts'
import { readyz } from './routes/readyz.ts'
import type { ApiOptions } from './server.ts'

const notReady = readyz(() => ({
  reasons: ['no_snapshot'],
  details: { snapshot_at: null, snapshot_age_seconds: null },
}))
const list = route('ListIncidents', () => json({}))
const metrics = route('GetMetrics', () => ({ status: 200, bytes: 'x 1\n', headers: {} }))
const events = route('StreamEvents', () => ({
  stream: (_request, response) => void response.writeHead(200).end('data: 1\n\n'),
}))

async function listening(options: Partial<ApiOptions> = {}) {
  const routes = [healthz, notReady, list, metrics, events]
  const api = await listeningApi({ routes, ...options })
  onTestFinished(() => api[Symbol.asyncDispose]())
  /** Host lines, or what stands in their place. */
  const send = (lines: readonly string[], target = '/api/v1/healthz', method = 'GET', version = '1.1') =>
    exchange(
      api.address.port,
      `${[`${method} ${target} HTTP/${version}`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`,
    )
  const ask = async (...given: Parameters<typeof send>) => {
    const answer = await send(...given)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
    const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? null
    return { status, code, answer }
  }
  return { ask, askAs: (host: string) => ask([`Host: ${host}`]), port: api.address.port }
}

const rebound = 'Host: rebound.example'

describe('a request to a service without a token', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:8060',
    '127.0.0.1:1',
    '192.0.2.7:80',
    '[::1]',
    '[::1]:8060',
    '[2001:DB8::1]:1',
    'localhost',
    'localhost:8060',
    'LOCALHOST',
    'LocalHost:8060',
    'localhost.',
    'localhost.:80',
    '127.0.0.1.',
  ])('is answered under the host %s', async (host) => {
    const { askAs } = await listening()
    expect((await askAs(host)).status).toBe(200)
  })

  it.each([
    'rebound.example',
    'rebound.example:8060',
    'localhost.rebound.example',
    'notlocalhost',
    'a.localhost',
    '127.0.0.1.rebound.example',
    '2130706433',
    '0x7f.1',
    '127.1',
    'localhost..',
    '',
    ':8060',
  ])('is misdirected under the host "%s"', async (host) => {
    const { askAs } = await listening()
    expect(await askAs(host)).toMatchObject({ status: 421, code: 'misdirected_request' })
  })

  it.each([
    '::1',
    '[::1',
    '[127.0.0.1]',
    '[localhost]',
    'user@localhost',
    'localhost/',
    'localhost rebound.example',
    'localhost, rebound.example',
    'localhost:port',
    'rebound.example\\@localhost',
    `${'a'.repeat(300)}.example`,
  ])('is refused as malformed under the host "%s"', async (host) => {
    const { askAs } = await listening()
    expect(await askAs(host)).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  it('answers to the hosts of listen and public_url, and to allowed hosts, in any case and form', async () => {
    const { askAs } = await listening({
      publicUrl: 'https://Status.Example:8443/fleet',
      allowedHosts: ['Fleet.Internal', 'bücher.example', 'rooted.example.'],
    })
    for (const host of ['status.example', 'STATUS.example:1', 'fleet.internal.', 'FLEET.internal:80'])
      expect((await askAs(host)).status, host).toBe(200)
    for (const host of ['xn--bcher-kva.example', 'rooted.example'])
      expect((await askAs(host)).status, host).toBe(200)
    for (const host of ['example', 'x.status.example', 'internal'])
      expect((await askAs(host)).status, host).toBe(421)
    const named = await listening({ listen: { host: 'localhost', port: 0 } })
    expect((await named.askAs('LOCALHOST:1')).status).toBe(200)
  })

  it('is told which names are accepted and which setting adds one', async () => {
    const { askAs } = await listening({
      publicUrl: 'https://status.example/',
      allowedHosts: ['fleet.internal'],
    })
    const { answer } = await askAs('rebound.example:1')
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).detail).toBe(
      'The request is for the host "rebound.example". Without a token this service answers only to IP addresses and to localhost, 127.0.0.1, status.example, fleet.internal; use one of these, or add the name to the setting allowed_hosts (PULSEWARD_ALLOWED_HOSTS).',
    )
  })

  it.each([
    '/',
    '/monitors',
    '/index.html',
    '/assets/none.js',
    '/metrics',
    '/api/v1/healthz',
    '/api/v1/readyz',
    '/api/v1/events',
    '/api/v1/none',
    '/api/v2/monitors',
    '/api/v1/%',
    '/api/v1/incidents?page=0',
  ])('is misdirected before all else at %s', async (target) => {
    const { ask } = await listening({ origins: ['https://other.example'] })
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
      expect((await ask([rebound, 'Origin: https://other.example'], target, method)).status, method).toBe(421)
  })

  it('must name one host, unless HTTP/1.0 spares it that; then it is misdirected', async () => {
    const { ask } = await listening()
    expect(await ask([])).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(await ask([], '/api/v1/healthz', 'GET', '1.0')).toMatchObject({ status: 421 })
    expect((await ask(['Host: localhost'], '/api/v1/healthz', 'GET', '1.0')).status).toBe(200)
    for (const lines of [
      ['Host: localhost', rebound],
      [rebound, 'host: localhost'],
      ['Host: localhost', 'HOST: localhost'],
    ])
      expect(await ask(lines)).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  it('is judged by every host that it names when its target is a whole URL', async () => {
    const { ask } = await listening()
    const statusOf = async (host: string, authority: string) =>
      (await ask([`Host: ${host}`], `http://${authority}/api/v1/healthz`)).status
    expect(await statusOf('localhost', 'LOCALHOST:8060')).toBe(200)
    expect(await statusOf('localhost', '[::1]:8060')).toBe(200)
    expect(await statusOf('localhost', 'rebound.example')).toBe(421)
    expect(await statusOf('rebound.example', 'localhost')).toBe(421)
    expect(await statusOf('localhost', 'rebound.example@localhost')).toBe(400)
    expect((await ask(['Host: localhost'], 'HTTPS://rebound.example?x')).status).toBe(421)
  })
})

describe('a request to a service with a token', () => {
  it('needs the token, whatever host it names', async () => {
    const { ask } = await listening({ token: 'key' })
    expect((await ask([rebound])).status).toBe(401)
    expect((await ask([rebound, 'Authorization: Bearer key'])).status).toBe(200)
    expect((await ask(['Authorization: Bearer key'], '/api/v1/healthz', 'GET', '1.0')).status).toBe(200)
  })
})

describe('allowed_hosts', () => {
  it.each(['https://status.example', 'status.example:8060', '*.example', 'a b', 'a/b', ''])(
    'refuses "%s", which is not a host name',
    async (host) => {
      await expect(listeningApi({ allowedHosts: [host] })).rejects.toThrow(
        `allowed_hosts: "${host}" is not a host name; write the name alone`,
      )
    },
  )

  it('accepts addresses, which are answered to anyway', async () => {
    const { askAs } = await listening({ allowedHosts: ['192.0.2.1', '2001:db8::1'] })
    expect((await askAs('192.0.2.1')).status).toBe(200)
  })
})
