// bench/store-resources.ts: managed resources in the durable store: the cost of a write, pages of a list as of now and of
// the past, pages by labels, and reading everything at a start. Writes are measured in this thread, where the store does
// nothing else, so that the CPU time is theirs alone; pages as the controller sees them, over the store's thread.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { emptyBatch } from '../packages/server/src/store/record-types.ts'
import type {
  ResourceQuery,
  ResourceWrite,
  StoredOperation,
  StoredResource,
} from '../packages/server/src/store/resource.ts'
import type { Selector } from '../packages/server/src/store/selector.ts'
import { batchRows } from '../packages/server/src/store/sqlite/record-tables.ts'
import { SqliteStore } from '../packages/server/src/store/sqlite/sqlite-store.ts'
import { StoreEngine } from '../packages/server/src/store/sqlite/store-engine.ts'

const createdAtOnce = 1_000
const writtenAtOnce = 100
const writes = 20_000
const pageSize = 500
const pages = 100
/** Monitors of 1,000 teams on 10 tiers: a team has 0.1 % of them, ten teams have 1 %. */
const teams = 1_000
const spec = JSON.stringify({
  check: {
    driver: {
      type: 'http',
      config: { url: 'https://shop.example/health', headers: { accept: 'text/html' } },
    },
    interval: '60s',
    timeout: '5s',
    unhealthyThreshold: 3,
  },
  notifications: { red: { dispatch: true, endpointRefs: ['ops', 'night-watch'] }, green: { dispatch: true } },
  tags: ['eu-central-1', 'checkout', 'customer-facing'],
})

export async function measureResources(directory: string, resources: number) {
  const written = writeResources(directory, resources)
  const opening = performance.now()
  await using store = await SqliteStore.open({ directory, now: Date.now })
  const openMs = performance.now() - opening
  const read = await readResources(store, resources, written.pin, written.lastChange)
  return {
    resources,
    resource_directory_mb: rounded(sizeOf(directory) / 1e6),
    ...written.figures,
    resource_open_ms: rounded(openMs),
    ...read,
  }
}

/** The list that is read later is pinned before everything is overwritten. */
function writeResources(directory: string, resources: number) {
  const engine = new StoreEngine(directory)
  let change = 0
  const commit = (made: readonly ResourceWrite[]) => {
    const operations = made.map(({ id }, index) => operationOf(change - made.length + index + 1, id))
    engine.commit(batchRows({ ...emptyBatch, resources: made, operations }, Date.now()))
  }
  const createUs = microsecondsEach(resources, () => {
    for (let first = 0; first < resources; first += createdAtOnce) {
      const count = Math.min(createdAtOnce, resources - first)
      commit(Array.from({ length: count }, (_, index) => monitorOf(first + index, ++change)))
    }
  })
  const pin = change
  const inBatches = (write: () => ResourceWrite) => () => {
    for (let done = 0; done < writes; done += writtenAtOnce)
      commit(Array.from({ length: writtenAtOnce }, write))
  }
  const anywhere = () => Math.floor(Math.random() * resources)
  const updateUs = microsecondsEach(
    writes,
    inBatches(() => monitorOf(anywhere(), ++change)),
  )
  const scatteredUs = microsecondsEach(
    writes,
    inBatches(() => {
      const made = monitorOf(anywhere(), ++change)
      return { ...made, id: `${made.id}-${change}` }
    }),
  )
  engine.close()
  return {
    pin,
    lastChange: change,
    figures: {
      resource_create_us: rounded(createUs),
      resource_create_scattered_us: rounded(scatteredUs),
      resource_update_us: rounded(updateUs),
    },
  }
}

