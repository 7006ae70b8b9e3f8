// Adopting fleet files: all of it or nothing, again after an interruption, and never over what v2 has.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { resolveSettings } from '../config/settings/resolve-settings.ts'
import { Fleet } from '../fleet/fleet.ts'
import { loadArrangement } from '../fleet/load-arrangement.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { emptyBatch } from '../store/record-types.ts'
import { SqliteStore } from '../store/sqlite/sqlite-store.ts'
import { type Store, StoreError } from '../store/store.ts'
import { silentLog } from '../telemetry/log.ts'
import { type Adopted, adoptFleet, withoutAdopted } from './adopt.ts'
import { Managing } from './managing.ts'

const fleet = `
credentials: { hook: { env: HOOK } }
endpoints: { chat: { type: slack, config: { hook: { credential: hook } } } }
groups: { ops: [chat] }
routes: [ { match: { team: a }, colors: [red], groups: [ops] } ]
defaults: { check: { interval: 30s, retries: 1 }, notify: { red: { groups: [ops] } } }
monitors:
  - { id: a, name: A, labels: { team: a }, check: { type: tcp, config: { port: 1, host: 127.0.0.1 } } }
  - { id: b, name: B, depends_on: [a], notify: {}, check: { type: tcp, interval: 5s, config: { host: 127.0.0.1, port: 1 } } }
  - { name: Without an id, check: { type: http, config: { url: http://127.0.0.1/, auth: { bearer: { credential: hook } } } } }
`
let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder({ 'fleet.yaml': fleet })
})
afterEach(() => folder[Symbol.dispose]())

const settings = () =>
  resolveSettings({ flags: new Map(), environment: { PULSEWARD_DATA: folder.path('data') }, file: null })
    .values

const load = (environment: NodeJS.ProcessEnv = { HOOK: 'https://hooks.example/secret' }) =>
  loadArrangement({ paths: [folder.path('fleet.yaml')], allowEmpty: true, environment, before: null })

const openStore = () => SqliteStore.open({ directory: folder.path('data'), now: () => 1_000 })

/** One start with --adopt, as far as it comes. */
async function adopt(
  store: Store,
  {
    commits = Number.POSITIVE_INFINITY,
    environment,
  }: { commits?: number; environment?: NodeJS.ProcessEnv } = {},
): Promise<Adopted> {
  const recovered = await store.recover(0)
  const options = {
    settings: settings(),
    fleet: new Fleet([]),
    recovered,
    log: silentLog,
    drivers: driverShapes,
    store,
  }
  await using managing = await Managing.open(options)
  let left = commits
  const failing: Pick<Store, 'commit'> = {
    async commit(batch) {
      left--
      if (left < 0) throw new StoreError('full', 'The disk is full.')
      return store.commit(batch)
    },
  }
  let uids = 0
  return adoptFleet({
    loaded: await load(environment),
    registry: managing.registry,
    vault: managing.vault,
    store: failing,
    recovered,
    validator: new ResourceValidator(driverShapes),
    newUid: () => `uid-${++uids}`,
    now: () => 1_000,
    log: silentLog,
  })
}

async function contentOf(store: Store) {
  const { resources, monitors, identities, lastChange } = await store.recover(0)
  const all = [...resources, ...(await Array.fromAsync(monitors)).flat()]
  return {
    ids: all.map(({ kind, id }) => `${kind} ${id.slice(0, 8)}`),
    specs: Object.fromEntries(all.map(({ id, spec }) => [id, JSON.parse(spec)])),
    sealed: all.filter(({ sealed }) => sealed !== null).map(({ id }) => id),
    numbers: (await Array.fromAsync(identities))
      .flat()
      .map(({ monitorId, numericId }) => [monitorId.slice(0, 8), numericId]),
    lastChange,
  }
}

const everything = [
  'Credential hook',
  'Monitor a',
  'Monitor b',
  expect.stringMatching(/^Monitor name:/),
  'NotificationEndpoint chat',
  'NotificationGroup ops',
  'Route route-1',
]

