// bench/v2-bulk.ts: a collection applied to a running fleet from the command line: how long it takes, how
// much memory it needs in the service and in the command, how late checks start meanwhile, and how long it
// takes to find out that the same collection changes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from './benchmark.ts'
import type { ChildProcesses } from './child-processes.ts'
import type { FleetShape, Targets } from './fleet-file.ts'
import { checksDuring } from './fleet-work.ts'
import { monitorSpec, writeManagedFleet } from './managed-fleet.ts'
import { peakRssBytes, rssBytes } from './process-usage.ts'
import { scheduleDelay } from './schedule-delay.ts'
import { get, launcherPath, type Service, settle, startService, stopService } from './service-process.ts'
import { undoneChecks } from './work-done.ts'

export interface BulkBench {
  readonly children: ChildProcesses
  readonly targets: Targets
  readonly folder: string
  readonly items: number
}

/** The monitors that are checked meanwhile. */
const running: FleetShape = {
  monitors: 10_000,
  intervalSeconds: 10,
  type: 'tcp',
  deadPercent: 0,
  names: false,
  labelled: true,
}
/** The created monitors are hardly ever checked. */
const createdIntervalSeconds = 3_600
const firstChecksMs = 15_000
/** By then garbage is collected. */
const calmMs = 15_000
const linesAtOnce = 1_000

export async function measureBulk({ children, targets, folder, items }: BulkBench): Promise<Measurement> {
  const data = join(folder, 'bulk')
  const file = join(folder, 'collection.ndjson')
  await writeManagedFleet(data, running, targets)
  await writeCollection(file, items, targets)
  const service = await startService(children, { fleetFile: null, data, edition: 'next', resolver: null })
  await settle(service.url, firstChecksMs)
  const first = await applyWhileChecked(service, targets, data, file)
  const { total } = await get(service.url, 'overview')
  await sleep(calmMs)
  const peak = peakRssBytes(service.pid)
  const after = rssBytes(service.pid)
  const again = await applyWhileChecked(service, targets, data, file)
  await stopService(service, 'SIGTERM')
  const wanted = running.monitors + items
  return {
    figures: {
      bulk_items: items,
      bulk_seconds: first.seconds,
      bulk_peak_rss_bytes: peak,
      bulk_rss_after_bytes: after,
      bulk_command_rss_bytes: first.commandRssBytes,
      schedule_delay_p99_ms_bulk: first.delayMs,
      reapply_seconds: again.seconds,
      reapply_schedule_delay_p99_ms: again.delayMs,
    },
    undone: [
      ...first.undone,
      ...again.undone,
      ...(total === wanted
        ? []
        : [`${total} of ${wanted} monitors are there after the collection was applied.`]),
      ...mistakesIn(first.words, items, 'created'),
      ...mistakesIn(again.words, items, 'unchanged'),
    ],
  }
}

/** The command shows the first outcomes, and how many items were applied. */
function mistakesIn(words: string, items: number, outcome: string): string[] {
  const others = [...words.matchAll(/^Monitor\/\S+ +(\w+)/gm)].filter(([, shown]) => shown !== outcome)
  if (others.length === 0 && words.includes(outcome) && words.endsWith(`${items} of ${items} items applied.`))
    return []
  return [`The command said: ${words.slice(0, 300)} … ${words.slice(-200)}`]
}

async function applyWhileChecked(service: Service, targets: Targets, data: string, file: string) {
  let applied = { seconds: 0, commandRssBytes: 0, words: '' }
  let delayMs: number | null = null
  const checksPerSecond = running.monitors / running.intervalSeconds
  const work = { url: service.url, controlPort: targets.control, checksPerSecond }
  const checks = await checksDuring(work, async () => {
    delayMs = await scheduleDelay(service.url, async () => {
      applied = await apply(service, data, file)
    })
  })
  return { ...applied, delayMs, undone: undoneChecks(checks) }
}

async function apply({ url }: Service, data: string, file: string) {
  const startedMs = performance.now()
  const launcher = join(import.meta.dirname, '..', launcherPath)
  const words = [launcher, 'apply', '-f', file, '--wait', '--server', url, '--data', data]
  const command = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let commandRssBytes = 0
  const watch = setInterval(() => {
    // The command may just have ended.
    if (command.exitCode === null) commandRssBytes = Math.max(commandRssBytes, peakRssBytes(command.pid!))
  }, 500)
  const [said] = await Promise.all([text(command.stdout), once(command, 'exit')])
  clearInterval(watch)
  if (command.exitCode !== 0) throw new Error(`The command ended with ${command.exitCode}: ${said}`)
  return { seconds: (performance.now() - startedMs) / 1000, commandRssBytes, words: said.trim() }
}

async function writeCollection(file: string, items: number, targets: Targets): Promise<void> {
  const shape: FleetShape = { ...running, intervalSeconds: createdIntervalSeconds }
  const stream = createWriteStream(file)
  for (let from = 0; from < items; from += linesAtOnce) {
    const count = Math.min(linesAtOnce, items - from)
    const lines = Array.from({ length: count }, (_, index) => `${lineOf(from + index, shape, targets)}\n`)
    if (!stream.write(lines.join(''))) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
}

function lineOf(number: number, shape: FleetShape, targets: Targets): string {
  const metadata = {
    id: `bulk-${number}`,
    name: `Created in bulk ${number}`,
    labels: { slice: `s${number % 100}` },
  }
  return JSON.stringify({
    apiVersion: 'pulseward/v2',
    kind: 'Monitor',
    metadata,
    spec: monitorSpec(number % shape.monitors, shape, targets),
  })
}
