// bench/start.ts: how long a service takes from the start of its process to being ready: without a store (first), over
// the same files again (warm), over changed files (cold), and with ten monitors. Between two starts it checks its fleet
// for a while and is stopped, so that the next start finds what a service leaves. A warm start that did not use the
// snapshot of the files, or a cold one that did, measures something else, and fails.
import { appendFileSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, monitorAt, type Targets, writeFleet } from './fleet-file.ts'
import { median } from './median.ts'
import { cpuSeconds } from './process-usage.ts'
import { startService, stopService } from './service-process.ts'
import { openStorePlace, type StoreName, type StorePlace, storeFlag } from './store-place.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const fewMonitors = 10

interface StartRun {
  readonly seconds: number
  /** CPU time until then: a busy machine changes it less. */
  readonly cpuSeconds: number
  /** The inode of the snapshot when the service was ready; null for none. */
  readonly found: number | null
}

export const start = defineBenchmark({
  about: 'From the beginning of the process to ready: no store, the same files, changed files, ten monitors.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors of the large fleet, from 10,000 on', 10_000),
    interval: wholeNumber(60, 'seconds between two checks of a monitor'),
    seconds: wholeNumber(40, 'how long the service runs between two starts; first checks take 30'),
    rounds: wholeNumber(3, 'warm and cold starts; the median counts'),
    store: storeFlag,
  },
  run: ({ monitors, interval, seconds, rounds, store }) =>
    measureStarts({ monitors, intervalSeconds: interval, seconds, rounds }, store),
})

interface Starts {
  readonly monitors: number
  readonly intervalSeconds: number
  /** How long the service runs between two starts. */
  readonly seconds: number
  readonly rounds: number
}

async function measureStarts(
  { monitors, intervalSeconds, seconds, rounds }: Starts,
  storeName: StoreName,
): Promise<Measurement> {
  using folder = new TemporaryFolder()
  await using large = await openStorePlace(storeName)
  await using small = await openStorePlace(storeName)
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '0', 'tcp'])
  const shape: FleetShape = { monitors, intervalSeconds, type: 'tcp', deadPercent: 0, names: false }
  const fleetFile = writeFleet(folder.path, shape, targets)
  const undone: string[] = []
  const startIn =
    ({ environment }: StorePlace) =>
    (file: string) =>
      startAndStop(children, { fleetFile: file, environment }, seconds)
  const startOver = startIn(large)
  const first = await startOver(fleetFile)
  const warm: StartRun[] = []
  const cold: StartRun[] = []
  for (let round = 0; round < rounds; round++) {
    const kept = snapshotNumber(fleetFile)
    const again = await startOver(fleetFile)
    warm.push(again)
    if (kept === null || again.found !== kept)
      undone.push(`The warm start of round ${round + 1} did not use the snapshot of the files.`)
    appendFileSync(fleetFile, `${JSON.stringify(monitorAt(monitors + round, shape, targets))}\n`)
    const changed = await startOver(fleetFile)
    cold.push(changed)
    if (changed.found !== null)
      undone.push(`The cold start of round ${round + 1} used a snapshot of other files.`)
  }
  const few = await startFew(startIn(small), folder.path, shape, targets)
  const figures = {
    monitors,
    store: storeName,
    rounds,
    ...figuresOf('first', [first]),
    ...figuresOf('warm', warm),
    ...figuresOf('cold', cold),
    ...figuresOf('few', [few]),
    snapshot_bytes: statSync(snapshotOf(fleetFile), { throwIfNoEntry: false })?.size ?? null,
  }
  for (const [name, value] of Object.entries(figures)) console.error(`${name.padEnd(20)} ${value}`)
  return { figures, undone }
}

function figuresOf(kind: string, runs: readonly StartRun[]): Record<string, number> {
  const all = runs.map(({ seconds }) => seconds)
  return {
    [`${kind}_seconds`]: median(all),
    [`${kind}_seconds_best`]: Math.min(...all),
    [`${kind}_cpu_seconds`]: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
  }
}

/** The second start with ten monitors: the first one also fills the compile cache. */
async function startFew(
  startOver: (file: string) => Promise<StartRun>,
  folder: string,
  shape: FleetShape,
  targets: Targets,
): Promise<StartRun> {
  const few = join(folder, 'few')
  mkdirSync(few)
  const file = writeFleet(few, { ...shape, monitors: fewMonitors }, targets)
  await startOver(file)
  return startOver(file)
}

async function startAndStop(
  children: ChildProcesses,
  { fleetFile, environment }: { readonly fleetFile: string; readonly environment: NodeJS.ProcessEnv },
  seconds: number,
): Promise<StartRun> {
  const service = await startService(children, {
    fleetFile,
    edition: 'candidate',
    resolver: null,
    environment,
  })
  const cpu = cpuSeconds(service.pid)
  const found = snapshotNumber(fleetFile)
  await sleep(seconds * 1_000)
  await stopService(service, 'SIGTERM')
  return { seconds: service.startSeconds, cpuSeconds: cpu, found }
}

function snapshotOf(fleetFile: string): string {
  return join(dirname(fleetFile), 'data', 'fleet.snapshot')
}

/** A snapshot that is written again is a new file. */
function snapshotNumber(fleetFile: string): number | null {
  return statSync(snapshotOf(fleetFile), { throwIfNoEntry: false })?.ino ?? null
}
