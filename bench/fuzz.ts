// bench/fuzz.ts: hostile requests, many of them, against a real service of each edition. Fails when one is answered with a
// 5xx that is not documented, shows the token, gets no answer or no HTTP, or when memory grows with their number.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fuzzApi } from '../packages/testing/src/api-fuzz/fuzz-api.ts'
import { ChildProcesses, firstLine } from './child-processes.ts'
import { rssBytes } from './process-usage.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const token = 'Zx9-a-token-that-must-never-leave'
const mebibyte = 1024 * 1024
/** Between the middle and the end, when caches and pools are as full as they get. */
const mostGrowthBytes = 48 * mebibyte

const monitors = ['One', '<b>Two</b>', 'Three'].map((name, index) => ({
  ...{ id: `m-${index + 1}`, name },
  check: { type: 'tcp', interval: '1s', config: { host: '127.0.0.1', port: 1 } },
}))

export async function fuzz(options: Record<string, string>): Promise<Record<string, unknown>> {
  const requests = Number(options['requests'] ?? 100_000)
  const seed = Number(options['seed'] ?? 1)
  const result: Record<string, unknown> = { requests, seed }
  for (const edition of ['main', 'candidate'])
    result[edition] = await fuzzEdition(edition, requests / 2, seed)
  return result
}

async function fuzzEdition(
  edition: string,
  requests: number,
  seed: number,
): Promise<Record<string, unknown>> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const { pid, port } = await startGuarded(children, folder.path, edition)
  const memory: number[] = []
  const began = performance.now()
  const { sent, answered, statuses, findings } = await fuzzApi({
    ...{ port, token, seed, requests },
    onProgress: () => memory.push(rssBytes(pid)),
  })
  const seconds = (performance.now() - began) / 1000
  const middleBytes = Math.max(...memory.slice(0, Math.ceil(memory.length / 2)))
  const endBytes = rssBytes(pid)
  console.error(`${edition.padEnd(10)} ${sent} sent, ${answered} answered in ${seconds.toFixed(0)} s`)
  console.error(`${' '.repeat(10)} ${JSON.stringify(statuses)}`)
  console.error(
    `${' '.repeat(10)} RSS ${Math.round(middleBytes / mebibyte)} MiB half-way, ${Math.round(endBytes / mebibyte)} MiB at the end`,
  )
  for (const finding of findings) console.error(`  ${finding}`)
  const isFlat = endBytes - middleBytes <= mostGrowthBytes
  if (findings.length > 0 || !isFlat) process.exitCode = 1
  return { sent, answered, seconds, statuses, findings: findings.length, middleBytes, endBytes, isFlat }
}

async function startGuarded(
  children: ChildProcesses,
  folder: string,
  edition: string,
): Promise<{ pid: number; port: number }> {
  const fleetFile = join(folder, 'fleet.json')
  writeFileSync(fleetFile, JSON.stringify({ version: 1, monitors }))
  const launcher = fileURLToPath(new URL('../packages/cli/bin/pulseward.js', import.meta.url))
  const flags = {
    config: fleetFile,
    edition,
    listen: '127.0.0.1:0',
    data: join(folder, 'data'),
    'log-level': 'error',
  }
  const words = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
  const environment = {
    ...{ PULSEWARD_TOKEN: token, PULSEWARD_PROXIES: '127.0.0.1', PULSEWARD_CORS: 'https://status.example' },
  }
  const child = children.start(process.execPath, [launcher, 'serve', ...words], {
    env: { ...process.env, ...environment },
  })
  const url = new URL((await firstLine(child)).split(/\s+/)[1]!)
  return { pid: child.pid!, port: Number(url.port) }
}
