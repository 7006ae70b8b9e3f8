// When each edition says that it is ready, and what it says when it is not. Every reason of the contract is made once.
import type { Worker } from 'node:worker_threads'
import type { CandidateReadyz, ReadinessReason } from '@pulseward/contract'
import { eventually, FakeClock } from '@pulseward/testing'
import { expectV1Answer, expectV1Problem } from '@pulseward/testing/api'
import { type EditionWorld, type ServeOptions, serveEdition } from '@pulseward/testing/editions'
import {
  FakeProviders,
  FakeTargets,
  http,
  ScriptedProviders,
  ScriptedTargets,
  TestService,
} from '@pulseward/testing/engine'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checks } from '../checks/registry.ts'
import { resolveSettings } from '../config/settings/resolve-settings.ts'
import { createEngine } from '../engine/create-engine.ts'
import { Fleet } from '../fleet/fleet.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { silentLog } from '../telemetry/log.ts'

type Name = 'main' | 'candidate'

async function serving(edition: Name, world: EditionWorld, options: ServeOptions = {}) {
  const served = await serveEdition(edition, world, options)
  onTestFinished(() => served[Symbol.asyncDispose]())
  const readyz = async () => {
    const answer = await served.get('readyz')
    return { code: answer.status, ...(await expectV1Answer('GetReady', edition, answer)) }
  }
  return { ...served, readyz }
}

/** A service that has loaded nothing yet. */
function unloaded(): EditionWorld {
  const clock = new FakeClock()
  const fleet = new Fleet(Object.keys(checks))
  const store = new MemoryStore(() => clock.wallMs())
  const settings = resolveSettings({ flags: new Map(), environment: {}, file: null }).values
  const ids = () => 'id'
  const engine = createEngine({
    settings,
    fleet,
    clock,
    log: silentLog,
    ids,
    store: { committer: store, recovered: null },
    sources: [
      { checks: new FakeTargets({ clock, fleet, behaviour: new ScriptedTargets() }) },
      { actions: new FakeProviders({ clock, behaviour: new ScriptedProviders(clock) }) },
    ],
  })
  return { clock, fleet, engine, store }
}

const fleet = { monitors: [http('edge'), http('shop')] }
const onceAnHour = { settings: { snapshot_interval: 3_600_000 } }
const notReady = (reason: ReadinessReason) => ({ code: 503, status: 'not_ready', reasons: [reason] })

describe('readiness of candidate', () => {
  it('is given with a fleet, progress and a store', async () => {
    const { readyz } = await serving('candidate', await TestService.start(fleet))
    expect(await readyz()).toMatchObject({
      code: 200,
      status: 'ready',
      projection_fresh: true,
      admission_initialized: true,
      storage_available: true,
    })
  })

  it('is given to a fleet that is meant to be empty', async () => {
    const { readyz } = await serving('candidate', await TestService.start({ monitors: [] }))
    expect(await readyz()).toMatchObject({ code: 200, status: 'ready' })
  })

  it('stays while all targets are down', async () => {
    const service = await TestService.start(fleet)
    for (const id of ['edge', 'shop']) service.target(id).goesDown()
    await service.advance({ seconds: 60 })
    expect(service.overview()).toMatchObject({ up_percent: 0, incidents: 2 })
    const { readyz } = await serving('candidate', service)
    expect(await readyz()).toMatchObject({ code: 200, status: 'ready' })
  })

  it('is missing before admission is initialized', async () => {
    const { readyz } = await serving('candidate', unloaded(), { begins: false })
    expect(await readyz()).toMatchObject({
      ...notReady('admission_not_initialized'),
      admission_initialized: false,
      projection_fresh: false,
    })
  })

  it('ends when the controller makes no progress for more than 30 seconds, and comes back with it', async () => {
    const service = await TestService.start(fleet)
    const { readyz, progress } = await serving('candidate', service)
    service.clock.advance(30_000)
    expect(await readyz()).toMatchObject({ code: 200 })
    service.clock.advance(1)
    expect(await readyz()).toMatchObject(notReady('controller_stalled'))
    progress.note()
    expect(await readyz()).toMatchObject({ code: 200 })
  })

  it('is not judged by the wall clock', async () => {
    const service = await TestService.start(fleet)
    const { readyz } = await serving('candidate', service)
    service.clock.jumpWall(86_400_000)
    expect(await readyz()).toMatchObject({ code: 200 })
  })

  it('ends when decisions cannot be stored', async () => {
    const { readyz, breakStorage, get } = await serving('candidate', await TestService.start(fleet))
    await breakStorage()
    expect(await readyz()).toMatchObject({ ...notReady('storage_unavailable'), storage_available: false })
    const state = await expectV1Answer('GetState', 'candidate', await get('state'))
    expect(state.storage).toMatchObject({ ready: false, error: 'the store is damaged' })
  })

  it('says all reasons at once', async () => {
    const world = unloaded()
    const { readyz, breakStorage } = await serving('candidate', world, { begins: false })
    await breakStorage()
    world.clock.advance(31_000)
    expect(await readyz()).toMatchObject({
      reasons: ['admission_not_initialized', 'controller_stalled', 'storage_unavailable'],
    })
  })
})

