// bench/contender-blackbox.ts: blackbox_exporter, asked for each probe when it is due by a process of ours, as Prometheus
// would. The cost of asking is not counted, the cost of being asked is.
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isExecutable } from '@pulseward/testing/files'
import { type Contender, peerEnvironment } from './contender.ts'
import { type PeerFleet, timeoutSeconds } from './peer-fleet.ts'
import type { ProbeSchedule } from './probe-schedule.ts'

/** Relative to where it is started. */
const authorityFile = 'authority.pem'
const debianProgram = 'prometheus-blackbox-exporter'
const startWithinMs = 10_000

/** Null where Debian's package is not installed. */
export function findExporter(): string | null {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, debianProgram))
  return places.find(isExecutable) ?? null
}

export function blackbox(path: string): Contender {
  return {
    name: 'blackbox_exporter',
    fileName: 'blackbox.yml',
    configuration: modules,
    async start({ children, file, folder, fleet, port }) {
      if (fleet.authority !== undefined) writeFileSync(join(folder, authorityFile), fleet.authority)
      const address = `127.0.0.1:${port}`
      const flags = [`--config.file=${file}`, `--web.listen-address=${address}`, '--log.level=error']
      const child = children.start(path, flags, {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: peerEnvironment(),
      })
      const exporter = `http://${address}`
      const startedMs = performance.now()
      while (!(await isHealthy(exporter))) {
        if (child.exitCode !== null || performance.now() - startedMs > startWithinMs)
          throw new Error('blackbox_exporter did not start')
        await sleep(50)
      }
      const schedule: ProbeSchedule = { exporter, fleet }
      await children.helper('probe-schedule.ts', [JSON.stringify(schedule)])
      return child.pid!
    },
  }
}

function modules(fleet: PeerFleet): string {
  const { type, serverName } = fleet
  const prober = type === 'tcp' ? 'tcp' : 'http'
  const trust = type === 'https' ? { tls_config: { ca_file: authorityFile, server_name: serverName } } : {}
  return JSON.stringify({
    modules: {
      [type]: {
        prober,
        timeout: `${timeoutSeconds(fleet)}s`,
        [prober]: { preferred_ip_protocol: 'ip4', ...trust },
      },
    },
  })
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/-/healthy`).then(
    (answer) => answer.ok,
    () => false,
  )
}
