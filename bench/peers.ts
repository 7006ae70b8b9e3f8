// bench/peers.ts: how many checks a second of CPU buys, ours beside a native prober's, in one run against the same
// targets in another process. Ours is the whole service, from the fleet file to the status that the API shows; theirs
// answers a load generator that costs it only its /probe requests. Rounds of both alternate and the median counts.
import { setTimeout as sleep } from 'node:timers/promises'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { type Exporter, exporterModules, findExporter, startExporter } from './blackbox-exporter.ts'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { checksDuring } from './fleet-work.ts'
import { median } from './median.ts'
import type { ProbeLoad, ProbeLoadResult } from './probe-load.ts'
import { cpuSeconds } from './process-usage.ts'
import { startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { undoneChecks } from './work-done.ts'

type CheckType = 'http' | 'tcp'

interface Measured {
  readonly seconds: number
  readonly checks: number
  readonly cpuSeconds: number
  readonly succeeded: number
  readonly undone: readonly string[]
}

interface Comparison {
  readonly ours_per_cpu_second: number
  readonly theirs_per_cpu_second: number
  readonly ratio: number
  readonly ours_per_second: number
  readonly planned_per_second: number
  /** Of the worst round of either. */
  readonly least_success_percent: number
  readonly undone: readonly string[]
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
const leastSuccessShare = 0.99

export const peers = defineBenchmark({
  about: "Checks per CPU second, ours beside prometheus-blackbox-exporter's.",
  flags: {
    seconds: wholeNumber(10, 'how long each round of each is measured'),
    rounds: wholeNumber(3, 'rounds of each; the median counts'),
  },
  run: ({ seconds, rounds }) => {
    const exporterPath = findExporter()
    if (exporterPath !== null) return compareWith(exporterPath, seconds, rounds)
    const sentence = 'prometheus-blackbox-exporter is not installed here: install it, then try again.'
    return { figures: { available: false }, undone: [sentence] }
  },
})

async function compareWith(exporterPath: string, seconds: number, rounds: number): Promise<Measurement> {
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
  const { undone: undoneHttp, ...http } = await compare('http')
  const { undone: undoneTcp, ...tcp } = await compare('tcp')
  return { figures: { available: true, http, tcp }, undone: [...undoneHttp, ...undoneTcp] }
}

function comparison(type: CheckType, ours: readonly Measured[], theirs: readonly Measured[]): Comparison {
  const perCpuSecond = ({ checks, cpuSeconds }: Measured) => checks / cpuSeconds
  const oursPerCpu = median(ours.map(perCpuSecond))
  const theirsPerCpu = median(theirs.map(perCpuSecond))
  const ratio = oursPerCpu / theirsPerCpu
  const cells = [oursPerCpu.toFixed(0), theirsPerCpu.toFixed(0), ratio.toFixed(1)]
  console.error(type.padEnd(24) + cells.map((cell) => cell.padStart(10)).join(''))
  const all = [...ours, ...theirs]
  return {
    ours_per_cpu_second: oursPerCpu,
    theirs_per_cpu_second: theirsPerCpu,
    ratio,
    ours_per_second: median(ours.map(({ checks, seconds }) => checks / seconds)),
    planned_per_second: monitors[type] / intervalSeconds,
    least_success_percent: 100 * Math.min(...all.map(({ checks, succeeded }) => succeeded / checks)),
    undone: all.flatMap(({ undone }) => undone.map((sentence) => `${type}: ${sentence}`)),
  }
}

async function measureOurs(type: CheckType, targets: Targets, seconds: number): Promise<Measured> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const shape: FleetShape = {
    monitors: monitors[type],
    intervalSeconds,
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
  const cpuBefore = cpuSeconds(pid)
  const checksPerSecond = shape.monitors / intervalSeconds
  const watched = { url, controlPort: targets.control, checksPerSecond }
  const done = await checksDuring(watched, () => sleep(seconds * 1_000))
  return {
    seconds,
    checks: done.finished,
    cpuSeconds: cpuSeconds(pid) - cpuBefore,
    succeeded: done.succeeded,
    undone: undoneChecks(done),
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
    succeeded,
    undone:
      succeeded < checks * leastSuccessShare || checks === 0
        ? [`${succeeded} of ${checks} probes of the exporter succeeded.`]
        : [],
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