describe('freshness of the projection', () => {
  const large = { monitors: Array.from({ length: 1_000 }, (_, number) => http(`m-${number}`)) }

  it('ends with the thread that searches, comes back with its successor, and never ends readiness', async () => {
    const workers: Worker[] = []
    const note = (worker: Worker) => void workers.push(worker)
    process.on('worker', note)
    onTestFinished(() => void process.off('worker', note))
    const { readyz, get } = await serving('candidate', await TestService.start(large))
    // A thread begins with the first search.
    await get('monitors?q=m-1')
    await eventually(async () => expect(await readyz()).toMatchObject({ projection_fresh: true }))
    await workers[0]!.terminate()
    expect(await readyz()).toMatchObject({ code: 200, status: 'ready', projection_fresh: false })
    await eventually(async () => expect(await readyz()).toMatchObject({ projection_fresh: true }))
    expect(workers).toHaveLength(2)
  })

  it('ends when a change of the fleet has not been taken in for more than 30 seconds', async () => {
    const service = await TestService.start(large)
    const { ask, fleetChanged, get, progress, readyz } = await serving('candidate', service)
    await get('monitors?q=m-1')
    const { body } = (() => {
      fleetChanged()
      service.clock.advance(30_001)
      progress.note()
      // In the same turn: the thread cannot have answered yet.
      return ask('GetReady') as { body: CandidateReadyz }
    })()
    expect(body).toMatchObject({ status: 'ready', projection_fresh: false })
    await eventually(async () => expect(await readyz()).toMatchObject({ projection_fresh: true }))
  })
})

describe('readiness of main', () => {
  it('is given with a nonempty snapshot, whatever the state of the targets', async () => {
    const service = await TestService.start(fleet)
    for (const id of ['edge', 'shop']) service.target(id).goesDown()
    await service.advance({ seconds: 60 })
    const { readyz } = await serving('main', service)
    await eventually(async () => expect(await readyz()).toMatchObject({ code: 200, status: 'ready' }))
  })

  it('is missing without a snapshot, and so is all data: never zeros, never an empty list', async () => {
    const { readyz, get } = await serving('main', await TestService.start(fleet), { begins: false })
    expect(await readyz()).toMatchObject({
      ...notReady('no_snapshot'),
      snapshot_at: null,
      snapshot_age_seconds: null,
    })
    for (const [name, path] of [
      ...([
        ['GetOverview', 'overview'],
        ['ListMonitors', 'monitors'],
        ['GetMonitor', 'monitors/1'],
      ] as const),
      ...([
        ['ListIncidents', 'incidents'],
        ['GetMap', 'map'],
      ] as const),
    ])
      expect((await expectV1Problem(name, 'main', await get(path))).code).toBe('unavailable')
  })

  it('is missing with an empty snapshot', async () => {
    const { readyz } = await serving('main', await TestService.start({ monitors: [] }))
    await eventually(async () => expect(await readyz()).toMatchObject(notReady('empty_snapshot')))
  })

  it('ends when the snapshot is older than 30 seconds', async () => {
    const service = await TestService.start(fleet)
    const { readyz } = await serving('main', service, onceAnHour)
    await eventually(async () => expect(await readyz()).toMatchObject({ code: 200 }))
    service.clock.advance(30_000)
    expect(await readyz()).toMatchObject({ code: 200, snapshot_age_seconds: 30 })
    service.clock.advance(1)
    expect(await readyz()).toMatchObject(notReady('stale_snapshot'))
  })
})

describe('an index above the cap of main', () => {
  it('takes the lists away, and leaves the overview and readiness', async () => {
    const settings = { index_cap: 1 }
    const { readyz, get } = await serving('main', await TestService.start(fleet), { settings })
    await eventually(async () => expect(await readyz()).toMatchObject({ code: 200 }))
    for (const [name, path] of [
      ...([
        ['ListMonitors', 'monitors'],
        ['ListIncidents', 'incidents'],
      ] as const),
      ...([
        ['GetMonitor', 'monitors/1'],
        ['GetMap', 'map'],
      ] as const),
    ])
      expect((await expectV1Problem(name, 'main', await get(path))).code).toBe('unavailable')
    const overview = await expectV1Answer('GetOverview', 'main', await get('overview'))
    expect(overview).toMatchObject({ total: 2, index_capped: true })
    // What is wrong with a request is still told first.
    expect((await get('monitors?page=0')).status).toBe(400)
  })

  it('does not exist in candidate', async () => {
    const settings = { index_cap: 1 }
    const { get } = await serving('candidate', await TestService.start(fleet), { settings })
    expect((await expectV1Answer('ListMonitors', 'candidate', await get('monitors'))).total).toBe(2)
  })
})

describe('before the fleet is loaded', () => {
  it('candidate answers 503, never zeros', async () => {
    const { get } = await serving('candidate', unloaded(), { begins: false })
    for (const [name, path] of [
      ...([
        ['GetOverview', 'overview'],
        ['ListMonitors', 'monitors'],
        ['GetMonitor', 'monitors/1'],
      ] as const),
      ...([
        ['ListIncidents', 'incidents'],
        ['GetMap', 'map'],
      ] as const),
    ])
      expect((await expectV1Problem(name, 'candidate', await get(path))).code).toBe('unavailable')
  })
})
