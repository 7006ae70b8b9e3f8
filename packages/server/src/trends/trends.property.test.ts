// Cells of trends against the simplest thing that could be true: a list of all samples.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitReader, BitWriter } from './bit-stream.ts'
import { CellSum, CountedCell, emptyCell, sumOf, type TrendCell } from './cell.ts'
import { addRow, cellInRow, encodeClosedBlock, TREND_BLOCK_MONITORS } from './closed-block.ts'
import { eachCountedCell, encodeCountedBlock, encodeFleetCell, fleetCellInRow } from './counted-block.ts'
import { BUCKETS, bucketMs, bucketOf } from './latency-buckets.ts'
import { OpenCells } from './open-cells.ts'

/** A latency, or null for a failure. */
const sample = fc.option(fc.double({ min: 0, max: 400_000, noNaN: true }), { freq: 6 })
/** Of one target: its latencies are not all over the place. */
const steadySample = fc.option(fc.double({ min: 8, max: 60, noNaN: true }), { freq: 6 })

function countedOf(samples: readonly (number | null)[]): CountedCell {
  const cell = new CountedCell()
  for (const latencyMs of samples) {
    if (latencyMs === null) cell.failures++
    else cell.counts[bucketOf(latencyMs)]!++
  }
  return cell
}

/** By nearest rank over the sorted list. */
function bucketAt(samples: readonly (number | null)[], percent: number): number {
  const sorted = samples.filter((each) => each !== null).sort((one, other) => one - other)
  return sorted.length === 0 ? 0 : bucketOf(sorted[Math.ceil((percent * sorted.length) / 100) - 1]!)
}

function expectedOf(samples: readonly (number | null)[]): TrendCell {
  return {
    samples: samples.length,
    healthy: samples.filter((each) => each !== null).length,
    at25: bucketAt(samples, 25),
    at50: bucketAt(samples, 50),
    at75: bucketAt(samples, 75),
    at95: bucketAt(samples, 95),
  }
}

describe('buckets', () => {
  it('hold a latency within 19 % of what they are told by', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.25, max: 180_000, noNaN: true }), (ms) => {
        const told = bucketMs(bucketOf(ms))
        expect(Math.max(told / ms, ms / told)).toBeLessThan(1.2)
      }),
    )
  })

  it('take whatever a check may say', () => {
    expect([Number.NaN, -1, 0, 0.25].map(bucketOf)).toEqual([0, 0, 0, 0])
    expect([Number.POSITIVE_INFINITY, 1e9].map(bucketOf)).toEqual([BUCKETS - 1, BUCKETS - 1])
  })
})

describe('cells', () => {
  it('count what was counted, and know the exact buckets of their marks', () => {
    fc.assert(
      fc.property(fc.array(steadySample, { maxLength: 300 }), (samples) => {
        const open = new OpenCells()
        for (const latencyMs of samples) open.count(5_000, latencyMs === null ? -1 : bucketOf(latencyMs))
        const counted = new CountedCell()
        expect(open.addTo(5_000, counted)).toBe(samples.length > 0)
        expect(counted.summed()).toEqual(expectedOf(samples))
      }),
    )
  })

  it('lose no sample where latencies spread too far for one cell, and marks stay near', () => {
    fc.assert(
      fc.property(fc.array(sample, { minLength: 20, maxLength: 400 }), (samples) => {
        const open = new OpenCells()
        for (const latencyMs of samples) open.count(0, latencyMs === null ? -1 : bucketOf(latencyMs))
        const counted = new CountedCell()
        open.addTo(0, counted)
        const { samples: total, healthy, at50, at95 } = counted.summed()
        const expected = expectedOf(samples)
        expect([total, healthy]).toEqual([expected.samples, expected.healthy])
        expect(Math.abs(at50 - expected.at50)).toBeLessThan(9)
        expect(Math.abs(at95 - expected.at95)).toBeLessThan(9)
        const again = new OpenCells()
        again.load(0, counted)
        const loaded = new CountedCell()
        again.addTo(0, loaded)
        expect(loaded).toEqual(counted)
      }),
    )
  })

  it('of neighbours do not touch each other, and are gone when they are cleared', () => {
    const open = new OpenCells()
    for (let row = 4_090; row < 4_110; row++) open.count(row, row % 40)
    open.clear(4_100)
    const counted = new CountedCell()
    expect(open.addTo(4_100, counted)).toBe(false)
    expect(open.addTo(4_099, counted)).toBe(true)
    expect([counted.healthy, counted.counts[4_099 % 40]]).toEqual([1, 1])
  })

  it('keep samples and healthy samples exact when they are added up, and marks within what they came from', () => {
    fc.assert(
      fc.property(fc.array(fc.array(sample, { maxLength: 50 }), { maxLength: 24 }), (hours) => {
        const cells = hours.map((samples) => countedOf(samples).summed())
        const sum = sumOf(cells)
        const all = hours.flat()
        expect([sum.samples, sum.healthy]).toEqual([expectedOf(all).samples, expectedOf(all).healthy])
        const marks = cells.filter(({ healthy }) => healthy > 0)
        if (marks.length === 0) return
        expect(sum.at95).toBeLessThanOrEqual(Math.max(...marks.map(({ at95 }) => at95)))
        expect(sum.at50).toBeGreaterThanOrEqual(Math.min(...marks.map(({ at25 }) => at25)))
      }),
    )
  })
})

