import { definitionOf } from '@pulseward/testing/fleet'
import { expect, it } from 'vitest'
import type { MaintenanceDefinition } from '../config/fleet-file/definition.ts'
import { arrange } from '../fleet/arrangement.ts'
import { Fleet } from '../fleet/fleet.ts'
import type { Input } from './decide.ts'
import { nothingDecided } from './decision.ts'
import type { HealthTable } from './health-table.ts'
import { MaintenanceCalendar, MaintenanceWatch } from './maintenance-watch.ts'
import type { Turn } from './turn.ts'

const startMs = Date.UTC(2026, 0, 1, 12)
const endMs = startMs + 60_000

/** So many monitors with one window, and what is decided about them. */
function maintenanceOf(monitors: number) {
  const fleet = new Fleet(['tcp'])
  const window = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
  const documents = Array.from({ length: monitors }, (_, row) => ({
    id: `m${row}`,
    name: `m${row}`,
    maintenance: [window],
    check: { type: 'tcp', interval: '10s', config: { host: 'h', port: 1 } },
  }))
  fleet.apply(arrange(definitionOf(documents), null))
  const inside = new Set<number>()
  const told: string[] = []
  const turn: Turn = {
    now: 0,
    decide(input: Input) {
      if (input.kind !== 'monitor') return nothingDecided
      const { row, input: change } = input
      const isNews = change.kind === 'maintenance-began' ? !inside.has(row) : inside.delete(row)
      if (change.kind === 'maintenance-began') inside.add(row)
      // As health does: what changes nothing is not told.
      if (isNews) told.push(`${row} ${change.kind}`)
      return nothingDecided
    },
    afterCommit() {},
  }
  const health = {
    isInMaintenance: (row: number) => inside.has(row),
    rowsInMaintenance: () => [...inside],
  } as HealthTable
  return { maintenance: new MaintenanceWatch(fleet, health), turn, told, inside }
}

it('brings a monitor into its window and out of it', () => {
  const { maintenance, turn, told } = maintenanceOf(1)
  maintenance.fleetChanged(startMs - 1)
  maintenance.advance(turn, startMs)
  maintenance.advance(turn, endMs)
  expect(told).toEqual(['0 maintenance-began', '0 maintenance-ended'])
})

it('begins no window that is over before its turn has come', () => {
  const { maintenance, turn, told } = maintenanceOf(1)
  maintenance.fleetChanged(endMs - 1)
  maintenance.advance(turn, endMs)
  expect(told).toEqual([])
})

it('leaves out monitors of a large fleet that were not reached before the window was over', () => {
  const { maintenance, turn, told, inside } = maintenanceOf(5_000)
  maintenance.fleetChanged(startMs - 1)
  maintenance.advance(turn, startMs)
  expect(inside.size).toBe(2_000)
  for (let tick = 0; tick < 5; tick++) maintenance.advance(turn, endMs)
  expect([inside.size, told.length]).toEqual([0, 4_000])
})

it('ends a window that came while the clock was ahead', () => {
  const one = (values: MaintenanceDefinition[][]) => ({ values, of: Uint32Array.of(values.length - 1) })
  const calendar = new MaintenanceCalendar(one([[]]), startMs - 2_000)
  calendar.amend(one([[], [{ kind: 'once', startMs, endMs }]]), 0, startMs)
  expect(calendar.advance(startMs - 1_000)).toMatchObject([{ active: false }])
  expect(calendar.stateOf(0)).toEqual({ active: false, nextAtMs: startMs })
})
