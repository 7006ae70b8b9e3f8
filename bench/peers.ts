// bench/peers.ts: how many checks a second of CPU buys, ours beside a native prober's, in one run against the same
// targets in another process. Ours is the whole service, from the fleet file to the status that the API shows; theirs
// answers a load generator that costs it only its /probe requests. Rounds of both alternate and the median counts.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Exporter, exporterModules, findExporter, startExporter } from './blackbox-exporter.ts'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { median } from './median.ts'
import type { ProbeLoad, ProbeLoadResult } from './probe-load.ts'
import { cpuSeconds } from './process-usage.ts'
import { completedChecks, get, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'

type CheckType = 'http' | 'tcp'

interface Measured {
  readonly seconds: number
  readonly checks: number
  readonly cpuSeconds: number
  readonly upPercent: number
}

interface Comparison {
  readonly ours_per_cpu_second: number
  readonly theirs_per_cpu_second: number
  readonly ratio: number
  readonly ours_per_second: number
  readonly planned_per_second: number
  /** Of the worst round of either. */
  readonly least_up_percent: number
}

/**
 * At this interval they keep well over half a core of the service busy. More would starve the targets on a machine
 * with two cores, and a check that waits for a starved target costs more than its share.
 */
const monitors = { http: 40_000, tcp: 80_000 }
const intervalSeconds = 5
/** Compiling and the first checks are over by then. */
const warmUpMs = 10_000
const theirWarmUpSeconds = 2
const inFlight = 32
/** Failures cost something else than successes: with more of them the figures mean little. */
const leastUpPercent = 99

export async function peers(options: Record<string, string>): Promise<Record<string, unknown>> {
  const exporterPath = findExporter()
  if (exporterPath === null) {
    console.error('prometheus-blackbox-exporter is not installed here: there is nothing to compare with.')
    return { available: false }
  }
  const seconds = Number(options['seconds'] ?? 10)
  const rounds = Number(options['rounds'] ?? 3)
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '0'])
  const exporter = await startExporter(children, exporterPath, folder.path)
  console.error('checks per second of CPU      ours    theirs     ratio')
  const compare = async (type: CheckType): Promise<Comparison> => {
    const theirs: Measured[] = []
    const ours: Measured[] = []
    for (let round = 0; round < rounds; round++) {
      theirs.push(await measureTheirs(exporter, type, targets, seconds))
      ours.push(await measureOurs(type, targets, seconds))
    }
    return comparison(type, ours, theirs)
  }
  return { available: true, http: await compare('http'), tcp: await compare('tcp') }
}

function comparison(type: CheckType, ours: readonly Measured[], theirs: readonly Measured[]): Comparison {
  const perCpuSecond = ({ checks, cpuSeconds }: Measured) => checks / cpuSeconds
  const oursPerCpu = median(ours.map(perCpuSecond))
  const theirsPerCpu = median(theirs.map(perCpuSecond))
  const ratio = oursPerCpu / theirsPerCpu
  const cells = [oursPerCpu.toFixed(0), theirsPerCpu.toFixed(0), ratio.toFixed(1)]
  console.error(type.padEnd(24) + cells.map((cell) => cell.padStart(10)).join(''))
  const up = Math.min(...[...ours, ...theirs].map(({ upPercent }) => upPercent))
  if (up < leastUpPercent)
    console.error('  The machine was too busy: many checks failed, and these figures mean little.')
  return {
    ours_per_cpu_second: oursPerCpu,
    theirs_per_cpu_second: theirsPerCpu,
    ratio,
    ours_per_second: median(ours.map(({ checks, seconds }) => checks / seconds)),
    planned_per_second: monitors[type] / intervalSeconds,
    least_up_percent: up,
  }
}

async function measureOurs(type: CheckType, targets: Targets, seconds: number): Promise<Measured> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const shape: FleetShape = {
    monitors: monitors[type],
    interval: `${intervalSeconds}s`,
    type,
    deadPercent: 0,
    names: false,
  }
  const { pid, url } = await startService(children, {
    fleetFile: writeFleet(folder.path, shape, targets),
    edition: 'candidate',
    resolver: null,
  })
  await sleep(warmUpMs)
  const [checksBefore, cpuBefore] = [await completedChecks(url), cpuSeconds(pid)]
  await sleep(seconds * 1000)
  const [checksAfter, cpuAfter] = [await completedChecks(url), cpuSeconds(pid)]
  const { up_percent } = await get(url, 'overview')
  return {
    seconds,
    checks: checksAfter - checksBefore,
    cpuSeconds: cpuAfter - cpuBefore,
    upPercent: up_percent,
  }
}

async function measureTheirs(
  exporter: Exporter,
  type: CheckType,
  targets: Targets,
  seconds: number,
): Promise<Measured> {
  await probeFor(exporter, type, targets, theirWarmUpSeconds)
  const cpuBefore = cpuSeconds(exporter.pid)
  const { succeeded, failed } = await probeFor(exporter, type, targets, seconds)
  const checks = succeeded + failed
  return {
    seconds,
    checks,
    cpuSeconds: cpuSeconds(exporter.pid) - cpuBefore,
    upPercent: (succeeded / checks) * 100,
  }
}

function probeFor(
  { url }: Exporter,
  type: CheckType,
  { live }: Targets,
  seconds: number,
): Promise<ProbeLoadResult> {
  const addresses = live.map((port, number) => `127.0.0.${1 + (number % 8)}:${port}`)
  const load: ProbeLoad = {
    exporter: url,
    module: exporterModules[type],
    targets:
      type === 'tcp' ? addresses : addresses.map((address, n) => `http://${address}/service/${n}/health`),
    inFlight,
    seconds,
  }
  return runLoad(load)
}

async function runLoad(load: ProbeLoad): Promise<ProbeLoadResult> {
  using children = new ChildProcesses()
  return await children.helper<ProbeLoadResult>('probe-load.ts', [JSON.stringify(load)])
}
