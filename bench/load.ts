// bench/load.ts: how long a fleet takes from files to a validated definition, and what it costs in memory.
// Each format is loaded in a process of its own, so that the peak is that format's alone.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface LoadFigures {
  readonly format: string
  readonly monitors: number
  readonly seconds: number
  readonly peak_rss_bytes: number
}

export function load(options: Record<string, string>): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-load-'))
  try {
    const runs = [
      measure('yaml', writeYamlFolder(folder, Number(options['yaml-monitors'] ?? 100_000))),
      measure('ndjson', writeNdjson(folder, Number(options['monitors'] ?? 1_000_000))),
    ]
    console.error('format    monitors   seconds   peak RSS')
    for (const run of runs) {
      const size = `${Math.round(run.peak_rss_bytes / 1e6)} MB`
      console.error(
        `${run.format.padEnd(8)} ${String(run.monitors).padStart(9)} ${run.seconds.toFixed(2).padStart(9)} ${size.padStart(10)}`,
      )
    }
    return { ...runs.at(-1), runs }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The median of three: a neighbour on the same machine can cost a single run a second. */
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
  const files = 100
  for (let file = 0; file < files; file++) {
    let text = 'version: 1\nmonitors:\n'
    for (let index = 0; index < count / files; index++) text += yamlMonitor(file * (count / files) + index)
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
