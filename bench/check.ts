// bench/check.ts: what one check of each driver costs in CPU, through the real runner and the real network, beside a
// bare socket loop in the same run. Rounds of both alternate and the median counts, so that a busy machine troubles
// both alike; targets are other processes on loopback, whose CPU is not counted.
import type { CheckDriver } from '../packages/server/src/checks/driver.ts'
import { checks } from '../packages/server/src/checks/registry.ts'
import { runCheck } from '../packages/server/src/checks/runner.ts'
import { systemClock } from '../packages/server/src/platform/clock.ts'
import { createCheckNetwork } from '../packages/server/src/platform/network/check-network.ts'
import { loadLibcSockets } from '../packages/server/src/platform/network/libc-sockets.ts'
import type { Network } from '../packages/server/src/platform/network/network.ts'
import { certificates } from '../packages/testing/src/targets/certificates.ts'
import { BareDns, bareHttp, bareHttps, barePing, bareTcp, type Probe } from './bare-probes.ts'
import { ChildProcesses } from './child-processes.ts'
import type { Targets } from './fleet-file.ts'

interface Case {
  readonly name: string
  readonly driver: keyof typeof checks
  readonly config: Record<string, unknown>
  readonly bare: Probe
  /** In each round. */
  readonly checks: number
}

interface Cost {
  readonly name: string
  readonly cpu_us: number
  readonly bare_us: number
  readonly overhead_us: number
}

const host = '127.0.0.1'
const inFlight = 64
const timeoutMs = 10_000

export async function check(options: Record<string, string>): Promise<Record<string, unknown>> {
  const rounds = Number(options['rounds'] ?? 9)
  using children = new ChildProcesses()
  using owned = new DisposableStack()
  const network = owned.use(createCheckNetwork({ allowLinkLocal: false, resolvers: [] }, systemClock))
  const cases = await prepareCases(children, owned)
  const drivers: Cost[] = []
  console.error('check                 µs CPU      bare  overhead')
  for (const each of cases) {
    const cost = await measure(each, network, rounds)
    drivers.push(cost)
    const cells = [cost.cpu_us, cost.bare_us, cost.overhead_us].map((value) => value.toFixed(1).padStart(10))
    console.error(cost.name.padEnd(18) + cells.join(''))
  }
  const measured = new Set<string>(cases.map(({ driver }) => driver))
  const unmeasured = Object.keys(checks).filter((name) => !measured.has(name))
  if (unmeasured.length > 0) console.error(`not measured here: ${unmeasured.join(', ')}`)
  return { rounds, in_flight: inFlight, drivers, unmeasured }
}

async function prepareCases(children: ChildProcesses, owned: DisposableStack): Promise<Case[]> {
  const { live } = await children.helper<Targets>('fleet-targets.ts', ['2', '0'])
  const secure = await children.helper<{ port: number }>('tls-target.ts')
  const resolver = await children.helper<{ address: string }>('fleet-resolver.ts')
  const [httpPort, tcpPort] = live as [number, number]
  const name = 'host-1.fleet.test'
  const dns = owned.use(await BareDns.open(Number(resolver.address.split(':')[1]), name))
  const libc = await loadLibcSockets()
  const ping = owned.use(libc === null ? null : barePing(libc))
  const url = `http://${host}:${httpPort}/health`
  const expect = { body: { contains: 'ok' } }
  const httpsConfig = { url: `https://${host}:${secure.port}/health`, tls: { ca: certificates.authority } }
  const pingCase: Case[] =
    ping === null
      ? []
      : [{ name: 'icmp', driver: 'icmp', config: { host, count: 1 }, bare: ping.probe, checks: 4_000 }]
  return [
    { name: 'http', driver: 'http', config: { url }, bare: bareHttp(httpPort), checks: 2_000 },
    {
      name: 'http with body',
      driver: 'http',
      config: { url, expect },
      bare: bareHttp(httpPort),
      checks: 2_000,
    },
    {
      name: 'https',
      driver: 'http',
      config: httpsConfig,
      bare: bareHttps(secure.port, certificates.authority),
      checks: 200,
    },
    { name: 'tcp', driver: 'tcp', config: { host, port: tcpPort }, bare: bareTcp(tcpPort), checks: 3_000 },
    {
      name: 'dns',
      driver: 'dns',
      config: { host: name, server: resolver.address },
      bare: dns.probe,
      checks: 4_000,
    },
    ...pingCase,
  ]
}

async function measure(
  { name, driver, config, bare, checks: count }: Case,
  network: Network,
  rounds: number,
) {
  const job = {
    driver: checks[driver] as CheckDriver,
    config,
    timeoutMs,
    retries: 0,
    secrets: [],
  }
  const ours: Probe = () =>
    new Promise((resolve, reject) => {
      runCheck(job, network, systemClock, ({ status, reason }) =>
        status === 'success' ? resolve() : reject(new Error(`${name}: ${reason}`)),
      )
    })
  const oursUs: number[] = []
  const bareUs: number[] = []
  // The first rounds are compiled rather than measured.
  for (let round = -2; round < rounds; round++) {
    const [cpu, bareCpu] = [await cpuUsOf(ours, count), await cpuUsOf(bare, count)]
    if (round < 0) continue
    oursUs.push(cpu)
    bareUs.push(bareCpu)
  }
  const [cpu_us, bare_us] = [median(oursUs), median(bareUs)]
  return { name, cpu_us, bare_us, overhead_us: cpu_us - bare_us }
}

/** Of this process with all its threads, for one probe of many that overlap. */
async function cpuUsOf(probe: Probe, count: number): Promise<number> {
  let left = count
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await probe()
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)]!
}
