// The edition next over a real store: what v2 tells of incidents, events and operations is the same for the next process.
import { existsSync, readFileSync } from 'node:fs'
import { v2 } from '@pulseward/contract'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { expectV2Answer } from '@pulseward/testing/api'
import { callOperation, type V2Call } from '@pulseward/testing/editions'
import { testStoreMode, testStoreSetting } from '@pulseward/testing/store'
import { answers, HttpTarget } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'
import { type App, startApp } from '../app.ts'
import { resolveSettings } from '../config/settings/resolve-settings.ts'
import { systemClock } from '../platform/clock.ts'
import { emptyBatch } from '../store/record-types.ts'
import type { StoredResource } from '../store/resource.ts'
import { silentLog } from '../telemetry/log.ts'
import { openDurable } from './open-durable.ts'

function start(data: string): Promise<App> {
  const { settings, environment } = surroundings(data)
  return startApp({ settings, token: null, environment, clock: systemClock, log: silentLog })
}

function surroundings(data: string): Pick<Parameters<typeof startApp>[0], 'settings' | 'environment'> {
  const environment = {
    PULSEWARD_EDITION: 'next',
    PULSEWARD_DATA: data,
    PULSEWARD_LISTEN: '127.0.0.1:0',
    ...testStoreSetting(data),
  }
  const { values: settings } = resolveSettings({ flags: new Map(), environment, file: null })
  return { settings, environment }
}

it('tells of the same incidents, events and operations after a restart', async () => {
  using folder = temporaryFolder()
  await using target = await HttpTarget.start()
  target.behave(answers({ status: 503 }))
  const data = folder.path('data')
  let app = await start(data)
  const token = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
  const tokens = { reader: token, operator: token, worker: token }
  const call = (name: v2.OperationName, asked?: V2Call) => callOperation(app.url, tokens, name, asked)
  const listed = async () => (await expectV2Answer('ListIncidents', await call('ListIncidents'))).items
  const told = async () => (await expectV2Answer('GetHistory', await call('GetHistory'))).items
  const find = async (id: string | undefined) => (await listed()).find((incident) => incident.id === id)
  const restart = async () => {
    await app[Symbol.asyncDispose]()
    app = await start(data)
  }
  try {
    const driver = { type: 'http', config: { url: target.url('/') } }
    const check = { driver, interval: '2s', timeout: '2s', unhealthyThreshold: 1, healthyThreshold: 1 }
    const body = { apiVersion: v2.apiVersion, kind: 'Monitor', metadata: { id: 'shop' }, spec: { check } }
    const created = await call('CreateMonitor', { body, headers: { 'if-none-match': '*' } })
    expect(created.status).toBe(201)
    const id = created.headers.get('x-operation-id') ?? ''
    const operation = await expectV2Answer('GetOperation', await call('GetOperation', { id }))

    const open = await eventually(async () => {
      const [incident] = await listed()
      expect(incident).toMatchObject({ monitorID: 'shop', state: 'open' })
      return incident
    })
    await restart()
    expect(await find(open?.id)).toMatchObject({ openedAt: open?.openedAt, state: 'open' })
    expect(await expectV2Answer('GetOperation', await call('GetOperation', { id }))).toEqual(operation)

    target.behave(answers({ status: 200 }))
    const closed = await eventually(async () => {
      const found = await find(open?.id)
      expect(found).toMatchObject({ state: 'closed', openedAt: open?.openedAt })
      return found
    })
    const events = await told()
    expect(events.slice(0, 3).map(({ kind }) => kind)).toEqual([
      'resource_created',
      'incident_opened',
      'incident_closed',
    ])
    await restart()
    expect(await find(open?.id)).toEqual(closed)
    expect((await told()).slice(0, events.length)).toEqual(events)
    const state = await expectV2Answer('GetState', await call('GetState'))
    expect(state.storage).toMatchObject({
      available: true,
      mode: testStoreMode('sqlite'),
      formatVersion: 11,
    })
    expect(state.storage.commitIndex).toBeGreaterThanOrEqual(Number(events.at(-1)?.id))
    expect(state.storage.bytes).toBeGreaterThan(0)
  } finally {
    await app[Symbol.asyncDispose]()
  }
})

function disabledMonitor(number: number): StoredResource {
  const driver = { type: 'tcp', config: { host: '127.0.0.1', port: 9 } }
  return {
    kind: 'Monitor',
    id: `m-${number}`,
    uid: `uid-${number}`,
    change: number + 1,
    generation: 1,
    name: `Monitor ${number}`,
    labels: {},
    spec: JSON.stringify({ enabled: false, check: { driver, interval: '60s', timeout: '5s' } }),
    sealed: null,
    createdAt: 0,
    updatedAt: 0,
  }
}

it('goes on from a snapshot of a large fleet and from what was written after it', {
  tags: 'long',
}, async () => {
  using folder = temporaryFolder()
  const data = folder.path('data')
  const count = 10_000
  {
    const alone = { servesResources: true, standing: null }
    await using opened = await openDurable(surroundings(data).settings, systemClock, silentLog, alone)
    await opened.committing.commit({
      ...emptyBatch,
      resources: Array.from({ length: count }, (_, n) => disabledMonitor(n)),
    })
  }
  let app = await start(data)
  try {
    const restart = async () => {
      await app[Symbol.asyncDispose]()
      app = await start(data)
    }
    await restart()
    expect(existsSync(folder.path('data/arrangement.snapshot'))).toBe(true)
    const token = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
    const tokens = { reader: token, operator: token, worker: token }
    const call = (name: v2.OperationName, asked?: V2Call) => callOperation(app.url, tokens, name, asked)
    const versionOf = async (id: string) => (await call('GetMonitor', { id })).headers.get('etag') ?? ''
    const patched = await call('PatchMonitor', {
      id: 'm-7',
      body: { metadata: { name: 'Renamed' } },
      headers: { 'if-match': await versionOf('m-7'), 'content-type': 'application/merge-patch+json' },
    })
    expect(patched.status).toBe(200)
    const deleted = await call('DeleteMonitor', {
      id: 'm-8',
      headers: { 'if-match': await versionOf('m-8') },
    })
    expect(deleted.status).toBe(200)
    await restart()
    const shown = async (query: string) => {
      const answer = await fetch(`${app.url}/api/v1/monitors?${query}`)
      return (await answer.json()) as { total: number; monitors: { name: string }[] }
    }
    expect(app.monitors).toBe(count - 1)
    expect((await shown('q=renamed')).total).toBe(1)
    expect((await shown('q=monitor%208&size=500')).monitors.map(({ name }) => name)).not.toContain(
      'Monitor 8',
    )
    expect((await call('GetMonitor', { id: 'm-9999' })).status).toBe(200)
  } finally {
    await app[Symbol.asyncDispose]()
  }
})
