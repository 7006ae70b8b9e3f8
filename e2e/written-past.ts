// e2e/written-past.ts: a history of ninety days for the first monitors of a fleet, written into a new store
// by the server's own code, before the service starts on it: trend cells as the service would have counted
// them, and the events of their incidents. It has outages, slow nights, and periods without data.

import { SqliteStore } from '@pulseward/server/internal/store/sqlite/sqlite-store.ts'
import { emptyEvent, type StoredEvent, type StoredIdentity } from '@pulseward/server/internal/store/store.ts'
import { fleetBlock, type TrendWrite } from '@pulseward/server/internal/store/trend.ts'
import { CountedCell } from '@pulseward/server/internal/trends/cell.ts'
import { encodeClosedBlock } from '@pulseward/server/internal/trends/closed-block.ts'
import { encodeFleetCell } from '@pulseward/server/internal/trends/counted-block.ts'
import { bucketOf } from '@pulseward/server/internal/trends/latency-buckets.ts'
import { beginOf, type CountedLevel, cellAt, trendLevels } from '@pulseward/server/internal/trends/levels.ts'
import { batch, identity } from '@pulseward/testing/store'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
const pastDays = 90
const rowsAtOnce = 500
/** Each commit waits for the disk. */
const daysAtOnce = 10

/** As time before now. */
interface Ago {
  readonly fromMs: number
  readonly toMs: number
}

/** Outages of the first monitor. The last two are older than the retention of events. */
const outages: readonly Ago[] = [
  { fromMs: 5 * hourMs, toMs: 4.5 * hourMs },
  { fromMs: 3 * dayMs, toMs: 3 * dayMs - 2 * hourMs },
  { fromMs: 12 * dayMs, toMs: 12 * dayMs - 40 * minuteMs },
  { fromMs: 47 * dayMs, toMs: 47 * dayMs - 9 * hourMs },
  { fromMs: 80 * dayMs, toMs: 79.5 * dayMs },
]

/** Periods without data: the service did not run. */
const silences: readonly Ago[] = [
  { fromMs: 15 * hourMs, toMs: 12 * hourMs },
  { fromMs: 20 * dayMs, toMs: 18 * dayMs },
  { fromMs: 64 * dayMs, toMs: 60 * dayMs },
]

/** Monitors are numbered from 1, in this order. */
export async function writePast(directory: string, monitorIds: readonly string[]): Promise<void> {
  const nowMs = Date.now()
  await using store = await SqliteStore.open({ directory, now: () => nowMs })
  const identities = monitorIds.map((monitorId, index): StoredIdentity => identity(index + 1, { monitorId }))
  await store.commit(batch({ identities }))
  const past = new Past(nowMs, monitorIds.length)
  const days = Array.from({ length: pastDays + 1 }, (_, index) => pastDays - index)
  for (let first = 0; first < days.length; first += daysAtOnce) {
    const trends = days.slice(first, first + daysAtOnce).flatMap((daysAgo) => past.cellsOf('hour', daysAgo))
    await store.commit(batch({ trends }))
  }
  await store.commit(batch({ trends: past.cellsOf('minute', 0) }))
  for (const daysAgo of [1, 0]) await store.commit(batch({ trends: past.cellsOf('fiveMinutes', daysAgo) }))
  while ((await store.retain(nowMs, rowsAtOnce)) > 0);
  await store.commit(batch({ events: eventsOf(monitorIds[0] ?? '', nowMs) }))
}

class Past {
  readonly #nowMs: number
  readonly #monitors: number

  constructor(nowMs: number, monitors: number) {
    this.#nowMs = nowMs
    this.#monitors = monitors
  }

  /** Without the present cell, which the service itself fills. */
  cellsOf(level: CountedLevel, daysAgo: number): TrendWrite[] {
    const endMs = this.#nowMs - daysAgo * dayMs
    const cells = dayMs / trendLevels[level].cellMs
    const last = cellAt(level, endMs) - 1
    return Array.from({ length: cells }, (_, index) => last - index).flatMap((cell) =>
      this.#cell(level, cell),
    )
  }

