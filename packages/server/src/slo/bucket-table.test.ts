import { describe, expect, it } from 'vitest'
import { BucketGrid } from './bucket-grid.ts'
import { BucketTable, FIRST_COLUMN } from './bucket-table.ts'

const COUNT = FIRST_COLUMN

function counted(buckets: readonly number[]): BucketTable {
  const table = new BucketTable(COUNT + 1)
  for (const bucket of buckets) {
    const row = table.claim(bucket)
    if (row >= 0) table.cells[row + COUNT]! += 1
  }
  return table
}

const bucketsSince = (table: BucketTable, oldestBucket: number) =>
  [...table.rowsSince(oldestBucket)].map((row) => table.bucketOf(row)).sort((a, b) => a - b)

describe('BucketTable', () => {
  it('counts each bucket apart', () => {
    const table = counted([0, 1, 1, 59])
    expect(bucketsSince(table, 0)).toEqual([0, 1, 59])
    expect(table.sumSince(0)[COUNT]).toBe(4)
    expect(table.sumSince(1)[COUNT]).toBe(3)
    expect(table.sumSince(60)[COUNT]).toBe(0)
  })

  it('clears a row when a later bucket claims its place', () => {
    const table = counted([3, 3, 63])
    expect(bucketsSince(table, 0)).toEqual([63])
    expect(table.sumSince(0)[COUNT]).toBe(1)
  })

  it('drops what comes for a bucket whose place is taken, and for one before the origin', () => {
    const table = counted([63, 3, -1, -60])
    expect(bucketsSince(table, -100)).toEqual([63])
    expect(table.sumSince(-100)[COUNT]).toBe(1)
  })

  it('leaves out old rows that nobody claimed since, after a jump of years', () => {
    const yearsLater = 30_000_000
    const table = counted([0, 1, 2, yearsLater])
    expect(bucketsSince(table, yearsLater - 59)).toEqual([yearsLater])
  })
})

describe('BucketGrid', () => {
  const grid = new BucketGrid(1_000)

  it.each([
    [999, -1],
    [1_000, 0],
    [5_999.999, 0],
    [6_000, 1],
  ])('puts %d ms into bucket %d', (timeMs, bucket) => {
    expect(grid.bucketOf(timeMs)).toBe(bucket)
  })

  it.each([
    ['at the very end of the grace', 9_000, 0],
    ['just after it', 9_000.001, 1],
    ['one bucket later', 14_000, 1],
    ['just after that', 14_000.001, 2],
  ])('finds the first bucket that did not end over 3 s ago: %s', (_when, nowMs, bucket) => {
    expect(grid.firstBucketWithin(3_000, nowMs)).toBe(bucket)
  })
})
