// No value of a credential lies anywhere in the clear: a real service is used over HTTP with values that are easy to find,
// checks and notifications that send them fail and have them sent back, and then everything that it has written or
// said is searched, in the forms that values take on their way.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, type RunningService } from '@pulseward/testing/process'
import { answersBy, HttpTarget } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

const secret = (name: string) => `${name}-"é\\<${randomBytes(9).toString('hex')}`

function formsOf(value: string): string[] {
  // What stands before a value in base64 decides how it is cut into groups of three bytes.
  const cores = [0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + value)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  )
  const json = JSON.stringify(value).slice(1, -1)
  return [value, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(value), ...cores]
}

function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesIn(path)
    else yield path
  }
}

it('keeps no value of a credential in the clear, in no file, log line, event, problem or process list', async () => {
  using folder = temporaryFolder()
  await using target = await HttpTarget.start()
  const values = { token: secret('token'), again: secret('again'), place: '', pass: secret('pass') }
  values.place = target.url(`/${randomBytes(12).toString('hex')}`)
  const data = folder.path('data')
  const environment = { PULSEWARD_NETWORK_ALLOW_LOOPBACK_NOTIFY: 'true' }
  const words = ['--edition', 'next', '--data', data, '--log-level', 'trace']
  let service: RunningService = await RunningCommand.serve(words, { environment })
  // What was sent to it comes back, as servers that explain too much do.
  target.behave(answersBy((request) => ({ status: 500, body: `refused: ${request}` })))
  const said: string[] = []
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const response = await fetch(`${service.url}/api/v2/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    said.push(text, JSON.stringify([...response.headers]))
    return { status: response.status, text, etag: response.headers.get('etag') ?? '' }
  }
  const create = async (kind: string, path: string, id: string, spec: object) => {
    const body = { apiVersion: 'pulseward/v2', kind, metadata: { id }, spec }
    const { status, text, etag } = await call('POST', path, body, { 'if-none-match': '*' })
    expect([status, text]).toEqual([201, expect.anything()])
    return etag
  }
  try {
    let etag = ''
    for (const [id, value] of Object.entries(values))
      etag = await create('Credential', 'credentials', id, { value })
    const often = { interval: '1s', timeout: '1s', unhealthyThreshold: 1, healthyThreshold: 1 }
    const basic = { 'auth.basic.username': 'token', 'auth.basic.password': 'pass' }
    const drivers = {
      shop: { type: 'http', config: {}, credentialRefs: { url: 'place', ...basic } },
      api: { type: 'http', config: { url: target.url('/api') }, credentialRefs: { body: 'again' } },
    }
    await create('NotificationEndpoint', 'notification-endpoints', 'ops', {
      type: 'webhook',
      config: {},
      credentialRefs: { url: 'place' },
    })
    for (const [id, driver] of Object.entries(drivers))
      await create('Monitor', 'monitors', id, {
        check: { driver, ...often },
        notifications: { red: { endpointRefs: ['ops'] } },
      })
    // Refused values must not be repeated either.
    const wrong = { spec: { value: values.again } }
    const place = await call('GET', 'credentials/place')
    expect((await call('PATCH', 'credentials/place', wrong, { 'if-match': place.etag })).status).toBe(422)
    expect((await call('PATCH', 'credentials/pass', wrong, { 'if-match': etag })).status).toBe(200)
    await call('POST', 'credentials', {
      apiVersion: 'pulseward/v2',
      kind: 'Credential',
      spec: wrong.spec,
      metadata: {},
    })
    await eventually(async () => {
      const { text } = await call('GET', 'actions')
      expect(JSON.parse(text).items.length).toBeGreaterThan(0)
      expect(target.requests.length).toBeGreaterThan(4)
    })
    for (const path of [
      'credentials',
      'monitors',
      'notification-endpoints',
      'history',
      'state',
      'incidents',
      'metrics',
    ])
      await call('GET', path)
    said.push(await (await fetch(`${service.url}/api/v1/monitors`)).text())
    if (process.platform === 'linux')
      for (const name of ['cmdline', 'environ'])
        said.push(readFileSync(`/proc/${service.pid}/${name}`, 'latin1'))
    const backup = await runInProcess(['backup', '--data', data, folder.path('monday.db')])
    expect(backup.code).toBe(0)
    const rotated = await runInProcess(['credentials', 'rotate-key', '--data', data])
    expect(rotated.code).toBe(0)
    said.push(rotated.stdout, rotated.stderr)
    // Killed, so that the write-ahead log stays as it is.
    service.signal('SIGKILL')
    const killed = await service.ended
    const wal = statSync(join(data, 'pulseward.db-wal')).size
    expect(wal).toBeGreaterThan(0)
    const files = [...filesIn(folder.root)].map((path) => readFileSync(path))
    service = await RunningCommand.serve(words, { environment })
    service.signal('SIGTERM')
    const stopped = await service.ended
    expect(killed.stderr).toContain('"shop"')
    const everything = [
      ...files,
      ...[...filesIn(folder.root)].map((path) => readFileSync(path)),
      ...[...said, killed.stdout, killed.stderr, stopped.stdout, stopped.stderr].map((text) =>
        Buffer.from(text),
      ),
    ]
    // The search finds what is there.
    expect(everything.some((bytes) => bytes.includes('credentialRefs'))).toBe(true)
    for (const [name, value] of Object.entries(values))
      for (const form of formsOf(value))
        expect([name, form, everything.findIndex((bytes) => bytes.includes(form))]).toEqual([name, form, -1])
  } finally {
    await service[Symbol.asyncDispose]()
  }
})
