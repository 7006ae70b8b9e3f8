// bench/load.ts: how long a fleet takes from files to a validated definition, and what it costs in memory.
// Each format is loaded in a separate process, so that the peak is that format's alone.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'

interface LoadFigures {
  readonly format: string
  readonly monitors: number
  readonly seconds: number
  readonly peak_rss_bytes: number
}

const yamlFiles = 100

export const load = defineBenchmark({
  about: 'From the files of a fleet to a validated definition: time and memory.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors in one NDJSON file'),
    'yaml-monitors': wholeNumber(100_000, `monitors in ${yamlFiles} YAML files`, yamlFiles),
  },
  run: (wanted) => measureBoth(wanted.monitors, wanted['yaml-monitors']),
})

function measureBoth(monitors: number, yamlMonitors: number): Measurement {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-load-'))
  try {
    const inYaml = Math.floor(yamlMonitors / yamlFiles) * yamlFiles
    const runs = [
      measure('yaml', writeYamlFolder(folder, inYaml)),
      measure('ndjson', writeNdjson(folder, monitors)),
    ]
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
    return { figures: { ...runs.at(-1), runs }, undone }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The median of three: other work on the same machine can cost a single run a second. */
function measure(format: string, path: string): LoadFigures {
  const runs = [1, 2, 3].map(() => measureOnce(format, path))
  return runs.sort((left, right) => left.seconds - right.seconds)[1]!
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

function monitor(number: number): object {
  return {
    id: `service-${number}`,
    name: `Service ${number} of the ${number % 2 ? 'eastern' : 'western'} region`,
    tags: [`team-${number % 40}`],
    check: {
      type: 'http',
      interval: '60s',
      timeout: '5s',
      config: { url: `http://10.0.${number % 250}.7:8080/health/${number}` },
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
      config: { url: "http://10.0.${number % 250}.7:8080/health/${number}" }
`
}
