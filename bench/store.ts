// bench/store.ts: the cost of the durable store: full batches, small batches with group commit, a million
// monitors written and read back, a page of one monitor's events, and managed resources (store-resources.ts).
// Works in a temporary folder that is deleted at the end; prints a table on stderr and returns the figures.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newHealth } from '../packages/server/src/deciding/health/health.ts'
import { GroupCommitter } from '../packages/server/src/store/group-commit.ts'
import { emptyBatch } from '../packages/server/src/store/record-types.ts'
import { retentionMs } from '../packages/server/src/store/retention.ts'
import { SqliteStore } from '../packages/server/src/store/sqlite/sqlite-store.ts'
import type { StoredEvent, StoredIdentity } from '../packages/server/src/store/store.ts'
import { text, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { measureResources } from './store-resources.ts'

const batchEntries = 1_000
const identitiesAtOnce = 4_096
const monitorsPerBlock = 4_096
const bytesPerMonitor = 40
const smallBatchEveryMs = 2
const pageEvents = 500
/** Enough for several pages. */
const eventsOfBusyMonitor = 2_000

export const store = defineBenchmark({
  about:
    'The durable store: commits, a million monitors written and read back, pages of events and of resources.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors that are written and read back'),
    batches: wholeNumber(300, 'full batches of 1,000 events'),
    seconds: wholeNumber(5, 'how long small batches are committed'),
    resources: wholeNumber(1_000_000, 'managed resources; 0 leaves them out', 0),
    directory: text('FOLDER', tmpdir(), 'where the store lies: the disk that is measured'),
  },
  run: (given) => measureIn(given.directory, given),
})

interface Amounts {
  readonly monitors: number
  readonly batches: number
  readonly seconds: number
  readonly resources: number
}

async function measureIn(folder: string, amounts: Amounts): Promise<Measurement> {
  const directory = mkdtempSync(join(folder, 'pulseward-bench-'))
  try {
    const figures = {
      ...(await measure(join(directory, 'fleet'), amounts)),
      ...(amounts.resources > 0
        ? await measureResources(join(directory, 'resources'), amounts.resources)
        : {}),
    }
    for (const [name, value] of Object.entries(figures))
      console.error(`${name.replaceAll('_', ' ').padEnd(42)}${value.toLocaleString('en-US').padStart(14)}`)
    // Undone work throws: a lost commit, a short page, an identity that was not read back.
    return { figures, undone: [] }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measure(directory: string, { monitors, batches, seconds }: Amounts) {
  const open = () => SqliteStore.open({ directory, now: Date.now })
  let opened = await open()
  const identitiesMs = await elapsed(() => commitIdentities(opened, monitors))
  const blocksMs = await elapsed(() => commitBlocks(opened, monitors))
  const directoryBytes = sizeOf(directory)
  // The oldest events of the log, which retention removes at the end.
  const old = Date.now() - retentionMs - 1
  await opened.commit({ ...emptyBatch, events: Array.from({ length: batchEntries }, () => eventOf(0, old)) })
  const batchesMs = await elapsed(() => commitEvents(opened, monitors, batches))
  const latencies = await commitSmallBatches(opened, monitors, seconds)
  for (let count = 0; count < eventsOfBusyMonitor; count += batchEntries)
    await opened.commit({ ...emptyBatch, events: Array.from({ length: batchEntries }, () => eventOf(0)) })
  const pages = await readPages(opened)
  let retained = 0
  const retainMs = await elapsed(async () => {
    retained = await opened.retain(Date.now(), batchEntries)
  })
  if (retained !== batchEntries) throw new Error(`${retained} of ${batchEntries} events were deleted`)
  await opened[Symbol.asyncDispose]()

  const openMs = await elapsed(async () => {
    opened = await open()
  })
  let recovered = 0
  const recoverMs = await elapsed(async () => {
    for await (const chunk of (await opened.recover(0)).identities) recovered += chunk.length
  })
  await opened[Symbol.asyncDispose]()
  if (recovered !== monitors) throw new Error(`${recovered} of ${monitors} identities came back`)
  return {
    monitors,
    identities_commit_ms: rounded(identitiesMs),
    blocks_commit_ms: rounded(blocksMs),
    directory_mb: rounded(directoryBytes / 1e6),
    events_per_second: Math.round((batches * batchEntries) / (batchesMs / 1_000)),
    small_batches: latencies.length,
    small_batch_p50_ms: rounded(quantile(latencies, 0.5)),
    small_batch_p99_ms: rounded(quantile(latencies, 0.99)),
    page_of_500_asc_ms: rounded(quantile(pages.asc, 0.5)),
    page_of_500_desc_ms: rounded(quantile(pages.desc, 0.5)),
    retain_1000_ms: rounded(retainMs),
    open_ms: rounded(openMs),
    recover_ms: rounded(recoverMs),
  }
}

async function commitIdentities(opened: SqliteStore, monitors: number): Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  for (let first = 0; first < monitors; first += identitiesAtOnce) {
    const count = Math.min(identitiesAtOnce, monitors - first)
    const identities = Array.from({ length: count }, (_, index) => identityOf(first + index))
    // One batch is made while the previous one is written.
    await last
    last = opened.commit({ ...emptyBatch, identities })
  }
  await last
}

async function commitBlocks(opened: SqliteStore, monitors: number): Promise<void> {
  for (let block = 0; block * monitorsPerBlock < monitors; block++) {
    const bytes = new Uint8Array(monitorsPerBlock * bytesPerMonitor).fill(block)
    await opened.commit({ ...emptyBatch, blocks: [{ block, bytes }] })
  }
}

async function commitEvents(opened: SqliteStore, monitors: number, batches: number): Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  for (let batch = 0; batch < batches; batch++) {
    const events = Array.from({ length: batchEntries }, () => eventOf(Math.floor(Math.random() * monitors)))
    await last
    last = opened.commit({ ...emptyBatch, events })
  }
  await last
}

