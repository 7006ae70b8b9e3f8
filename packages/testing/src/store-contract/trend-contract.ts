// store-contract/trend-contract.ts: what every store promises about trends: a closed block is stored once, with what the
// cell had before; an open block is replaced; days are added up when they are over, and only then hours are removed.
import type { Store } from '@pulseward/server/internal/store/store.ts'
import { fleetBlock, type TrendQuery, type TrendWrite } from '@pulseward/server/internal/store/trend.ts'
import { CountedCell, type TrendCell } from '@pulseward/server/internal/trends/cell.ts'
import { encodeClosedBlock } from '@pulseward/server/internal/trends/closed-block.ts'
import { encodeCountedBlock, encodeFleetCell } from '@pulseward/server/internal/trends/counted-block.ts'
import type { CountedLevel } from '@pulseward/server/internal/trends/levels.ts'
import { OpenCells } from '@pulseward/server/internal/trends/open-cells.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, identity } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const day = 86_400_000
const hour = 3_600_000
/** The start of a day. */
const contractNow = 19_700 * day
const today = contractNow / day
const thisHour = contractNow / hour

function counted(healthy: number, failures = 0, bucket = 10): CountedCell {
  const cell = new CountedCell()
  cell.failures = failures
  cell.counts[bucket] = healthy
  return cell
}

const summed = (healthy: number, failures = 0): TrendCell => counted(healthy, failures).summed()

/** Of the monitors 256, 257 … */
const closed = (cell: number, cells: readonly TrendCell[], level: CountedLevel = 'hour'): TrendWrite => ({
  is: 'closed',
  level,
  block: 1,
  cell,
  bytes: encodeClosedBlock(cells),
})

const open = (cell: number, cells: readonly CountedCell[], level: CountedLevel = 'hour'): TrendWrite => ({
  is: 'open',
  level,
  block: 1,
  cell,
  bytes: countedBytes(cells),
})

function countedBytes(cells: readonly CountedCell[]): Uint8Array {
  const rows = new OpenCells()
  for (const [row, cell] of cells.entries()) rows.load(row, cell)
  return encodeCountedBlock(rows, (index) => index)
}

const ofFleet = (is: TrendWrite['is'], cell: number, content: CountedCell): TrendWrite => ({
  is,
  level: 'hour',
  block: fleetBlock,
  cell,
  bytes: encodeFleetCell(content),
})

