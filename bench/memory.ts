// bench/memory.ts: where the memory of a service with a large fleet goes: what the kernel counts, and the
// part of it in the controller's buffers and objects, by the class that holds them, in bytes per monitor. The
// rest belongs to other threads, the program and the allocator.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { duration, oneOf, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { type Targets, writeFleet } from './fleet-file.ts'
import { readHeapOwners } from './heap-owners.ts'
import { fileBytes, rssBytes } from './process-usage.ts'
import { settle, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { readCheckCounts } from './work-done.ts'

const firstChecksMs = 30_000
const longestSnapshotMs = 120_000
/** Smaller owners are added up. */
const shownFromBytesPerMonitor = 1

export const memory = defineBenchmark({
  about: 'Where the memory of a large fleet goes: bytes for each monitor, by part.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors of the fleet'),
    interval: duration(60, 'how often each is checked'),
    type: oneOf(['tcp', 'http'], 'tcp', 'the kind of check'),
  },
  run: measure,
})

async function measure(wanted: {
  monitors: number
  interval: number
  type: 'tcp' | 'http'
}): Promise<Measurement> {
  const { monitors, interval, type } = wanted
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '4', type])
  const shape = { monitors, intervalSeconds: interval, type, deadPercent: 0, names: false }
  const fleetFile = writeFleet(folder.path, shape, targets)
  const columnsFile = join(folder.path, 'columns.json')
  const account = new URL('growing-columns.ts', import.meta.url).href
  const environment = {
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder.path} --import=${account}`,
    PULSEWARD_BENCH_COLUMNS: columnsFile,
  }
  const service = await startService(children, {
    fleetFile,
    edition: 'candidate',
    resolver: null,
    environment,
  })
  await settle(service.url, Math.max(firstChecksMs, interval * 1_000))
  const { succeeded } = await readCheckCounts(service.url)
  const rss = rssBytes(service.pid)
  const program = fileBytes(service.pid)
  process.kill(service.pid, 'SIGUSR2')
  const { buffers: fixed, objectBytes } = readHeapOwners(await snapshotIn(folder.path, columnsFile))
  const growing: Record<string, number> = JSON.parse(readFileSync(columnsFile, 'utf8'))
  const columns = Object.entries(growing).map(([maker, bytes]) => ({ name: `columns of ${maker}`, bytes }))
  const buffers = [...fixed, ...columns].sort((one, other) => other.bytes - one.bytes)

  const perMonitor = (bytes: number): number => Math.round((bytes / monitors) * 10) / 10
  const large = buffers.filter(({ bytes }) => bytes / monitors >= shownFromBytesPerMonitor)
  const sum = (parts: readonly { bytes: number }[]): number =>
    parts.reduce((total, { bytes }) => total + bytes, 0)
  const parts = [
    ...large,
    { name: 'smaller buffers', bytes: sum(buffers) - sum(large) },
    { name: 'objects of the controller', bytes: objectBytes },
    { name: 'the program and its libraries', bytes: program },
    { name: 'other threads, allocator, store', bytes: rss - program - objectBytes - sum(buffers) },
  ]
  for (const { name, bytes } of [...parts, { name: 'all of it', bytes: rss }])
    console.error(
      `${name.padEnd(44)} ${(bytes / 1e6).toFixed(1).padStart(7)} MB ${perMonitor(bytes).toFixed(1).padStart(8)} bytes a monitor`,
    )
  const figures = {
    monitors,
    rss_bytes: rss,
    parts: Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes])),
  }
  return {
    figures,
    undone: succeeded < monitors ? [`Only ${succeeded} of ${monitors} monitors were checked.`] : [],
  }
}

/** The file of the snapshot when it is complete: the record of the columns is written after it. */
async function snapshotIn(folder: string, columnsFile: string): Promise<string> {
  const untilMs = performance.now() + longestSnapshotMs
  while (!existsSync(columnsFile) && performance.now() < untilMs) await sleep(500)
  const name = readdirSync(folder).find((each) => each.endsWith('.heapsnapshot'))
  if (name === undefined || !existsSync(columnsFile)) throw new Error('The service wrote no heap snapshot.')
  return join(folder, name)
}