  #cell(level: CountedLevel, cell: number): TrendWrite[] {
    const { cellMs } = trendLevels[level]
    const fromMs = beginOf(level, cell)
    const agoMs = this.#nowMs - fromMs - cellMs / 2
    if (silences.some((silence) => isWithin(silence, agoMs))) return []
    const all = new CountedCell()
    const ofMonitors = Array.from({ length: this.#monitors }, (_, index) => {
      const counted = this.#counted(index, fromMs, cellMs)
      all.add(counted)
      return counted.summed()
    })
    const closed = { is: 'closed', level, cell } as const
    return [
      // The first place of a block belongs to number 0, which no monitor has.
      { ...closed, block: 0, bytes: encodeClosedBlock([new CountedCell().summed(), ...ofMonitors]) },
      { ...closed, block: fleetBlock, bytes: encodeFleetCell(all) },
    ]
  }

  /**
   * A check every half minute. Nights are slow; the first monitor fails in its outages, and every monitor
   * fails sometimes.
   */
  #counted(index: number, fromMs: number, cellMs: number): CountedCell {
    const counted = new CountedCell()
    const usualMs = 18 * (index + 1)
    for (let atMs = fromMs; atMs < fromMs + cellMs; atMs += minuteMs / 2) {
      const agoMs = this.#nowMs - atMs
      const noise = scatter(atMs / 1000 + index * 7_919)
      const hasFailed = (index === 0 && outages.some((outage) => isWithin(outage, agoMs))) || noise < 0.000_2
      if (hasFailed) {
        counted.failures++
        continue
      }
      const night = 1 + 0.8 * Math.max(0, Math.cos((2 * Math.PI * (atMs % dayMs)) / dayMs))
      const tail = noise > 0.93 ? 3 : 1 + noise / 4
      counted.counts[bucketOf(usualMs * night * tail)]!++
    }
    return counted
  }
}

function isWithin({ fromMs, toMs }: Ago, agoMs: number): boolean {
  return agoMs <= fromMs && agoMs > toMs
}

/** From 0 to 1, always the same for the same number. */
function scatter(seed: number): number {
  const mixed = Math.imul(Math.floor(seed) ^ 0x9e37_79b9, 0x85eb_ca6b)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

/** The failed check is markup, which must stay text. */
const opening = {
  kind: 'threshold',
  failures: 3,
  threshold: 3,
  failureClass: 'failure',
  failure: '<b>status 503</b>',
  failingMs: 30_000,
} as const

/** The events of each outage within the retention, in order. */
function eventsOf(monitorId: string, nowMs: number): StoredEvent[] {
  return outages
    .filter(({ fromMs }) => fromMs < 30 * dayMs)
    .toReversed()
    .flatMap((outage, number) => eventsOfOutage(outage, { monitorId, nowMs, number }))
}

function eventsOfOutage(
  { fromMs, toMs }: Ago,
  { monitorId, nowMs, number }: { monitorId: string; nowMs: number; number: number },
): StoredEvent[] {
  const incidentId = `past-incident-${number}`
  const event = (
    type: StoredEvent['type'],
    agoMs: number,
    parts: Partial<StoredEvent> = {},
  ): StoredEvent => ({
    ...emptyEvent,
    monitorId,
    numericId: 1,
    at: Math.round(nowMs - agoMs),
    type,
    revision: 1,
    incidentId,
    ...parts,
  })
  const recovery = { actionId: `past-recovery-${number}`, kind: 'intervention' } as const
  const red = { actionId: `past-red-${number}`, kind: 'code', color: 'red', endpoint: 'ops' } as const
  const pager = { actionId: `past-pager-${number}`, kind: 'code', color: 'red', endpoint: 'pager' } as const
  const green = { actionId: `past-green-${number}`, kind: 'code', color: 'green', endpoint: 'ops' } as const
  return [
    event('action_queued', fromMs, recovery),
    event('action_started', fromMs - 2_000, recovery),
    event('action_failed', fromMs - 9_000, {
      ...recovery,
      outcome: 'rejected',
      detail: { reason: 'exit code 1' },
    }),
    event('incident_opened', fromMs - 30_000, { because: opening }),
    event('action_queued', fromMs - 30_000, red),
    event('action_queued', fromMs - 30_000, pager),
    event('action_started', fromMs - 31_000, red),
    event('action_succeeded', fromMs - 32_000, { ...red, outcome: 'accepted' }),
    event('action_failed', fromMs - 35_000, {
      ...pager,
      outcome: 'rejected',
      detail: { reason: '=cmd|<b>HTTP 503</b>' },
    }),
    event('control_acknowledged', fromMs - 4 * minuteMs, {
      actor: 'mara',
      detail: { reason: 'looking at the load balancer' },
    }),
    event('incident_closed', toMs, { outcome: 'recovered' }),
    event('action_queued', toMs - 1_000, green),
    event('action_succeeded', toMs - 3_000, { ...green, outcome: 'accepted' }),
  ]
}
