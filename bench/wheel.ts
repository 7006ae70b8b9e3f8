// bench/wheel.ts: what it costs to keep a million monitors on time. The scheduler runs through simulated time
// (its pure cost) and through real time (with the timer that drives it), compared with one setTimeout per
// monitor in the same process. Limited by its options; prints a table on stderr and returns the figures.
import { setTimeout as sleep } from 'node:timers/promises'
import { Scheduler } from '../packages/server/src/checking/schedule/scheduler.ts'
import { TICK_MS } from '../packages/server/src/checking/schedule/timing-wheel.ts'
import { stableHash } from '../packages/server/src/platform/string-hash.ts'
import { duration, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'

/** Share of the checks that become due: slightly fewer start at the edges of a short measurement. */
const leastDoneShare = 0.9

interface Measured {
  readonly cpuPercent: number
  readonly checksPerSecond: number
  /** How late the worst check was. */
  readonly worstDelayMs: number
  /** Time slots dropped after a stall: they have no delay, so the worst delay means nothing without their count. */
  readonly missed: number
}

export const wheel = defineBenchmark({
  about: 'What it costs to know which of many monitors is due, beside one timer each.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors that are kept on time'),
    interval: duration(60, 'how often each is due'),
    simulated: wholeNumber(60, 'simulated seconds'),
    seconds: wholeNumber(5, 'real seconds'),
  },
  run: ({ monitors, interval, simulated, seconds }) =>
    measureAll(monitors, interval * 1_000, simulated, seconds),
})

async function measureAll(
  monitors: number,
  intervalMs: number,
  simulatedSeconds: number,
  realSeconds: number,
): Promise<Measurement> {
  const hashes = new Uint32Array(monitors)
  for (let monitor = 0; monitor < monitors; monitor++) hashes[monitor] = stableHash(`monitor-${monitor}`)

  const simulated = simulate(hashes, intervalMs, simulatedSeconds)
  const real = await driveInRealTime(hashes, intervalMs, realSeconds)
  const timers = await runTimers(hashes, intervalMs, realSeconds)

  const rows: [label: string, Measured][] = [
    [`scheduler, ${simulatedSeconds} s simulated`, simulated],
    [`scheduler, ${realSeconds} s real`, real],
    [`one setTimeout each, ${realSeconds} s real`, timers],
  ]
  printTable(monitors, intervalMs, rows)
  const wantedPerSecond = monitors / (intervalMs / 1_000)
  const undone = rows
    .filter(([, { checksPerSecond }]) => checksPerSecond < wantedPerSecond * leastDoneShare)
    .map(
      ([label, { checksPerSecond }]) =>
        `${label}: ${checksPerSecond} of ${wantedPerSecond} checks per second.`,
    )
  const figures = {
    monitors,
    simulated_cpu_percent: simulated.cpuPercent,
    simulated_checks_per_second: simulated.checksPerSecond,
    scheduler_cpu_percent: real.cpuPercent,
    scheduler_checks_per_second: real.checksPerSecond,
    scheduler_worst_delay_ms: real.worstDelayMs,
    scheduler_missed: real.missed,
    timers_cpu_percent: timers.cpuPercent,
    timers_checks_per_second: timers.checksPerSecond,
    timers_worst_delay_ms: timers.worstDelayMs,
  }
  return { figures, undone }
}

/** A scheduler whose checks end at once, with the count and the worst delay of what it started. */
function schedulerOf(hashes: Uint32Array, intervalMs: number, nowMs: number, wallMs: number) {
  const seen = { started: 0, missed: 0, worstDelayMs: 0, nowMs }
  const scheduler: Scheduler = new Scheduler(hashes.length, nowMs, wallMs, {
    due: (monitor, scheduledMs) => {
      seen.started++
      seen.worstDelayMs = Math.max(seen.worstDelayMs, seen.nowMs - scheduledMs)
      scheduler.finished(monitor)
      return true
    },
    missed: (_monitor, _firstMs, count) => {
      seen.missed += count
    },
    disturbed: () => undefined,
    identityHash: (monitor) => hashes[monitor]!,
  })
  for (const monitor of hashes.keys()) {
    scheduler.enroll(monitor, { intervalMs, everChecked: true }, nowMs, wallMs)
  }
  const advance = (now: number, wall: number) => {
    seen.nowMs = now
    scheduler.advance(now, wall)
  }
  return { seen, advance }
}