const block = fc.array(fc.array(sample, { maxLength: 30 }), { maxLength: TREND_BLOCK_MONITORS })

describe('blocks', () => {
  it('give back every cell that was closed, alone and among others', () => {
    fc.assert(
      fc.property(block, (monitors) => {
        const cells = monitors.map((samples) => countedOf(samples).summed())
        const bytes = encodeClosedBlock(cells)
        for (let index = 0; index < TREND_BLOCK_MONITORS; index += 5)
          expect(cellInRow(bytes, index)).toEqual(cells[index] ?? emptyCell)
        const sums = Array.from({ length: TREND_BLOCK_MONITORS }, () => new CellSum())
        addRow(bytes, sums)
        expect(sums.map(({ total }) => total).slice(0, cells.length)).toEqual(cells)
      }),
      { numRuns: 30 },
    )
  })

  it('that stand one behind the other are added up', () => {
    const cells = [countedOf([10, 10, null]).summed(), countedOf([20]).summed()]
    const row = Uint8Array.of(...encodeClosedBlock(cells), ...encodeClosedBlock(cells))
    expect(cellInRow(row, 0)).toEqual(countedOf([10, 10, null, 10, 10, null]).summed())
    expect(cellInRow(row, 2)).toEqual(emptyCell)
  })

  it('that are being filled come back as they were counted', () => {
    fc.assert(
      fc.property(block, (monitors) => {
        const open = new OpenCells()
        for (const [row, samples] of monitors.entries())
          for (const latencyMs of samples) open.count(row, latencyMs === null ? -1 : bucketOf(latencyMs))
        const cells = monitors.map((_, row) => {
          const cell = new CountedCell()
          open.addTo(row, cell)
          return cell
        })
        const found = new Map<number, CountedCell>()
        eachCountedCell(
          encodeCountedBlock(open, (index) => index),
          (index, cell) => {
            const copy = new CountedCell()
            copy.add(cell)
            found.set(index, copy)
          },
        )
        for (const [index, cell] of cells.entries())
          expect(found.get(index) ?? new CountedCell()).toEqual(cell)
      }),
      { numRuns: 30 },
    )
  })

  it('of the fleet hold more samples than fit into 32 bits', () => {
    const cell = countedOf([3, null])
    cell.counts[7] = 2 ** 40 + 3
    const row = Uint8Array.of(...encodeFleetCell(cell), ...encodeFleetCell(cell))
    expect(fleetCellInRow(row).healthy).toBe(2 * (2 ** 40 + 4))
  })

  it('that are not ours are refused, and never read for ever', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const read of [() => cellInRow(bytes, 255), () => eachCountedCell(bytes, () => undefined)])
          try {
            read()
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError)
          }
      }),
    )
  })

  it('of a quiet fleet take a byte and a half for each monitor', () => {
    const cells = Array.from({ length: TREND_BLOCK_MONITORS }, (_, index) =>
      countedOf(Array.from({ length: 60 }, (_, at) => 20 + (index % 50) + ((at * 7) % 13))).summed(),
    )
    expect(encodeClosedBlock(cells).length).toBeLessThan(1.5 * TREND_BLOCK_MONITORS)
  })
})

it('numbers come back from a stream of bits as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat({ max: 60 }), fc.nat({ max: 4 }))), (numbers) => {
      const to = new BitWriter()
      for (const [any, small, low] of numbers) {
        to.gamma(any)
        to.unary(small)
        to.rice(small, low)
      }
      const from = new BitReader(to.finish())
      for (const [any, small, low] of numbers)
        expect([from.gamma(), from.unary(), from.rice(low)]).toEqual([any, small, small])
    }),
  )
})