describe('adopting fleet files', () => {
  it('stores every entry with defaults written out and values sealed, and leaves nothing in the files', async () => {
    await using store = await openStore()
    expect(await adopt(store)).toEqual({ others: 4, monitors: 3 })
    const { ids, specs, sealed, numbers } = await contentOf(store)
    expect(ids.toSorted()).toEqual(everything)
    expect(sealed).toEqual(['hook'])
    expect(specs['a']).toMatchObject({
      check: { interval: '30s', timeout: '10s', retries: 1, driver: { type: 'tcp' } },
      notifications: { red: { groupRefs: ['ops'] } },
    })
    expect(specs['b'].notifications).toBeUndefined()
    expect(specs['chat']).toMatchObject({ credentialRefs: { hook: 'hook' }, config: {} })
    expect(specs['route-1']).toEqual({ match: { team: 'a' }, colors: ['red'], groupRefs: ['ops'] })
    expect(numbers.map(([, number]) => number).toSorted()).toEqual([0, 1, 2])
    const { arrangement, credentials } = withoutAdopted(await load())
    expect([arrangement.definition.count, arrangement.definition.endpoints.size, credentials.size]).toEqual([
      0, 0, 0,
    ])
    expect(arrangement.definition.routes).toEqual([])
  })

  it('leaves an event of each, under the number of its monitor', async () => {
    await using store = await openStore()
    await adopt(store)
    const { events } = await store.readEvents({
      monitorId: 'a',
      order: 'asc',
      upTo: 1e9,
      after: null,
      limit: 10,
    })
    expect(events).toMatchObject([
      { type: 'resource_created', actor: 'serve --adopt', resource: { kind: 'Monitor', id: 'a' } },
    ])
  })

  it.each([0, 1])('goes on after %i commits, and does nothing when all is done', async (commits) => {
    await using store = await openStore()
    await expect(adopt(store, { commits })).rejects.toThrow('The disk is full.')
    await adopt(store)
    const done = await contentOf(store)
    expect(done.ids.toSorted()).toEqual(everything)
    expect(await adopt(store)).toEqual({ others: 0, monitors: 0 })
    expect(await contentOf(store)).toEqual(done)
  })

  it('gives routes the ids that v2 has not given to others', async () => {
    const second = `${fleet.replace('groups: [ops] } ]', 'groups: [ops] }, { match: {}, colors: [green], endpoints: [chat] } ]')}`
    folder.write('fleet.yaml', second)
    await using store = await openStore()
    const spec = JSON.stringify({ colors: ['gray'], endpointRefs: ['chat'], match: {} })
    const own = { id: 'route-1', uid: 'of-a-person', change: 1, generation: 1, name: null, labels: {}, spec }
    await store.commit({
      ...emptyBatch,
      resources: [{ ...own, kind: 'Route', createdAt: 0, updatedAt: 0, sealed: null }],
    })
    await adopt(store)
    const { specs } = await contentOf(store)
    expect(specs['route-1'].colors).toEqual(['gray'])
    expect(specs['route-2']).toMatchObject({ match: { team: 'a' } })
    expect(specs['route-3']).toEqual({ match: {}, colors: ['green'], endpointRefs: ['chat'] })
    expect(await adopt(store)).toEqual({ others: 0, monitors: 0 })
  })

  it('keeps the number and the fingerprint of a monitor that was in the fleet before', async () => {
    await using store = await openStore()
    const known = { monitorId: 'b', numericId: 7, revision: 3, removedAt: null }
    await store.commit({
      ...emptyBatch,
      identities: [{ ...known, fingerprint: 'another', checkFingerprint: 'another' }],
    })
    await adopt(store)
    const { identities } = await store.recover(0)
    expect((await Array.fromAsync(identities)).flat().find(({ monitorId }) => monitorId === 'b')).toEqual({
      ...known,
      fingerprint: 'another',
      checkFingerprint: 'another',
    })
    expect((await contentOf(store)).numbers.map(([, number]) => number).toSorted()).toEqual([7, 8, 9])
  })

  it('is refused whole when v2 has another value for a credential', async () => {
    await using store = await openStore()
    await adopt(store)
    const before = await contentOf(store)
    await expect(adopt(store, { environment: { HOOK: 'https://hooks.example/other' } })).rejects.toThrow(
      /nothing was changed\. v2 has another value for the credential hook; give it another name/,
    )
    expect(await contentOf(store)).toEqual(before)
  })

  it('is refused whole when something acts on this machine, which v2 may not have', async () => {
    folder.write(
      'fleet.yaml',
      `${fleet}  - { id: c, name: C, check: { type: docker, config: { container: x } } }\n`,
    )
    await using store = await openStore()
    await expect(adopt(store)).rejects.toThrow(/monitor c: \/spec\/check\/driver\/type: .*local_drivers/)
    expect((await contentOf(store)).ids).toEqual([])
  })

  it('leaves what v2 has under the same id as it is', async () => {
    await using store = await openStore()
    await adopt(store)
    folder.write('fleet.yaml', fleet.replace('interval: 5s', 'interval: 6s'))
    const before = await contentOf(store)
    expect(await adopt(store)).toEqual({ others: 0, monitors: 0 })
    expect(await contentOf(store)).toEqual(before)
  })
})

it('takes status pages over', async () => {
  const page =
    'status_pages: { shop: { title: S, groups: [{ name: G, components: [{ id: a, name: A, monitors: [a] }] }] } }'
  folder.write('fleet.yaml', `${fleet}${page}\n`)
  await using store = await openStore()
  await adopt(store)
  expect((await contentOf(store)).ids).toContain('StatusPage shop')
})