async function readResources(store: SqliteStore, resources: number, pin: number, lastChange: number) {
  const first = () => null
  const deep = () => idOf(Math.floor(Math.random() * resources))
  const page = (query: Partial<ResourceQuery>): Omit<ResourceQuery, 'afterId'> => ({
    kind: 'Monitor',
    upToChange: lastChange,
    limit: pageSize,
    selector: null,
    ...query,
  })
  const oneInAHundred: Selector = [
    { key: 'team', is: 'in', values: Array.from({ length: 10 }, (_, each) => teamOf(each)) },
  ]
  const half: Selector = [{ key: 'tier', is: 'in', values: ['0', '1', '2', '3', '4'] }]
  const missing: Selector = [{ key: 'team', is: 'absent' }]
  const evaluated = await elapsed(() =>
    store.listResources({ ...page({ selector: oneInAHundred }), afterId: null }),
  )
  const figures = {
    ...(await pageTimes(store, 'page', page({}), first)),
    ...(await pageTimes(store, 'page_deep', page({}), deep)),
    ...(await pageTimes(store, 'page_pinned', page({ upToChange: pin }), deep)),
    resource_selector_evaluated_ms: rounded(evaluated),
    ...(await pageTimes(store, 'selector_1_percent', page({ selector: oneInAHundred }), first)),
    ...(await pageTimes(store, 'selector_1_percent_deep', page({ selector: oneInAHundred }), deep)),
    ...(await pageTimes(store, 'selector_half', page({ selector: half }), deep)),
    ...(await pageTimes(store, 'selector_none', page({ selector: missing }), first)),
  }
  const recovered = await store.recover(0)
  const readMs = await elapsed(async () => {
    for (let number = 0; number < 1_000; number++) await store.readResource('Monitor', deep())
  })
  let count = 0
  const recoverMs = await elapsed(async () => {
    for await (const chunk of recovered.monitors) count += chunk.length
  })
  if (count < resources) throw new Error(`${count} of ${resources} monitors came back`)
  let changed = 0
  const changedMs = await elapsed(async () => {
    const changes = await recovered.changedMonitors(pin)
    if (changes === 'forgotten') throw new Error('the last changes were forgotten')
    for await (const { written } of changes) changed += written.length
  })
  return {
    ...figures,
    resource_read_us: rounded(readMs),
    resource_recover_ms: rounded(recoverMs),
    resources_changed: changed,
    resource_changed_ms: rounded(changedMs),
  }
}

/** The median and the 99th percentile. */
async function pageTimes(
  store: SqliteStore,
  name: string,
  query: Omit<ResourceQuery, 'afterId'>,
  after: () => string | null,
): Promise<Record<string, number>> {
  const times: number[] = []
  for (let count = 0; count < pages; count++) {
    times.push(
      await elapsed(async () => {
        const page = await store.listResources({ ...query, afterId: after() })
        if (page === 'expired') throw new Error('the past was forgotten')
      }),
    )
  }
  times.sort((one, other) => one - other)
  return {
    [`resource_${name}_ms`]: rounded(times[Math.floor(times.length / 2)] ?? 0),
    [`resource_${name}_p99_ms`]: rounded(times[Math.floor(times.length * 0.99)] ?? 0),
  }
}

function monitorOf(number: number, change: number): StoredResource {
  return {
    kind: 'Monitor',
    id: idOf(number),
    uid: `5d1f7c1e-6a6b-4b0e-9d0c-${String(number).padStart(12, '0')}`,
    change,
    generation: 1,
    name: `Checkout ${number}`,
    labels: { team: teamOf(number), tier: String(Math.floor(number / teams) % 10), region: 'eu' },
    spec,
    sealed: null,
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000 + change,
  }
}

function operationOf(id: number, monitorId: string): StoredOperation {
  return {
    id,
    at: 1_700_000_000_000,
    principal: 'ops',
    state: 'completed',
    write: {
      verb: 'replace',
      kind: 'Monitor',
      id: monitorId,
      oldVersion: `1234567890.${id - 1}`,
      newVersion: `1234567890.${id}`,
    },
    outcome: 'updated',
    reason: null,
  }
}

/** As long as the ids of monitors that only have a name, and ordered by number. */
function idOf(number: number): string {
  return `name:${String(number).padStart(8, '0')}${'f'.repeat(56)}`
}

function teamOf(number: number): string {
  return `team-${number % teams}`
}

/** CPU time of this process per item. */
function microsecondsEach(count: number, work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function sizeOf(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
