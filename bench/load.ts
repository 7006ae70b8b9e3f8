// bench/load.ts: how long a fleet takes from files to a validated definition, and what it costs in memory. Each format is
// loaded in a separate process, so that the peak is that format's alone. A service is started over the same NDJSON file in
// turns with that: how many times as long it takes says what a start does beside reading, whatever the machine does.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { median } from './median.ts'
import { startService, stopService } from './service-process.ts'

interface LoadFigures {
  readonly format: string
  readonly monitors: number
  readonly seconds: number
  readonly peak_rss_bytes: number
}

/** What a start takes, in times of the load. */
interface StartFigures {
  /** Without a store. */
  readonly first_seconds: number
  readonly first_ratio: number
  /** With the store of the one before, over changed files. */
  readonly changed_seconds: number
  readonly changed_ratio: number
}

const yamlFiles = 100
const rounds = 3
const barRatio = 1.3

export const load = defineBenchmark({
  about: 'From the files of a fleet to a validated definition: time and memory.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors in one NDJSON file'),
    'yaml-monitors': wholeNumber(100_000, `monitors in ${yamlFiles} YAML files`, yamlFiles),
  },
  run: (wanted) => measureBoth(wanted.monitors, wanted['yaml-monitors']),
})

async function measureBoth(monitors: number, yamlMonitors: number): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-load-'))
  try {
    const inYaml = Math.floor(yamlMonitors / yamlFiles) * yamlFiles
    const { ndjson, start } = await measureStarts(writeNdjson(folder, monitors), monitors)
    const runs = [measure('yaml', writeYamlFolder(folder, inYaml)), ndjson]
    const undone = [inYaml, monitors].flatMap((written, index) =>
      runs[index]!.monitors === written
        ? []
        : [`${runs[index]!.monitors} of ${written} monitors were loaded from ${runs[index]!.format}.`],
    )
    console.error('format    monitors   seconds   peak RSS')
    for (const run of runs) {
      const size = `${Math.round(run.peak_rss_bytes / 1e6)} MB`
      console.error(
        `${run.format.padEnd(8)} ${String(run.monitors).padStart(9)} ${run.seconds.toFixed(2).padStart(9)} ${size.padStart(10)}`,
      )
    }
    for (const kind of ['first', 'changed'] as const) {
      const [seconds, ratio] = [start[`${kind}_seconds`], start[`${kind}_ratio`]]
      console.error(
        `${kind.padEnd(8)} start ${seconds.toFixed(2).padStart(13)} s, ${ratio.toFixed(2)} × the load (bar ${barRatio} for a million)`,
      )
    }
    return { figures: { ...ndjson, ...start, runs }, undone }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Loads and starts in turns: what the machine does meanwhile is the same for both. The medians count. */
async function measureStarts(file: string, monitors: number) {
  const loads: LoadFigures[] = []
  const first: number[] = []
  const changed: number[] = []
  for (let round = 0; round < rounds; round++) {
    const data = join(dirname(file), `data-${round}`)
    loads.push(measureOnce('ndjson', file))
    first.push(await secondsToStart(file, data))
    appendFileSync(file, `${JSON.stringify(monitor(monitors + round))}\n`)
    changed.push(await secondsToStart(file, data))
    rmSync(data, { recursive: true })
  }
  const ndjson = { ...middle(loads), monitors: loads[0]!.monitors }
  const start: StartFigures = {
    first_seconds: median(first),
    first_ratio: median(first) / ndjson.seconds,
    changed_seconds: median(changed),
    changed_ratio: median(changed) / ndjson.seconds,
  }
  return { ndjson, start }
}

async function secondsToStart(fleetFile: string, data: string): Promise<number> {
  using children = new ChildProcesses()
  const service = await startService(children, { fleetFile, data, edition: 'candidate', resolver: null })
  await stopService(service, 'SIGTERM')
  return service.startSeconds
}

/** The median of three: other work on the same machine can cost a single run a second. */
function measure(format: string, path: string): LoadFigures {
  return middle(Array.from({ length: rounds }, () => measureOnce(format, path)))
}

function middle(runs: readonly LoadFigures[]): LoadFigures {
  return runs.toSorted((left, right) => left.seconds - right.seconds)[Math.floor(runs.length / 2)]!
}

function measureOnce(format: string, path: string): LoadFigures {
  const child = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('load-child.ts', import.meta.url)), path],
    { encoding: 'utf8' },
  )
  if (child.status !== 0) throw new Error(`loading ${format} failed: ${child.stderr}`)
  return { format, ...JSON.parse(child.stdout) }
}

/** On loopback: the service that is started may check it, and nothing listens there. */
function monitor(number: number): object {
  return {
    id: `service-${number}`,
    name: `Service ${number} of the ${number % 2 ? 'eastern' : 'western'} region`,
    tags: [`team-${number % 40}`],
    check: {
      type: 'http',
      interval: '60s',
      timeout: '5s',
      config: { url: `http://127.0.${number % 250}.7:8080/health/${number}` },
    },
  }
}

function writeNdjson(folder: string, count: number): string {
  const file = join(folder, 'fleet.ndjson')
  for (let from = 0; from < count; from += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, count - from) }, (_, index) =>
      JSON.stringify(monitor(from + index)),
    )
    writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'a' })
  }
  return file
}

function writeYamlFolder(folder: string, count: number): string {
  const path = join(folder, 'yaml')
  mkdirSync(path)
  for (let file = 0; file < yamlFiles; file++) {
    let text = 'version: 1\nmonitors:\n'
    for (let index = 0; index < count / yamlFiles; index++)
      text += yamlMonitor(file * (count / yamlFiles) + index)
    writeFileSync(join(path, `${String(file).padStart(3, '0')}.yaml`), text)
  }
  return path
}

function yamlMonitor(number: number): string {
  return `  - id: service-${number}
    name: Service ${number} of the ${number % 2 ? 'eastern' : 'western'} region
    tags: [team-${number % 40}]
    check:
      type: http
      interval: 60s
      timeout: 5s
      config: { url: "http://127.0.${number % 250}.7:8080/health/${number}" }
`
}
