// The service as it is wired, from settings to sockets, in both editions: a real fleet file, a real data folder.
import { type Operation, type V1OperationName, v1Operations } from '@pulseward/contract'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { exchange, expectV1Answer, expectV1Problem } from '@pulseward/testing/api'
import { certificates } from '@pulseward/testing/targets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from './app.ts'
import { parseListenAddress } from './config/settings/listen-address.ts'
import { resolveSettings } from './config/settings/resolve-settings.ts'
import type { Settings } from './config/settings/setting-table.ts'
import { systemClock } from './platform/clock.ts'
import { UsageError } from './platform/usage-error.ts'
import { silentLog } from './telemetry/log.ts'

const token = 'a-token-that-nobody-else-has'
const fleetFile = `version: 1
monitors:
  - { id: gone, name: Gone, check: { type: tcp, interval: 1s, config: { host: 127.0.0.1, port: 1 } } }
  - { id: off, name: Off, enabled: false, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`

async function started(settings: Partial<Settings>, withToken: string | null = null) {
  const folder = temporaryFolder({ 'fleet.yaml': fleetFile })
  onTestFinished(() => folder[Symbol.dispose]())
  const { values } = resolveSettings({ flags: new Map(), environment: {}, file: null })
  const app = await startApp({
    settings: {
      ...values,
      listen: parseListenAddress('127.0.0.1:0'),
      config: [folder.path('fleet.yaml')],
      data: folder.path('data'),
      snapshot_interval: 50,
      ...settings,
    },
    token: withToken,
    environment: {},
    clock: systemClock,
    log: silentLog,
  })
  onTestFinished(() => app[Symbol.asyncDispose]())
  return app
}

const names = Object.keys(v1Operations) as V1OperationName[]
const pathOf = (name: V1OperationName) => v1Operations[name].path.replace('{id}', '1')

describe.each(['main', 'candidate'] as const)('the service in edition %s', (edition) => {
  const isServed = (name: V1OperationName) => (v1Operations[name] as Operation).editions.includes(edition)

  it('answers on every route of its document and 404 on all others', async () => {
    const { url } = await started({ edition })
    await eventually(async () => expect((await fetch(`${url}/api/v1/readyz`)).status).toBe(200))
    const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: object }
    expect(Object.keys(document.paths).sort()).toEqual(
      names
        .filter(isServed)
        .map((name) => v1Operations[name].path)
        .sort(),
    )
    const cancelled = new AbortController()
    for (const name of names) {
      const answer = await fetch(`${url}${pathOf(name)}`, { signal: cancelled.signal })
      if (isServed(name)) await expectV1Answer(name, edition, answer)
      else expect((await expectV1Problem(name, edition, answer)).status).toBe(404)
    }
    cancelled.abort()
  })

  it('lets nobody in without the token, on any path, and shows it to nobody', async () => {
    const { url } = await started({ edition }, token)
    for (const path of [
      ...names.map(pathOf),
      '/',
      '/assets/app.js',
      '/api/v1/none',
      '/api/v2/monitors',
      '/none',
    ]) {
      for (const authorization of [undefined, 'Bearer wrong', `Basic ${btoa(`admin:${token}`)}`].slice(
        0,
        path === '/' ? 3 : 1,
      )) {
        const answer = await fetch(
          `${url}${path}`,
          authorization === undefined ? {} : { headers: { authorization } },
        )
        expect(answer.status).toBe(401)
        const isForMachines = path.startsWith('/api/') || path === '/metrics'
        expect(answer.headers.get('www-authenticate')).toMatch(isForMachines ? /^Bearer / : /^Basic /)
        expect(await answer.text()).not.toContain(token)
      }
    }
    const headers = { authorization: `Bearer ${token}` }
    await eventually(async () => expect((await fetch(`${url}/api/v1/readyz`, { headers })).status).toBe(200))
    for (const name of names.filter(isServed)) {
      if (name === 'StreamEvents') continue
      const answer = await fetch(`${url}${pathOf(name)}`, { headers })
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toContain(token)
    }
  })
})

describe('the service', () => {
  it('answers without a token only to its own names, those of its settings among them', async () => {
    const { url } = await started({
      public_url: 'https://status.example/',
      allowed_hosts: ['fleet.internal'],
    })
    const statusFor = async (host: string) => {
      const request = `GET /api/v1/healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      return (await exchange(Number(new URL(url).port), request)).slice(9, 12)
    }
    for (const host of ['status.example', 'fleet.internal:8060', 'localhost'])
      expect(await statusFor(host)).toBe('200')
    expect(await statusFor('rebound.example')).toBe('421')
  })

  it('speaks HTTPS when it has a certificate', async () => {
    using folder = temporaryFolder({ 'a.pem': certificates.good.certificate, 'a.key': certificates.good.key })
    const files = { 'tls.certificate_file': folder.path('a.pem'), 'tls.key_file': folder.path('a.key') }
    expect((await started(files)).url).toMatch(/^https:/)
  })

  const refusals: Record<string, [settings: Partial<Settings>, sentence: RegExp]> = {
    'a key without a certificate': [
      { 'tls.key_file': '/none' },
      /^tls\.key_file needs tls\.certificate_file/,
    ],
    'a certificate that is not there': [
      { 'tls.certificate_file': '/none', 'tls.key_file': '/none' },
      /^tls\.certificate_file: the file \/none does not exist\.$/,
    ],
    'a proxy that is not an address': [
      { proxies: ['proxy.example'] },
      /^proxies: "proxy\.example" is not the address/,
    ],
    'a host that is none': [
      { allowed_hosts: ['https://status.example'] },
      /^allowed_hosts: "https:\/\/status\.example" is not a host name/,
    ],
    'an origin that is none': [{ cors: ['*'] }, /^cors: "\*" is not an origin/],
    'an address beyond this machine without a token': [
      { listen: parseListenAddress('0.0.0.0:0') },
      /needs a token: pass --token-file\.$/,
    ],
  }
  for (const [title, [settings, sentence]] of Object.entries(refusals)) {
    it(`does not start with ${title}, and says so in one sentence`, async () => {
      const start = started(settings)
      await expect(start).rejects.toThrow(UsageError)
      await expect(start).rejects.toThrow(sentence)
    })
  }

  it('answers 503 for history that cannot be read, never an empty list', async () => {
    using folder = temporaryFolder()
    const { url } = await started({ edition: 'candidate', data: folder.path('data') })
    await eventually(async () => expect((await fetch(`${url}/api/v1/history`)).status).toBe(200))
    folder[Symbol.dispose]()
    await eventually(async () => {
      const answer = await fetch(`${url}/api/v1/history`)
      expect((await expectV1Problem('GetHistory', 'candidate', answer)).code).toBe('history_unavailable')
    })
  })
})
