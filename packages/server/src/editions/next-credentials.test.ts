// Credentials of the edition next over a real data directory and real HTTP: values at fields that are not secret, a key
// file that goes and comes back, and problems that only an operator can mend.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type MonitorDetail, v2 } from '@pulseward/contract'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { callOperation, type V2Call } from '@pulseward/testing/editions'
import { HttpTarget } from '@pulseward/testing/targets'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, startApp } from '../app.ts'
import { resolveSettings } from '../config/settings/resolve-settings.ts'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../telemetry/log.ts'

let folder: TemporaryFolder
let target: HttpTarget
let app: App | null = null
beforeEach(async () => {
  folder = temporaryFolder()
  target = await HttpTarget.start()
})
afterEach(async () => {
  await stop()
  await target[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function start(more: NodeJS.ProcessEnv = {}): Promise<void> {
  const environment = {
    PULSEWARD_EDITION: 'next',
    PULSEWARD_DATA: folder.path('data'),
    PULSEWARD_LISTEN: '127.0.0.1:0',
    ...more,
  }
  const { values: settings } = resolveSettings({ flags: new Map(), environment, file: null })
  app = await startApp({ settings, token: null, environment, clock: systemClock, log: silentLog })
}

async function stop(): Promise<void> {
  await app?.[Symbol.asyncDispose]()
  app = null
}

function call(name: v2.OperationName, asked?: V2Call): Promise<Response> {
  const token = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
  return callOperation(app?.url ?? '', { reader: token, operator: token, worker: token }, name, asked)
}

function create(
  kind: 'Monitor' | 'Credential' | 'NotificationEndpoint' | 'Person' | 'Policy',
  id: string,
  spec: object,
) {
  const body = { apiVersion: v2.apiVersion, kind, metadata: { id }, spec }
  return call(`Create${kind}`, { body, headers: { 'if-none-match': '*' } })
}

async function made(write: Promise<Response>): Promise<void> {
  const response = await write
  expect([response.status, await response.clone().text()]).toEqual([201, expect.anything()])
}

const credentialOf = async (id: string) =>
  expectV2Answer('GetCredential', await call('GetCredential', { id }))
const healthOf = async (id: string) =>
  (await expectV2Answer('GetMonitor', await call('GetMonitor', { id }))).status?.health
const stateError = async () =>
  (await expectV2Answer('GetState', await call('GetState'))).storage.error ?? null

async function v1Monitor(id: string): Promise<MonitorDetail> {
  const token = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string) => (await fetch(`${app?.url}/api/v1/${path}`, { headers })).json()
  const { monitors } = (await ask('monitors')) as { monitors: readonly MonitorDetail[] }
  const row = monitors.find(({ monitor_id }) => monitor_id === id)
  return (await ask(`monitors/${row?.id}`)) as MonitorDetail
}

async function problemCount(kind: string): Promise<number> {
  const token = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
  const text = await (
    await fetch(`${app?.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  ).text()
  return Number(new RegExp(`^pulseward_problems\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

const often = { interval: '1s', timeout: '1s', unhealthyThreshold: 1, healthyThreshold: 1 }

/** A monitor whose URL and whose token come from credentials. */
async function createShop(): Promise<void> {
  await made(create('Credential', 'place', { value: target.url('/secret-place') }))
  await made(create('Credential', 'token', { value: 'hunter2hunter2' }))
  const credentialRefs = { url: 'place', 'auth.bearer': 'token' }
  const driver = { type: 'http', config: {}, credentialRefs }
  await made(create('Monitor', 'shop', { check: { driver, ...often } }))
}

describe('a credential at a field that is not secret', () => {
  it('is used by the check, and v1 shows a placeholder in its place', async () => {
    await start()
    await createShop()
    await eventually(async () => expect(await healthOf('shop')).toBe('healthy'))
    expect(target.requests[0]).toContain('/secret-place')
    expect(target.requests[0]).toContain('Bearer hunter2hunter2')
    const shown = await v1Monitor('shop')
    expect(shown.target).toBe('[REDACTED]')
    expect(JSON.stringify(shown)).not.toContain('secret-place')
    expect((await credentialOf('place')).status).toMatchObject({
      available: true,
      references: ['monitor/shop'],
    })
  })

  it('is not changed to what its users cannot take, nor deleted under them', async () => {
    await start()
    await createShop()
    const { metadata } = await credentialOf('place')
    const headers = { 'if-match': `"${metadata.resourceVersion}"` }
    const changed = await call('PatchCredential', {
      id: 'place',
      headers,
      body: { spec: { value: 'not-an-address' } },
    })
    const problem = await expectV2Problem('PatchCredential', changed, 'invalidResource')
    expect(problem.errors).toEqual([
      {
        field: '/spec/value',
        reason: 'rule',
        message:
          'does not fit monitor/shop at /spec/check/driver/credentialRefs/url; expected: an http or https URL, such as https://shop.example/health',
      },
    ])
    const deleted = await call('DeleteCredential', { id: 'place', headers })
    const { detail } = await expectV2Problem('DeleteCredential', deleted, 'resourceReferenced')
    expect(detail).toContain('monitor/shop')
  })
})

describe('without its key file the service', () => {
  const key = () => folder.path('data.key')
  const away = () => folder.path('away.key')

  it('says so, runs nothing that needs a value, and goes on by itself when the file is back', async () => {
    await start()
    await createShop()
    await made(create('Monitor', 'open', { check: { driver: httpTo('/open'), ...often } }))
    await eventually(async () => expect(await healthOf('shop')).toBe('healthy'))
    const before = await credentialOf('token')
    await stop()
    renameSync(key(), away())
    target.requests.length = 0
    await start()
    expect(await stateError()).toBe('the key file of credentials is missing')
    expect(await problemCount('credentials_key')).toBe(1)
    expect((await credentialOf('token')).status).toMatchObject({ available: false })
    await eventually(async () => expect(await healthOf('open')).toBe('healthy'))
    await eventually(async () =>
      expect((await v1Monitor('shop')).last_error).toContain(
        'the value of the credential "token" cannot be decrypted; put its key back into the key file',
      ),
    )
    expect(target.requests.join('\n')).not.toContain('/secret-place')
    const refused = await create('Credential', 'another', { value: 'x' })
    const { detail } = await expectV2Problem('CreateCredential', refused, 'unavailable')
    expect(detail).toBe('The value cannot be stored: the key file of credentials is missing.')
    expect(detail).not.toContain(folder.root)
    renameSync(away(), key())
    await eventually(async () => expect(target.requests.join('\n')).toContain('Bearer hunter2hunter2'))
    expect(await stateError()).toBe(null)
    expect(await problemCount('credentials_key')).toBe(0)
    const after = await credentialOf('token')
    expect(after).toEqual(before)
    await made(create('Credential', 'another', { value: 'x' }))
  })

  it('shows a notification that lacks its value as failed', { tags: 'long' }, async () => {
    await start()
    await made(create('Credential', 'hook', { value: 'https://hooks.test/hunter2' }))
    await made(
      create('NotificationEndpoint', 'ops', { type: 'webhook', config: {}, credentialRefs: { url: 'hook' } }),
    )
    await stop()
    renameSync(key(), away())
    await start()
    const driver = { type: 'tcp', config: { host: '127.0.0.1', port: 1 } }
    const notifications = { red: { endpointRefs: ['ops'] } }
    await made(create('Monitor', 'down', { check: { driver, ...often }, notifications }))
    await eventually(async () => {
      const { items } = await expectV2Answer('ListActions', await call('ListActions'))
      expect(items).toContainEqual(
        expect.objectContaining({
          state: 'failed',
          reason: expect.stringContaining('the value of the credential "hook" cannot be decrypted'),
        }),
      )
    })
  })

  it('takes no other key file for it', { tags: 'long' }, async () => {
    await start()
    await createShop()
    await stop()
    const right = readFileSync(key(), 'utf8')
    renameSync(folder.path('data'), folder.path('kept'))
    renameSync(key(), away())
    await start()
    await made(create('Credential', 'of-another-store', { value: 'x' }))
    await stop()
    renameSync(folder.path('data'), folder.path('other'))
    renameSync(folder.path('kept'), folder.path('data'))
    const wrong = readFileSync(key(), 'utf8')
    await start()
    expect(await stateError()).toBe(
      'the key file of credentials is not the one that stored values are sealed with',
    )
    expect(readFileSync(key(), 'utf8')).toBe(wrong)
    expect((await credentialOf('token')).status?.available).toBe(false)
    writeFileSync(key(), right)
    await eventually(async () => expect((await credentialOf('token')).status?.available).toBe(true))
  })
})

describe('a problem that only an operator can mend', () => {
  it('is shown while the principals file is broken', async () => {
    await start()
    const file = folder.path('data/principals.json')
    const right = readFileSync(file, 'utf8')
    writeFileSync(file, '{ broken')
    const words = 'the principals file cannot be used, and the principals that were read before stay in force'
    await eventually(async () => expect(await stateError()).toBe(words))
    expect(await problemCount('principals_file')).toBe(1)
    writeFileSync(file, right)
    await eventually(async () => expect(await stateError()).toBe(null))
    expect(await problemCount('principals_file')).toBe(0)
  })

  it('is shown while fleet files have what v2 manages', async () => {
    await start()
    await made(create('Monitor', 'shop', { check: { driver: httpTo('/'), ...often } }))
    await stop()
    const fleet = folder.path('fleet.yaml')
    const monitor = (id: string) =>
      `  - { id: ${id}, name: ${id}, check: { type: tcp, config: { host: a.test, port: 1 } } }\n`
    writeFileSync(fleet, `monitors:\n${monitor('shop')}${monitor('other')}`)
    await start({ PULSEWARD_CONFIG: fleet })
    expect(await stateError()).toBe('fleet files have what v2 manages, so it was left out: monitor shop')
    expect(await problemCount('file_clash')).toBe(1)
    writeFileSync(fleet, `monitors:\n${monitor('other')}`)
    expect(await app?.reload()).toMatchObject({ applied: true })
    expect(await stateError()).toBe(null)
    writeFileSync(fleet, `monitors:\n${monitor('other')}${monitor('shop')}`)
    expect(await app?.reload()).toMatchObject({ applied: false })
    expect(await stateError()).toBe(
      'fleet files have what v2 manages, so they were not read again: monitor shop',
    )
  })

  it('is shown while resources of v2 refer to what a file dropped', { tags: 'long' }, async () => {
    const fleet = folder.path('fleet.yaml')
    const edge = '  - { id: edge, name: edge, check: { type: tcp, config: { host: a.test, port: 1 } } }\n'
    const rota =
      'people: { bo: { endpoints: [ops] } }\nschedules: { rota: { layers: [{ people: [bo], start: "2026-03-02T09:00" }] } }'
    const ops = 'endpoints: { ops: { type: log } }'
    const whole = `${ops}\n${rota}\nmonitors:\n${edge}`
    writeFileSync(fleet, whole)
    await start({ PULSEWARD_CONFIG: fleet })
    const spec = {
      check: { driver: httpTo('/'), ...often },
      notifications: { red: { endpointRefs: ['ops'] } },
      dependsOn: ['edge'],
    }
    await made(create('Monitor', 'shop', spec))
    await made(create('Person', 'cy', { endpointRefs: ['ops'] }))
    await made(create('Policy', 'page', { steps: [{ notify: [{ scheduleRef: 'rota' }] }] }))
    writeFileSync(fleet, `monitors:\n${edge.replaceAll('edge', 'another')}`)
    expect(await app?.reload()).toMatchObject({ applied: true })
    expect(await stateError()).toBe(
      'resources of v2 refer to what no fleet file has any more, which is skipped: endpoint ops (person/cy), schedule rota (policy/page), monitor edge (monitor/shop)',
    )
    expect(await problemCount('lost_reference')).toBe(3)
    // One of them is mended by a write, the rest by the file.
    await made(create('NotificationEndpoint', 'ops', { type: 'log', config: {} }))
    await eventually(async () => expect(await problemCount('lost_reference')).toBe(2))
    await stop()
    await start({ PULSEWARD_CONFIG: fleet })
    expect(await problemCount('lost_reference')).toBe(2)
    writeFileSync(fleet, whole.replaceAll('ops', 'desk'))
    expect(await app?.reload()).toMatchObject({ applied: true })
    expect(await stateError()).toBe(null)
  })
})

function httpTo(path: string) {
  return { type: 'http', config: { url: target.url(path) } }
}
