import { describe, expect, it } from 'vitest'
import { SlotGrid } from './slot-grid.ts'
import { FIRST_COLUMN, SlotTable } from './slot-table.ts'

const COUNT = FIRST_COLUMN

function counted(slots: readonly number[]): SlotTable {
  const table = new SlotTable(COUNT + 1)
  for (const slot of slots) {
    const row = table.claim(slot)
    if (row >= 0) table.cells[row + COUNT]! += 1
  }
  return table
}

const slotsSince = (table: SlotTable, oldestSlot: number) =>
  [...table.rowsSince(oldestSlot)].map((row) => table.slotOf(row)).sort((a, b) => a - b)

describe('SlotTable', () => {
  it('counts each slot apart', () => {
    const table = counted([0, 1, 1, 59])
    expect(slotsSince(table, 0)).toEqual([0, 1, 59])
    expect(table.sumSince(0)[COUNT]).toBe(4)
    expect(table.sumSince(1)[COUNT]).toBe(3)
    expect(table.sumSince(60)[COUNT]).toBe(0)
  })

  it('clears a row when a later slot claims its place', () => {
    const table = counted([3, 3, 63])
    expect(slotsSince(table, 0)).toEqual([63])
    expect(table.sumSince(0)[COUNT]).toBe(1)
  })

  it('drops what comes for a slot whose place is taken, and for one before the origin', () => {
    const table = counted([63, 3, -1, -60])
    expect(slotsSince(table, -100)).toEqual([63])
    expect(table.sumSince(-100)[COUNT]).toBe(1)
  })

  it('leaves out old rows that nobody claimed since, after a jump of years', () => {
    const yearsLater = 30_000_000
    const table = counted([0, 1, 2, yearsLater])
    expect(slotsSince(table, yearsLater - 59)).toEqual([yearsLater])
  })
})

describe('SlotGrid', () => {
  const grid = new SlotGrid(1_000)

  it.each([
    [999, -1],
    [1_000, 0],
    [5_999.999, 0],
    [6_000, 1],
  ])('puts %d ms into slot %d', (timeMs, slot) => {
    expect(grid.slotOf(timeMs)).toBe(slot)
  })

  it.each([
    ['at the very end of the grace', 9_000, 0],
    ['just after it', 9_000.001, 1],
    ['one slot later', 14_000, 1],
    ['just after that', 14_000.001, 2],
  ])('finds the first slot that did not end over 3 s ago: %s', (_when, nowMs, slot) => {
    expect(grid.firstSlotWithin(3_000, nowMs)).toBe(slot)
  })
})
