// bench/idle.ts: what the service costs on a laptop with ten monitors. CPU time and memory from the kernel,
// after the start is over.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import type { Targets } from './fleet-file.ts'
import { cpuSeconds, peakRssBytes, rssBytes, sleepsByThread } from './process-usage.ts'
import { startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { readCheckCounts } from './work-done.ts'

const monitors = 10
const intervalSeconds = 30
/** The runtime collects the garbage of a start some 20 seconds after it. */
const settleMs = 30_000

export const idle = defineBenchmark({
  about: 'What the service costs a laptop: ten monitors, nothing else.',
  flags: { seconds: wholeNumber(60, 'how long it is watched, after its start', intervalSeconds) },
  run: ({ seconds }) => watch(seconds),
})

async function watch(seconds: number): Promise<Measurement> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const { live } = await children.helper<Targets>('fleet-targets.ts', ['2', '0'])
  const fleetFile = join(folder.path, 'fleet.json')
  const check = (number: number) => ({
    type: 'http',
    interval: `${intervalSeconds}s`,
    config: { url: `http://127.0.0.1:${live[number % 2]}/${number}` },
  })
  const fleet = Array.from({ length: monitors }, (_, number) => ({
    name: `Monitor ${number}`,
    check: check(number),
  }))
  writeFileSync(fleetFile, JSON.stringify({ monitors: fleet }))
  // Started twice: the first run fills the compile cache, which every later start of a user finds.
  {
    using first = new ChildProcesses()
    await startService(first, { fleetFile, edition: 'candidate', resolver: null })
  }
  const { pid, url, startSeconds } = await startService(children, {
    fleetFile,
    edition: 'candidate',
    resolver: null,
  })
  await sleep(settleMs)
  const before = cpuSeconds(pid)
  const sleepsBefore = sleepsByThread(pid)
  const checksBefore = await readCheckCounts(url)
  await sleep(seconds * 1000)
  const result = {
    monitors,
    seconds,
    cpu_percent_of_core: ((cpuSeconds(pid) - before) / seconds) * 100,
    rss_bytes: rssBytes(pid),
    peak_rss_bytes: peakRssBytes(pid),
    ready_seconds: startSeconds,
    wakeups_per_second: wakeupsPerSecond(sleepsBefore, sleepsByThread(pid), seconds),
  }
  const checks = await readCheckCounts(url)
  const succeeded = checks.succeeded - checksBefore.succeeded
  // Each monitor is checked once in every whole interval.
  const least = monitors * Math.floor(seconds / intervalSeconds)
  for (const [name, value] of Object.entries(result))
    console.error(`${name.padEnd(22)} ${JSON.stringify(value)}`)
  return {
    figures: { ...result, checks_succeeded: succeeded },
    undone: succeeded < least ? [`${succeeded} checks succeeded; ${least} should have.`] : [],
  }
}

function wakeupsPerSecond(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  seconds: number,
): Record<string, number> {
  const rates: Record<string, number> = {}
  for (const [name, count] of after)
    rates[name] = Math.round(((count - (before.get(name) ?? 0)) / seconds) * 10) / 10
  return rates
}
