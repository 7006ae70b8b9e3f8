// bench/trends.ts: the cost of trends: disk per day, memory and time per check of a large fleet at `light` and of a small
// one at `full`, and how long a year of one monitor takes to read. Works in a temporary folder that is deleted at the
// end; prints a table on stderr and returns the figures. What was counted must be in the store, or the run fails.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { dataDirectory } from '../packages/server/src/store/data-directory.ts'
import { emptyBatch } from '../packages/server/src/store/record-types.ts'
import { SqliteStore } from '../packages/server/src/store/sqlite/sqlite-store.ts'
import { fleetBlock, type TrendQuery } from '../packages/server/src/store/trend.ts'
import { CountedCell } from '../packages/server/src/trends/cell.ts'
import { encodeClosedBlock, TREND_BLOCK_MONITORS } from '../packages/server/src/trends/closed-block.ts'
import { encodeFleetCell } from '../packages/server/src/trends/counted-block.ts'
import { cellAt } from '../packages/server/src/trends/levels.ts'
import { duration, text, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { percentile } from './median.ts'
import { TrendFleet, type TrendFleetOptions } from './trend-fleet.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const beginMs = Date.UTC(2026, 0, 5)
/** After the end of a day, when it may be added up and all of its blocks are closed. */
const afterDayMs = 11 * 60_000
const rowsAtOnce = 500
const yearDays = 365
const yearBlocks = 24
const reads = 40

export const trends = defineBenchmark({
  about: 'Trends: disk per day, memory and time per check, light and full, and a year of one monitor.',
  flags: {
    light: wholeNumber(1_000_000, 'monitors of the fleet whose trends are light'),
    full: wholeNumber(10_000, 'monitors of the fleet whose trends are full'),
    interval: duration(60, 'how often each is checked'),
    hours: wholeNumber(4, 'simulated hours, the first of which is not measured', 2),
    directory: text('FOLDER', tmpdir(), 'where the store lies'),
  },
  run: (given) => measureIn(given.directory, given),
})

interface Amounts {
  readonly light: number
  readonly full: number
  readonly interval: number
  readonly hours: number
}

async function measureIn(folder: string, { light, full, interval, hours }: Amounts): Promise<Measurement> {
  const directory = mkdtempSync(join(folder, 'pulseward-bench-'))
  try {
    const undone: string[] = []
    const figures: Record<string, number> = {}
    for (const [setting, monitors] of [
      ['light', light],
      ['full', full],
    ] as const) {
      const options = { setting, monitors, intervalMs: interval * 1_000, beginMs }
      const measured = await measureFleet(join(directory, setting), options, hours, undone)
      for (const [name, value] of Object.entries(measured)) figures[`${setting}_${name}`] = value
    }
    Object.assign(figures, await measureYear(join(directory, 'year'), undone))
    for (const [name, value] of Object.entries(figures))
      console.error(`${name.replaceAll('_', ' ').padEnd(42)}${value.toLocaleString('en-US').padStart(14)}`)
    return { figures, undone }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measureFleet(directory: string, options: TrendFleetOptions, hours: number, undone: string[]) {
  const { monitors, setting } = options
  const before = memoryInUse()
  const fleet = new TrendFleet(options)
  let store = await openWith(directory, monitors, () => fleet.nowMs)
  const reopened = async () => {
    await store[Symbol.asyncDispose]()
    store = await openWith(directory, monitors, () => fleet.nowMs)
    return statSync(dataDirectory(directory).database).size
  }
  // Some minutes more than an hour, so that all its blocks are closed.
  await fleet.pass(hourMs + afterDayMs, store)
  const afterFirst = await reopened()
  const bytes = memoryInUse() - before
  const { samples: samplesBefore } = fleet.counted
  const cpuBefore = { ...fleet.cpu }
  await fleet.pass((hours - 1) * hourMs, store)
  const afterLast = await reopened()
  const samples = fleet.counted.samples - samplesBefore
  const perCheck = (name: keyof typeof cpuBefore) =>
    thousandths((fleet.cpu[name] - cpuBefore[name]) / samples)
  undone.push(...(await missing(fleet, store, setting)))

  fleet.nowMs = beginMs + dayMs + afterDayMs
  const began = performance.now()
  while ((await store.retain(fleet.nowMs, rowsAtOnce)) > 0);
  const addUpMs = performance.now() - began
  const withDay = await reopened()
  const day = { level: 'day', from: cellAt('day', beginMs), to: cellAt('day', beginMs) } as const
  if ((await store.readTrend({ ...day, numericId: monitors })).length !== 1)
    undone.push(`${setting}: the day was not added up.`)
  await store[Symbol.asyncDispose]()
  return {
    monitors,
    disk_mb_per_day: rounded((((afterLast - afterFirst) / (hours - 1)) * 24 + withDay - afterLast) / 1e6),
    memory_mb: rounded(bytes / 1e6),
    cells_mb: rounded(cellBytes(fleet) / 1e6),
    check_us: perCheck('controllerUs'),
    store_us_per_check: perCheck('storeUs'),
    add_up_day_ms: rounded(addUpMs),
  }
}

/** Everything counted is in the store: in closed blocks and in open ones. */
async function missing(fleet: TrendFleet, store: SqliteStore, setting: 'light' | 'full'): Promise<string[]> {
  const sentences: string[] = []
  for (const level of setting === 'full'
    ? (['hour', 'fiveMinutes', 'minute'] as const)
    : (['hour'] as const)) {
    const window = { level, from: cellAt(level, beginMs), to: cellAt(level, fleet.nowMs) }
    const stored = await samplesOf(store, { ...window, numericId: null })
    const ofFirst = await samplesOf(store, { ...window, numericId: 1 })
    // What was counted since the last checkpoint is missing: ten seconds, and a minute of one monitor.
    if (stored > fleet.counted.samples || stored < fleet.counted.samples * 0.99)
      sentences.push(`${setting}: ${stored} of ${fleet.counted.samples} samples of the fleet are stored.`)
    if (ofFirst > fleet.counted.ofFirst || ofFirst < fleet.counted.ofFirst - 10)
      sentences.push(`${setting}: ${ofFirst} of ${fleet.counted.ofFirst} samples of a monitor are stored.`)
  }
  return sentences
}

/** A store with a year of days and a month of hours of some thousand monitors. */
async function measureYear(directory: string, undone: string[]) {
  const monitors = yearBlocks * TREND_BLOCK_MONITORS - 1
  let nowMs = beginMs
  const open = () => openWith(directory, monitors, () => nowMs)
  let store = await open()
  for (let day = 0; day < yearDays; day++) {
    const hours = day >= yearDays - 30 ? 24 : 1
    for (let hour = 0; hour < hours; hour++)
      await store.commit({ ...emptyBatch, trends: closedHour(cellAt('hour', nowMs) + hour) })
    nowMs += dayMs
    while ((await store.retain(nowMs + afterDayMs, rowsAtOnce)) > 0);
  }
  await store[Symbol.asyncDispose]()
  store = await open()
  const last = cellAt('day', nowMs) - 1
  const year = { level: 'day', from: last - yearDays + 1, to: last } as const
  const month = { level: 'hour', from: (last - 29) * 24, to: last * 24 + 23 } as const
  const times = { year: [] as number[], month: [] as number[] }
  for (let read = 0; read < reads; read++) {
    const numericId = 1 + ((read * 1_009) % monitors)
    for (const [name, query, wanted] of [
      ['year', year, yearDays],
      ['month', month, 720],
    ] as const) {
      const began = performance.now()
      const cells = await store.readTrend({ ...query, numericId })
      times[name].push(performance.now() - began)
      if (cells.length !== wanted) undone.push(`A ${name} had ${cells.length} of ${wanted} cells.`)
    }
  }
  await store[Symbol.asyncDispose]()
  return {
    year_p50_ms: rounded(percentile(times.year, 0.5) ?? 0),
    year_p99_ms: rounded(percentile(times.year, 0.99) ?? 0),
    month_of_hours_p50_ms: rounded(percentile(times.month, 0.5) ?? 0),
    month_of_hours_p99_ms: rounded(percentile(times.month, 0.99) ?? 0),
  }
}

function closedHour(cell: number) {
  const counted = new CountedCell()
  const cells = Array.from({ length: TREND_BLOCK_MONITORS }, (_, index) => {
    counted.clear()
    counted.failures = (index + cell) % 97 === 0 ? 3 : 0
    for (let sample = 0; sample < 60; sample++) counted.counts[8 + ((index * 7 + sample * sample) % 9)]!++
    return counted.summed()
  })
  const bytes = encodeClosedBlock(cells)
  const closed = { is: 'closed', level: 'hour', cell } as const
  return [
    ...Array.from({ length: yearBlocks }, (_, block) => ({ ...closed, block, bytes })),
    { ...closed, block: fleetBlock, bytes: encodeFleetCell(counted) },
  ]
}

/** The store knows the highest number of a monitor by its identity. */
async function openWith(directory: string, monitors: number, now: () => number): Promise<SqliteStore> {
  const store = await SqliteStore.open({ directory, now })
  const identity = { monitorId: 'last', numericId: monitors, revision: 1, removedAt: null }
  await store.commit({ ...emptyBatch, identities: [{ ...identity, fingerprint: '', checkFingerprint: '' }] })
  return store
}

async function samplesOf(store: SqliteStore, query: TrendQuery): Promise<number> {
  return (await store.readTrend(query)).reduce((sum, { samples }) => sum + samples, 0)
}

function cellBytes({ cells: { levels } }: TrendFleet): number {
  return [levels.hour, levels.fiveMinutes, levels.minute].reduce(
    (sum, level) => sum + (level?.monitors.bytes ?? 0),
    0,
  )
}

/** Memory of buffers, which hold the cells: the heap also shrinks when code of other benchmarks is discarded. */
function memoryInUse(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
