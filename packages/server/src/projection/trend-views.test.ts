// Windows of trends over a store that was filled by hand: when they are complete, how today gets into days, and which
// incidents belong to them.
import type { TrendWindow } from '@pulseward/contract'
import { batch, event, identity, monitorIdOf } from '@pulseward/testing/store'
import { describe, expect, it } from 'vitest'
import type { OpenWindow } from '../deciding/maintenance-windows.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { fleetBlock, type TrendWrite } from '../store/trend.ts'
import { CountedCell } from '../trends/cell.ts'
import { encodeClosedBlock } from '../trends/closed-block.ts'
import { encodeFleetCell } from '../trends/counted-block.ts'
import { type CountedLevel, cellAt } from '../trends/levels.ts'
import { TrendViews } from './trend-views.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 2, 10, 12, 2)

interface Given {
  readonly level?: CountedLevel
  readonly intervalMs?: number
  readonly checksPerSecond?: number
  readonly maintenance?: readonly OpenWindow[] | null
}

/** A monitor with the number 5, and the cells of a level from so many ago up to the present one, as they are asked for. */
class Filled {
  readonly store = new MemoryStore(() => now)
  readonly views: TrendViews
  readonly #level: CountedLevel
  position = 0

  constructor({ level = 'hour', intervalMs = 10_000, checksPerSecond = 0.1, maintenance = [] }: Given = {}) {
    this.#level = level
    this.views = new TrendViews({
      store: this.store,
      engine: {
        now: () => now,
        rowOf: (numericId) => (numericId === 5 ? 0 : -1),
        commits: { position: Number.MAX_SAFE_INTEGER, change: 0, meanMs: 0, p99Ms: 0 },
        checksPerSecond,
        countsFiveMinutes: level === 'fiveMinutes',
        windowsBetween: () => maintenance,
      },
      fleet: {
        has: () => true,
        idOf: () => monitorIdOf(5),
        policyOf: () => ({ ...policy, intervalMs }),
      },
    })
  }