/** One event and one state each, as for an incident, evenly in time. */
async function commitSmallBatches(opened: SqliteStore, monitors: number, seconds: number): Promise<number[]> {
  using committer = new GroupCommitter({
    store: opened,
    onTrouble: () => undefined,
    onRecovered: () => undefined,
  })
  const latencies: number[] = []
  const began = performance.now()
  const wanted = Math.round((seconds * 1_000) / smallBatchEveryMs)
  const under: Promise<unknown>[] = []
  while (under.length < wanted) {
    const due = Math.min(wanted, (performance.now() - began) / smallBatchEveryMs)
    while (under.length < due) {
      const numericId = Math.floor(Math.random() * monitors)
      const states = [{ numericId, health: newHealth(1) }]
      const committed = committer.commit({ ...emptyBatch, events: [eventOf(numericId)], states })
      under.push(committed.then(({ latencyMs }) => latencies.push(latencyMs)))
    }
    await sleep(1)
  }
  await Promise.all(under)
  return latencies
}

async function readPages(opened: SqliteStore): Promise<Record<'asc' | 'desc', number[]>> {
  const times = { asc: [] as number[], desc: [] as number[] }
  const monitorId = identityOf(0).monitorId
  for (let turn = 0; turn < 20; turn++) {
    for (const order of ['asc', 'desc'] as const) {
      const query = { monitorId, order, upTo: Number.MAX_SAFE_INTEGER, after: null, limit: pageEvents }
      let read = 0
      const tookMs = await elapsed(async () => {
        read = (await opened.readEvents(query)).events.length
      })
      if (read !== pageEvents) throw new Error(`a page held ${read} of ${pageEvents} events`)
      times[order].push(tookMs)
    }
  }
  return times
}

function identityOf(numericId: number): StoredIdentity {
  const digits = numericId.toString(16).padStart(64, '0')
  return {
    monitorId: `name:${digits}`,
    numericId,
    revision: 1,
    fingerprint: digits.slice(-32),
    checkFingerprint: digits.slice(-32),
    removedAt: null,
  }
}

function eventOf(numericId: number, at = Date.now()): StoredEvent {
  return {
    monitorId: identityOf(numericId).monitorId,
    numericId,
    at,
    type: 'incident_opened',
    revision: 1,
    incidentId: `incident-${numericId}`,
    actionId: null,
    kind: null,
    color: null,
    endpoint: null,
    outcome: null,
    actor: null,
    detail: null,
    because: { kind: 'threshold', failures: 3, threshold: 3 },
  }
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function sizeOf(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
