// bench/blackbox-exporter.ts: Debian's prometheus-blackbox-exporter on one core, where it is installed.
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isExecutable } from '@pulseward/testing/files'
import type { ChildProcesses } from './child-processes.ts'

const program = 'prometheus-blackbox-exporter'
const startWithinMs = 10_000

export const exporterModules = { http: 'http_2xx', tcp: 'tcp_connect' } as const

const configuration = `modules:
  http_2xx: { prober: http, timeout: 5s, http: { preferred_ip_protocol: ip4 } }
  tcp_connect: { prober: tcp, timeout: 5s, tcp: { preferred_ip_protocol: ip4 } }
`

export interface Exporter {
  readonly pid: number
  readonly url: string
}

/** Null where it is not installed. */
export function findExporter(): string | null {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program))
  return places.find(isExecutable) ?? null
}

/** taskset becomes the exporter, so the child's id is the exporter's. */
export async function startExporter(
  children: ChildProcesses,
  path: string,
  folder: string,
): Promise<Exporter> {
  const file = join(folder, 'blackbox.yml')
  writeFileSync(file, configuration)
  const address = `127.0.0.1:${await freePort()}`
  const flags = [`--config.file=${file}`, `--web.listen-address=${address}`, '--log.level=error']
  const child = children.start('taskset', ['--cpu-list', '0', path, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GOMAXPROCS: '1' },
  })
  const url = `http://${address}`
  const startedMs = performance.now()
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || performance.now() - startedMs > startWithinMs)
      throw new Error(`${program} did not start`)
    await sleep(50)
  }
  return { pid: child.pid!, url }
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/-/healthy`).then(
    (answer) => answer.ok,
    () => false,
  )
}

/** The exporter cannot choose one itself and say which. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
