// bench/fuzz.ts: many hostile requests against a real service of each edition. Fails if one is answered with
// an undocumented 5xx, shows a secret, gets no answer or no HTTP, or if memory grows with their number.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fuzzApi, type V2Tokens } from '@pulseward/testing/fuzz'
import { createPrincipal } from '../packages/server/src/access/edit-principals.ts'
import { type Role, roles } from '../packages/server/src/access/roles.ts'
import { dataDirectory, makeDirectory } from '../packages/server/src/store/data-directory.ts'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses, firstLine } from './child-processes.ts'
import { inspectorPort, LiveHeap } from './live-heap.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const token = 'Zx9-a-token-that-must-never-leave'
const mebibyte = 1024 * 1024
/** Growth of the live heap between the middle and the end, when caches and pools are as full as they get. */
const mostGrowthBytes = 1.5 * mebibyte

const monitors = ['One', '<b>Two</b>', 'Three'].map((name, index) => ({
  id: `m-${index + 1}`,
  name,
  check: { type: 'tcp', interval: '1s', config: { host: '127.0.0.1', port: 1 } },
}))

export const fuzz = defineBenchmark({
  about: 'Hostile requests against every edition: none may break, leak or grow the service.',
  flags: {
    requests: wholeNumber(100_000, 'requests to main and candidate together', 4),
    'v2-requests': wholeNumber(200_000, 'requests to next, most of them to v2', 4),
    seed: wholeNumber(1, 'the seed of every random choice'),
  },
  async run({ requests, seed, 'v2-requests': v2Requests }) {
    const main = await fuzzEdition('main', requests / 2, seed)
    const candidate = await fuzzEdition('candidate', requests / 2, seed)
    const next = await fuzzEdition('next', v2Requests, seed)
    return {
      figures: {
        requests,
        v2_requests: v2Requests,
        seed,
        main: main.figures,
        candidate: candidate.figures,
        next: next.figures,
      },
      undone: [...main.undone, ...candidate.undone, ...next.undone],
    }
  },
})

async function fuzzEdition(edition: string, requests: number, seed: number): Promise<Measurement> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const inspector = await inspectorPort()
  const v2 = edition === 'next' ? { v2: makePrincipals(join(folder.path, 'data')) } : {}
  const { pid, port } = await startGuarded(children, folder.path, edition, inspector)
  using heap = await LiveHeap.open(pid, inspector)
  const began = performance.now()
  const first = await fuzzApi({ port, token, seed, requests: requests / 2, ...v2 })
  const middleBytes = await heap.bytes()
  // Different requests than before: each lane uses a thousandth of a seed.
  const second = await fuzzApi({ port, token, seed: seed + 0.5, requests: requests / 2, ...v2 })
  const endBytes = await heap.bytes()
  const seconds = (performance.now() - began) / 1000
  const sent = first.sent + second.sent
  const answered = first.answered + second.answered
  const statuses = sumOf(first.statuses, second.statuses)
  const findings = [...first.findings, ...second.findings]
  console.error(`${edition.padEnd(10)} ${sent} sent, ${answered} answered in ${seconds.toFixed(0)} s`)
  console.error(`${' '.repeat(10)} ${JSON.stringify(statuses)}`)
  console.error(
    `${' '.repeat(10)} ${(middleBytes / mebibyte).toFixed(1)} MiB of heap needed half-way, ${(endBytes / mebibyte).toFixed(1)} MiB at the end`,
  )
  for (const finding of findings) console.error(`  ${finding}`)
  const isFlat = endBytes - middleBytes <= mostGrowthBytes
  const undone = [
    ...(findings.length > 0 ? [`${edition} answered ${findings.length} requests wrongly.`] : []),
    ...(isFlat ? [] : [`The memory of ${edition} grew with the number of requests.`]),
    ...(sent < requests - 4 ? [`${sent} of ${requests} requests were sent to ${edition}.`] : []),
  ]
  return {
    figures: { sent, answered, seconds, statuses, findings: findings.length, middleBytes, endBytes, isFlat },
    undone,
  }
}

function makePrincipals(data: string): V2Tokens {
  makeDirectory(data)
  const files = dataDirectory(data)
  const tokenOf = (role: Role): string => {
    const jobTypes = role === 'worker' ? ['any'] : []
    return createPrincipal(files, { name: `the-${role}`, role, expiresMs: null, jobTypes }).token
  }
  const [reader = '', operator = '', worker = ''] = roles.map(tokenOf)
  return { reader, operator, worker, secret: 'Zx9-a-value-that-must-never-leave' }
}

async function startGuarded(
  children: ChildProcesses,
  folder: string,
  edition: string,
  inspector: number,
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
    PULSEWARD_TOKEN: token,
    PULSEWARD_PROXIES: '127.0.0.1',
    PULSEWARD_CORS: 'https://status.example',
    NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspector}`,
  }
  const child = children.start(process.execPath, [launcher, 'serve', ...words], {
    env: { ...process.env, ...environment },
  })
  const url = new URL((await firstLine(child)).split(/\s+/)[1]!)
  return { pid: child.pid!, port: Number(url.port) }
}

function sumOf(one: Readonly<Record<number, number>>, other: Readonly<Record<number, number>>) {
  const sum: Record<string, number> = { ...one }
  for (const [status, count] of Object.entries(other)) sum[status] = (sum[status] ?? 0) + count
  return sum
}