export function trendContract(name: string, openStore: OpenStore): void {
  describe(`${name} and trends`, () => {
    let tested: StoreUnderTest
    let store: Store
    let now: number
    beforeEach(async () => {
      now = contractNow
      tested = await openStore(() => now)
      store = tested.store
      await store.commit(batch({ identities: [identity(300)] }))
    })
    afterEach(() => tested[Symbol.asyncDispose]())

    const commit = (...trends: TrendWrite[]) => store.commit(batch({ trends }))
    const read = (query: Partial<TrendQuery> = {}) =>
      store.readTrend({ level: 'hour', numericId: 257, from: thisHour - 800, to: thisHour + 2_000, ...query })
    /** As the retention loop does it. */
    const retainAll = async () => {
      let total = 0
      for (let removed = 1; removed > 0; total += removed) removed = await store.retain(now, 500)
      return total
    }

    it('tells cells of one monitor in order, and none in which nothing was counted', async () => {
      await commit(
        closed(thisHour, [summed(1), summed(60, 2)]),
        closed(thisHour - 2, [summed(1), summed(59)]),
      )
      await commit(closed(thisHour - 1, [summed(60)]))
      store = await tested.reopen()
      expect(await read()).toEqual([
        { cell: thisHour - 2, ...summed(59) },
        { cell: thisHour, ...summed(60, 2) },
      ])
      expect(await read({ from: thisHour })).toHaveLength(1)
      expect(await read({ numericId: 1_000_000 })).toEqual([])
      expect(await read({ level: 'fiveMinutes' })).toEqual([])
    })

    it('tells cells of several monitors as it tells those of each', async () => {
      await commit(
        closed(thisHour, [summed(1), summed(60, 2)]),
        closed(thisHour, [summed(7)]),
        closed(thisHour - 2, [summed(3), summed(59)]),
      )
      const range = { level: 'hour', from: thisHour - 3, to: thisHour } as const
      const numericIds = [257, 1_000_000, 256]
      expect(await store.readTrends({ ...range, numericIds })).toEqual(
        await Promise.all(numericIds.map((numericId) => store.readTrend({ ...range, numericId }))),
      )
      expect(await store.readTrends({ ...range, numericIds: [] })).toEqual([])
    })

    it('replaces what is being filled, and gives it to the next process', async () => {
      await commit(open(thisHour, [counted(1), counted(2, 1)]))
      const last = open(thisHour, [counted(3), counted(4, 1)])
      await commit(last, ofFleet('open', thisHour, counted(7, 1)))
      store = await tested.reopen()
      expect(await read()).toEqual([{ cell: thisHour, ...summed(4, 1) }])
      expect(await read({ numericId: null })).toEqual([{ cell: thisHour, ...summed(7, 1) }])
      const { trends } = await store.recover(0)
      expect(trends.map(({ block, cell }) => [block, cell])).toEqual([
        [fleetBlock, thisHour],
        [1, thisHour],
      ])
      expect(trends[1]?.bytes).toEqual(last.bytes)
    })

    it('counts a block once when it is closed', async () => {
      await commit(open(thisHour, [counted(3), counted(4)]))
      await commit(closed(thisHour, [summed(3), summed(5)]))
      expect(await read()).toEqual([{ cell: thisHour, ...summed(5) }])
      expect((await store.recover(0)).trends).toEqual([])
    })

    it('adds to a cell that is closed already, as after a clock was set back', async () => {
      await commit(closed(thisHour, [summed(3), summed(5, 1)]))
      await commit(open(thisHour, [counted(1), counted(2)]))
      expect(await read()).toEqual([{ cell: thisHour, ...summed(7, 1) }])
      await commit(closed(thisHour, [summed(1), summed(2)]), ofFleet('closed', thisHour, counted(5)))
      await commit(ofFleet('closed', thisHour, counted(3)))
      store = await tested.reopen()
      expect(await read()).toEqual([{ cell: thisHour, ...summed(7, 1) }])
      expect(await read({ numericId: null })).toEqual([{ cell: thisHour, ...summed(8) }])
    })

    it('adds up a day when it is over, and what comes later', async () => {
      const days = (numericId: number | null) =>
        read({ level: 'day', numericId, from: today - 9, to: today + 9 })
      for (const at of [0, 5, 23])
        await commit(
          closed(thisHour + at, [summed(1), summed(60, at)]),
          ofFleet('closed', thisHour + at, counted(61, at)),
        )
      now = contractNow + day
      await retainAll()
      expect(await days(257)).toEqual([])
      now = contractNow + day + 11 * 60_000
      expect(await retainAll()).toBeGreaterThan(0)
      expect(await days(257)).toEqual([{ cell: today, ...summed(180, 28) }])
      expect(await days(null)).toEqual([{ cell: today, ...summed(183, 28) }])
      await commit(closed(thisHour + 6, [summed(1), summed(20)]))
      await commit({ ...closed(thisHour + 6, [summed(7)]), block: 0 })
      store = await tested.reopen()
      expect(await retainAll()).toBe(0)
      expect(await days(257)).toEqual([{ cell: today, ...summed(200, 28) }])
      expect(await days(0)).toEqual([{ cell: today, ...summed(7) }])
      expect(await read()).toHaveLength(4)
    })

    it('forgets five minutes, hours and days when it is time, and no hour before its day is there', {
      tags: 'long',
    }, async () => {
      await commit(
        closed(contractNow / 300_000, [summed(1), summed(5)], 'fiveMinutes'),
        closed(thisHour, [summed(1), summed(60)]),
      )
      const kept = async () => {
        const at = { from: today, to: today }
        const five = { from: contractNow / 300_000, to: contractNow / 300_000 }
        const cells = [
          await read({ level: 'fiveMinutes', ...five }),
          await read({ from: thisHour, to: thisHour }),
          await read({ level: 'day', ...at }),
        ]
        return cells.map(({ length }) => length)
      }
      /** In steps, like a running service: a large clock jump makes nothing expire. */
      const passTo = async (days: number) => {
        while (now < contractNow + days * day) {
          now += day / 2
          await commit()
        }
      }
      expect(await kept()).toEqual([1, 1, 0])
      await passTo(3)
      await retainAll()
      expect(await kept()).toEqual([0, 1, 1])
      await commit(closed(thisHour + 24, [summed(1), summed(60)]))
      await passTo(33)
      await store.retain(now, 1)
      expect(await read({ from: thisHour + 24, to: thisHour + 24 })).toHaveLength(1)
      await retainAll()
      expect(await kept()).toEqual([0, 0, 1])
      expect(await read({ level: 'day', from: today, to: today + 1 })).toHaveLength(2)
      await passTo(402)
      await retainAll()
      expect(await kept()).toEqual([0, 0, 0])
    })

    it('forgets nothing for a day when the clock leaps ahead', async () => {
      await commit(closed(thisHour, [summed(1), summed(60)]))
      now += 50 * day
      await commit()
      await retainAll()
      expect(await read()).toHaveLength(1)
    })
  })
}
