// bench/check.ts: what one check of each driver costs in CPU, through the real runner and the real network, beside a
// bare socket loop in the same run. Rounds of both alternate and the median counts, so that a busy machine troubles
// both alike; targets are other processes on loopback, whose CPU is not counted.
import type { CheckDriver } from '../packages/server/src/checks/driver.ts'
import { checks } from '../packages/server/src/checks/registry.ts'
import { runCheck } from '../packages/server/src/checks/runner.ts'
import { systemClock } from '../packages/server/src/platform/clock.ts'
import { createCheckNetwork } from '../packages/server/src/platform/network/check-network.ts'
import { loadLibcSockets } from '../packages/server/src/platform/network/libc-sockets.ts'
import { certificates } from '../packages/testing/src/targets/certificates.ts'
import { BareDns, type BareProbe, bareHttp, bareHttps, barePing, bareTcp, type Probe } from './bare-probes.ts'
import { ChildProcesses } from './child-processes.ts'
import type { Targets } from './fleet-file.ts'
import { median } from './median.ts'

interface Case {
  readonly name: string
  readonly driver: keyof typeof checks
  readonly config: Record<string, unknown>
  readonly bare: () => BareProbe | Promise<BareProbe>
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
  const cases = await prepareCases(children)
  const drivers: Cost[] = []
  console.error('check                 µs CPU      bare  overhead')
  for (const each of cases) {
    const cost = await measure(each, rounds)
    drivers.push(cost)
    const cells = [cost.cpu_us, cost.bare_us, cost.overhead_us].map((value) => value.toFixed(1).padStart(10))
    console.error(cost.name.padEnd(18) + cells.join(''))
  }
  const measured = new Set<string>(cases.map(({ driver }) => driver))
  const unmeasured = Object.keys(checks).filter((name) => !measured.has(name))
  if (unmeasured.length > 0) console.error(`not measured here: ${unmeasured.join(', ')}`)
  return { rounds, in_flight: inFlight, drivers, unmeasured }
}

async function prepareCases(children: ChildProcesses): Promise<Case[]> {
  const { live } = await children.helper<Targets>('fleet-targets.ts', ['2', '0'])
  const secure = await children.helper<{ port: number }>('tls-target.ts')
  const resolver = await children.helper<{ address: string }>('fleet-resolver.ts')
  const [httpPort, port] = live as [number, number]
  const url = `http://${host}:${httpPort}/health`
  const expect = { body: { contains: 'ok' } }
  const tls = { ca: certificates.authority }
  const secureUrl = `https://${host}:${secure.port}/health`
  const bareOfHttp = () => bareHttp(httpPort)
  const bareOfHttps = () => bareHttps(secure.port, tls.ca)
  const name = 'host-1.fleet.test'
  const dnsConfig = { host: name, server: resolver.address }
  const bareOfDns = () => BareDns.open(Number(resolver.address.split(':')[1]), name)
  return [
    { name: 'http', driver: 'http', config: { url }, bare: bareOfHttp, checks: 2_000 },
    { name: 'http with body', driver: 'http', config: { url, expect }, bare: bareOfHttp, checks: 2_000 },
    { name: 'https', driver: 'http', config: { url: secureUrl, tls }, bare: bareOfHttps, checks: 200 },
    { name: 'tcp', driver: 'tcp', config: { host, port }, bare: () => bareTcp(port), checks: 3_000 },
    { name: 'dns', driver: 'dns', config: dnsConfig, bare: bareOfDns, checks: 4_000 },
    ...(await pingCases()),
  ]
}

/** None where this machine permits no echo socket: starting a ping process each time is not what is measured. */
async function pingCases(): Promise<Case[]> {
  const libc = await loadLibcSockets()
  if (libc === null) return []
  const trial = barePing(libc)
  if (trial === null) return []
  trial[Symbol.dispose]()
  const bare = () => barePing(libc)!
  return [{ name: 'icmp', driver: 'icmp', config: { host, count: 1 }, bare, checks: 4_000 }]
}

async function measure(each: Case, rounds: number): Promise<Cost> {
  const oursUs: number[] = []
  const bareUs: number[] = []
  // The first rounds are compiled rather than measured.
  for (let round = -2; round < rounds; round++) {
    const [ours, bare] = [await roundOfOurs(each), await roundOfBare(each)]
    if (round < 0) continue
    oursUs.push(ours)
    bareUs.push(bare)
  }
  const [cpu_us, bare_us] = [median(oursUs), median(bareUs)]
  return { name: each.name, cpu_us, bare_us, overhead_us: cpu_us - bare_us }
}

/** A network for each round: a raw echo socket that lay open would be full of the replies to the other's requests. */
async function roundOfOurs({ name, driver, config, checks: count }: Case): Promise<number> {
  using network = createCheckNetwork({ allowLinkLocal: false, resolvers: [] }, systemClock)
  const job = { driver: checks[driver] as CheckDriver, config, timeoutMs, retries: 0, secrets: [] }
  const probe: Probe = () =>
    new Promise((resolve, reject) => {
      runCheck(job, network, systemClock, ({ status, reason }) =>
        status === 'success' ? resolve() : reject(new Error(`${name}: ${reason}`)),
      )
    })
  return await cpuUsOf(probe, count)
}

async function roundOfBare({ bare, checks: count }: Case): Promise<number> {
  using opened = await bare()
  return await cpuUsOf(opened.probe, count)
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