  async fill(cellsAgo: number, isCounted: (ago: number) => boolean = () => true): Promise<void> {
    const trends: TrendWrite[] = []
    for (let ago = 0; ago < cellsAgo; ago++) if (isCounted(ago)) trends.push(...this.#cells(ago))
    await this.store.commit(batch({ identities: [identity(5)], trends }))
  }

  async incident(id: number, openedAt: number, closedAt: number | null, numericId = 5): Promise<void> {
    const incidentId = `incident-${id}`
    const events = [event(numericId, { at: openedAt, incidentId })]
    if (closedAt !== null)
      events.push(
        event(numericId, { type: 'incident_closed', at: closedAt, incidentId, outcome: 'recovered' }),
      )
    await this.store.commit(batch({ identities: [identity(numericId)], events }))
  }

  #cells(ago: number): TrendWrite[] {
    const cell = cellAt(this.#level, now) - ago
    const counted = new CountedCell()
    counted.failures = 1
    counted.counts[10] = 9
    const closed = { is: 'closed', level: this.#level, cell } as const
    const cells = Array.from({ length: 6 }, () => counted.summed())
    return [
      { ...closed, block: 0, bytes: encodeClosedBlock(cells) },
      { ...closed, block: fleetBlock, bytes: encodeFleetCell(counted) },
    ]
  }
}

const policy = {
  type: 'http',
  enabled: true,
  timeoutMs: 1_000,
  unhealthyThreshold: 1,
  healthyThreshold: 1,
  retries: 0,
}

describe('a trend is complete', () => {
  const isComplete = async (given: Given, window: TrendWindow, counted?: (ago: number) => boolean) => {
    const filled = new Filled(given)
    await filled.fill(24 * 12, counted)
    const [ofOne, ofAll] = [await filled.views.monitor(5, window), await filled.views.fleet(window)]
    return [ofOne?.complete, ofAll.complete]
  }

  it('when every cell of the window was counted, the present one or not', async () => {
    for (const level of ['hour', 'fiveMinutes'] as const) {
      expect(await isComplete({ level }, '24h')).toEqual([true, true])
      expect(await isComplete({ level }, '24h', (ago) => ago > 0)).toEqual([true, true])
    }
  })

  it('not when a cell is missing, at either end or between', async () => {
    for (const missing of [1, 7, 23])
      expect(await isComplete({}, '24h', (ago) => ago !== missing)).toEqual([false, false])
    expect(await isComplete({}, '30d')).toEqual([false, false])
    expect(await isComplete({}, '24h', () => false)).toEqual([false, false])
  })

  it('also where checks are further apart than cells, up to their distance', async () => {
    const level = 'fiveMinutes'
    const everyHalfHour = (ago: number) => ago % 6 === 3
    const rare = { level, intervalMs: 30 * minute, checksPerSecond: 1 / 1_800 } as const
    expect(await isComplete(rare, '24h', everyHalfHour)).toEqual([true, true])
    expect(await isComplete({ ...rare, intervalMs: 10 * minute }, '24h', everyHalfHour)).toEqual([
      false,
      true,
    ])
    expect(await isComplete({ level, checksPerSecond: 0 }, '24h', everyHalfHour)).toEqual([false, false])
  })
})

it('a window ends with the present cell, and is as long as it says', async () => {
  const filled = new Filled()
  await filled.fill(800)
  for (const [window, cells] of [
    ['24h', 24],
    ['7d', 168],
    ['30d', 720],
  ] as const) {
    const trend = await filled.views.monitor(5, window)
    expect([trend?.cells.length, trend?.cells.at(-1)?.at]).toEqual([cells, '2026-03-10T12:00:00.000Z'])
    expect(trend?.availability).toBe(0.9)
  }
})

it('today and yesterday are added up from their hours until they are days, and counted once then', async () => {
  const filled = new Filled()
  await filled.fill(60)
  const days = async () =>
    (await filled.views.monitor(5, '90d'))?.cells.map(({ at, samples }) => [at, samples])
  // Days before yesterday are there when they have been added up.
  expect(await days()).toEqual([
    ['2026-03-09T00:00:00.000Z', 240],
    ['2026-03-10T00:00:00.000Z', 130],
  ])
  while ((await filled.store.retain(now, 500)) > 0);
  expect(await days()).toEqual([
    ['2026-03-08T00:00:00.000Z', 230],
    ['2026-03-09T00:00:00.000Z', 240],
    ['2026-03-10T00:00:00.000Z', 130],
  ])
  const fleet = await filled.views.fleet('90d')
  expect(fleet.cells.map(({ samples }) => samples)).toEqual([230, 240, 130])
})

describe('incidents of a trend', () => {
  it('are those that were open in the window, the newest first', async () => {
    const filled = new Filled()
    await filled.incident(1, now - 20 * day, now - 19 * day)
    await filled.incident(2, now - 3 * day, now - 10 * hour)
    await filled.incident(3, now - 5 * day, null, 6)
    await filled.incident(4, now - hour, null)
    const shown = async (window: TrendWindow) =>
      (await filled.views.monitor(5, window))?.incidents.map(({ opened_at, closed_at }) => [
        (now - Date.parse(opened_at)) / hour,
        closed_at === null ? null : (now - Date.parse(closed_at)) / hour,
      ])
    expect(await shown('24h')).toEqual([
      [1, null],
      [72, 10],
    ])
    expect(await shown('30d')).toHaveLength(3)
    expect((await filled.views.fleet('24h')).incidents).toHaveLength(3)
  })

  it('are the thousand newest where there are more', async () => {
    const filled = new Filled()
    for (let id = 0; id < 1_100; id++) await filled.incident(id, now - (2_000 - id) * 1_000, now - 100, id)
    const { incidents } = await filled.views.fleet('24h')
    expect(incidents).toHaveLength(1_000)
    expect(incidents[0]?.opened_at).toBe(new Date(now - 901_000).toISOString())
  })
})

describe('the maintenance in a trend', () => {
  it('is told as its windows are, and is not known where they are too many, nor for the fleet', async () => {
    const maintenance = [{ fromMs: now - 2 * hour, untilMs: now + hour }]
    const { views } = new Filled({ maintenance })
    expect((await views.monitor(5, '24h'))?.maintenance).toEqual([
      { begins_at: '2026-03-10T10:02:00.000Z', ends_at: '2026-03-10T13:02:00.000Z' },
    ])
    expect((await views.fleet('24h')).maintenance).toBeNull()
    expect((await new Filled().views.monitor(5, '24h'))?.maintenance).toEqual([])
    expect((await new Filled({ maintenance: null }).views.monitor(5, '24h'))?.maintenance).toBeNull()
  })
})
