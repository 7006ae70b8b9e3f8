// demo/past.ts: a month before the demo began, made up so that there are trends and closed incidents to look at. Nothing in
// it happened: it is a function of the seed and the time, written into the empty store by the store's own interface
// before the service opens it. The present is for the service itself to count.
import {
  beginOf,
  bucketOf,
  CountedCell,
  type CountedLevel,
  cellAt,
  emptyBatch,
  emptyCell,
  encodeClosedBlock,
  encodeFleetCell,
  fleetBlock,
  SqliteStore,
  type StoredEvent,
  TREND_BLOCK_MONITORS,
  type TrendCell,
  type TrendWrite,
  trendLevels,
} from '@pulseward/server'
import { draw } from './draws.ts'
import { type DemoMonitor, monitor, type Ports } from './fleet.ts'
import { rackCount, usualDelayMs, type World } from './life.ts'
import { eventsOf } from './past-events.ts'
import { type Outage, outagesOf } from './past-outages.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const pastDays = 29
const fiveMinuteDays = 1.5
const minuteHours = 6

interface Subject {
  readonly monitor: DemoMonitor
  readonly number: number
  readonly intervalMs: number
  readonly usualMs: number
  /** Its own, and those of the rack that it is in. */
  readonly outages: readonly Outage[]
}

export async function writePast(directory: string, world: World, ports: Ports, nowMs: number): Promise<void> {
  const subjects = subjectsOf(world, ports, nowMs)
  await using store = await SqliteStore.open({ directory, now: () => nowMs })
  const identities = subjects.map(({ monitor: { id }, number }) => ({
    monitorId: id,
    numericId: number + 1,
    revision: 1,
    // The service notices that it has seen neither, and counts a new revision.
    fingerprint: 'made-up',
    checkFingerprint: 'made-up',
    removedAt: null,
  }))
  await store.commit({ ...emptyBatch, identities })
  await store.commit({ ...emptyBatch, trends: cellsOf(world, subjects, 'hour', pastDays * dayMs, nowMs) })
  const recent = cellsOf(world, subjects, 'fiveMinutes', fiveMinuteDays * dayMs, nowMs)
  await store.commit({ ...emptyBatch, trends: recent })
  const minutes = cellsOf(world, subjects, 'minute', minuteHours * hourMs, nowMs)
  await store.commit({ ...emptyBatch, trends: minutes })
  const events = subjects.flatMap((subject) => pastEvents(world, subject))
  await store.commit({ ...emptyBatch, events: events.sort((one, other) => one.at - other.at) })
}

function subjectsOf(world: World, ports: Ports, nowMs: number): Subject[] {
  const span = { fromMs: nowMs - pastDays * dayMs, toMs: nowMs - 2 * hourMs }
  const ofRacks = Array.from({ length: rackCount }, (_, rack) => outagesOf(world, rack, span))
  return Array.from({ length: world.monitors }, (_, number) => {
    const described = monitor(world, ports, number)
    const rack = Number(/\d+$/.exec(described.depends_on?.[0] ?? '')?.[0]) - 1
    return {
      monitor: described,
      number,
      intervalMs: Number.parseInt(described.check.interval, 10) * 1_000,
      usualMs: usualDelayMs(world, number),
      outages: [...(ofRacks[number] ?? outagesOf(world, number, span)), ...(ofRacks[rack] ?? [])],
    }
  })
}

/** While the gateway of its rack is out, a monitor opens no incident. */
function pastEvents(world: World, { monitor, number, outages }: Subject): StoredEvent[] {
  return outages
    .filter(({ subject, isSlow }) => subject === number && !isSlow)
    .flatMap((outage) => eventsOf(world, outage, monitor, number + 1))
}

function cellsOf(
  world: World,
  subjects: readonly Subject[],
  level: CountedLevel,
  lengthMs: number,
  nowMs: number,
): TrendWrite[] {
  // The present cell is for the service to fill.
  const last = cellAt(level, nowMs) - 1
  const count = Math.floor(lengthMs / trendLevels[level].cellMs)
  return Array.from({ length: count }, (_, index) => last - count + 1 + index).flatMap((cell) =>
    cellWrites(world, subjects, level, cell),
  )
}

function cellWrites(
  world: World,
  subjects: readonly Subject[],
  level: CountedLevel,
  cell: number,
): TrendWrite[] {
  const closed = { is: 'closed', level, cell } as const
  const fleet = new CountedCell()
  const cells = subjects.map((subject) => {
    const counted = cellOf(world, subject, level, cell)
    addTo(fleet, counted)
    return counted
  })
  // The first place belongs to number 0, which no monitor has.
  const placed = [emptyCell, ...cells]
  const blocks = Array.from({ length: Math.ceil(placed.length / TREND_BLOCK_MONITORS) }, (_, block) => {
    const from = block * TREND_BLOCK_MONITORS
    return { ...closed, block, bytes: encodeClosedBlock(placed.slice(from, from + TREND_BLOCK_MONITORS)) }
  })
  return [...blocks, { ...closed, block: fleetBlock, bytes: encodeFleetCell(fleet) }]
}

/** Days are busier than nights, and no hour is like another. */
function cellOf(world: World, subject: Subject, level: CountedLevel, cell: number): TrendCell {
  const { cellMs } = trendLevels[level]
  const fromMs = beginOf(level, cell)
  const samples = Math.floor(cellMs / subject.intervalMs)
  const { failing, slow } = troubleIn(subject.outages, fromMs, fromMs + cellMs)
  const noise = draw(world.seed, subject.number, cell)
  const failures = Math.min(samples, Math.round(failing * samples) + (noise < 0.01 ? 1 : 0))
  const healthy = samples - failures
  if (healthy === 0) return { ...emptyCell, samples }
  const daytime = 1 - 0.5 * Math.cos((2 * Math.PI * (fromMs % dayMs)) / dayMs)
  const medianMs = subject.usualMs * daytime * (0.85 + 0.3 * noise) * (slow > 0.5 ? 12 : 1)
  const at = (factor: number) => bucketOf(medianMs * factor)
  return { samples, healthy, at25: at(0.8), at50: at(1), at75: at(1.3), at95: at(slow > 0 ? 14 : 1.8) }
}

/** Which shares of this time are outages, and which are slow. */
function troubleIn(outages: readonly Outage[], fromMs: number, toMs: number) {
  const share = { failing: 0, slow: 0 }
  for (const outage of outages) {
    const within = Math.min(toMs, outage.toMs) - Math.max(fromMs, outage.fromMs)
    if (within > 0) share[outage.isSlow ? 'slow' : 'failing'] += within / (toMs - fromMs)
  }
  return share
}

/** A cell has marks where the fleet has counts: a quarter of its samples stands at each. */
function addTo(fleet: CountedCell, { samples, healthy, at25, at50, at75, at95 }: TrendCell): void {
  const quarter = Math.floor(healthy / 4)
  fleet.failures += samples - healthy
  for (const mark of [at25, at75, at95]) fleet.counts[mark]! += quarter
  fleet.counts[at50]! += healthy - 3 * quarter
}