function simulate(hashes: Uint32Array, intervalMs: number, seconds: number): Measured {
  const { seen, advance } = schedulerOf(hashes, intervalMs, 0, 0)
  const before = process.cpuUsage()
  for (let nowMs = TICK_MS; nowMs <= seconds * 1_000; nowMs += TICK_MS) advance(nowMs, nowMs)
  return measured(process.cpuUsage(before), seconds, seen.started, seen.worstDelayMs, seen.missed)
}

async function driveInRealTime(hashes: Uint32Array, intervalMs: number, seconds: number): Promise<Measured> {
  const { seen, advance } = schedulerOf(hashes, intervalMs, performance.now(), Date.now())
  // Enrolment took longer than a tick; what became due meanwhile is not measured.
  advance(performance.now(), Date.now())
  Object.assign(seen, { started: 0, missed: 0, worstDelayMs: 0 })
  const before = process.cpuUsage()
  const driver = setInterval(() => advance(performance.now(), Date.now()), TICK_MS)
  await sleep(seconds * 1_000)
  clearInterval(driver)
  return measured(process.cpuUsage(before), seconds, seen.started, seen.worstDelayMs, seen.missed)
}

async function runTimers(hashes: Uint32Array, intervalMs: number, seconds: number): Promise<Measured> {
  const timers: NodeJS.Timeout[] = new Array(hashes.length)
  const dueMs = new Float64Array(hashes.length)
  let started = 0
  let worstDelayMs = 0
  const fire = (monitor: number) => {
    const nowMs = performance.now()
    started++
    worstDelayMs = Math.max(worstDelayMs, nowMs - dueMs[monitor]!)
    dueMs[monitor]! += intervalMs
    timers[monitor] = setTimeout(fire, dueMs[monitor]! - nowMs, monitor)
  }
  // Arming a million timers takes seconds: the first are due only after that.
  const firstMs = performance.now() + hashes.length / 200
  for (const [monitor, hash] of hashes.entries()) {
    dueMs[monitor] = firstMs + (hash / 0x1_0000_0000) * intervalMs
    timers[monitor] = setTimeout(fire, dueMs[monitor]! - performance.now(), monitor)
  }
  await sleep(Math.max(0, firstMs - performance.now()))
  started = 0
  worstDelayMs = 0
  const before = process.cpuUsage()
  const beganMs = performance.now()
  await sleep(seconds * 1_000)
  const took = (performance.now() - beganMs) / 1_000
  const result = measured(process.cpuUsage(before), took, started, worstDelayMs, 0)
  for (const timer of timers) clearTimeout(timer)
  return result
}

function measured(
  cpu: NodeJS.CpuUsage,
  seconds: number,
  started: number,
  worstDelayMs: number,
  missed: number,
): Measured {
  const cpuSeconds = (cpu.user + cpu.system) / 1_000_000
  return {
    cpuPercent: (100 * cpuSeconds) / seconds,
    checksPerSecond: started / seconds,
    worstDelayMs,
    missed,
  }
}

function printTable(monitors: number, intervalMs: number, rows: [label: string, Measured][]): void {
  const line = (label: string, ...cells: string[]) =>
    console.error(label.padEnd(34) + cells.map((cell) => cell.padStart(14)).join(''))
  console.error(`wheel: ${monitors.toLocaleString('en-US')} monitors at ${intervalMs / 1_000} s`)
  line('', '% of a core', 'checks/s', 'worst delay', 'missed')
  for (const [label, { cpuPercent, checksPerSecond, worstDelayMs, missed }] of rows) {
    line(
      label,
      cpuPercent.toFixed(2),
      checksPerSecond.toFixed(0),
      `${worstDelayMs.toFixed(1)} ms`,
      `${missed}`,
    )
  }
}
