// bench/peer-run.ts: measures one contender of `bench peers`: starts it, waits until every monitor was checked once, then
// measures for some seconds. Its cost is read from the kernel, its checks from the targets.
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChildProcesses } from './child-processes.ts'
import type { Contender } from './contender.ts'
import type { PeerFleet } from './peer-fleet.ts'
import { cpuSeconds, rssBytes } from './process-usage.ts'
import { TemporaryFolder } from './temporary-folder.ts'

/** What peer-targets.ts prints. */
export interface PeerTargets {
  readonly ports: readonly number[]
  readonly control: number
}

export interface SeenByPeerTargets {
  /** Since the targets started. */
  readonly checks: number
  /** Distinct monitors since the contender started. */
  readonly monitors: number
  /** Checks that resumed a TLS session, since the targets started. */
  readonly resumed: number
}

export interface PeerFigures {
  readonly name: string
  /** Seconds from its start; null if it did not get that far. */
  readonly all_checked_seconds: number | null
  readonly monitors_checked: number
  /** The following are for the measured seconds; null if there were none. */
  readonly checks: number | null
  readonly checks_due: number | null
  readonly resumed: number | null
  readonly cpu_us_per_check: number | null
  readonly rss_bytes: number | null
}

interface PeerRun {
  readonly fleet: PeerFleet
  readonly controlPort: number
  readonly seconds: number
  readonly startWithinSeconds: number
}

/** After every monitor was checked once: by then compiling is over, and so is the queue of the initial burst. */
const warmUpMs = 10_000
const pollMs = 100

export async function measureContender(contender: Contender, run: PeerRun): Promise<PeerFigures> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const { fleet, controlPort, seconds } = run
  const file = join(folder.path, contender.fileName)
  const port = await freePort()
  writeFileSync(file, contender.configuration(fleet, port))
  await forgetMonitors(controlPort)
  const startedMs = performance.now()
  const pid = await contender.start({ children, folder: folder.path, file, fleet, port })
  const deadlineMs = startedMs + run.startWithinSeconds * 1000
  let seen = await readSeen(controlPort)
  while (seen.monitors < fleet.monitors && performance.now() < deadlineMs && isRunning(pid)) {
    await sleep(pollMs)
    seen = await readSeen(controlPort)
  }
  const allCheckedSeconds = (performance.now() - startedMs) / 1000
  const unmeasured = {
    checks: null,
    checks_due: null,
    resumed: null,
    cpu_us_per_check: null,
    rss_bytes: null,
  }
  const reached = { name: contender.name, monitors_checked: seen.monitors }
  if (seen.monitors < fleet.monitors) return { ...reached, all_checked_seconds: null, ...unmeasured }
  await sleep(warmUpMs)
  if (!isRunning(pid)) return { ...reached, all_checked_seconds: allCheckedSeconds, ...unmeasured }
  return {
    ...reached,
    all_checked_seconds: allCheckedSeconds,
    ...(await watch(pid, fleet, controlPort, seconds)),
  }
}

async function watch(pid: number, fleet: PeerFleet, controlPort: number, seconds: number) {
  const before = await look(pid, controlPort)
  await sleep(seconds * 1000)
  const after = await look(pid, controlPort)
  const checks = after.checks - before.checks
  return {
    checks,
    resumed: after.resumed - before.resumed,
    checks_due: (fleet.monitors / fleet.intervalSeconds) * ((after.atMs - before.atMs) / 1000),
    cpu_us_per_check: checks === 0 ? null : ((after.cpuSeconds - before.cpuSeconds) / checks) * 1e6,
    rss_bytes: rssBytes(pid),
  }
}

async function look(pid: number, controlPort: number) {
  const { checks, resumed } = await readSeen(controlPort)
  return { checks, resumed, cpuSeconds: cpuSeconds(pid), atMs: performance.now() }
}

async function readSeen(controlPort: number): Promise<SeenByPeerTargets> {
  return (await (await fetch(`http://127.0.0.1:${controlPort}/`)).json()) as SeenByPeerTargets
}

async function forgetMonitors(controlPort: number): Promise<void> {
  await fetch(`http://127.0.0.1:${controlPort}/`, { method: 'DELETE' })
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/** The peers cannot choose a free port and report it. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
