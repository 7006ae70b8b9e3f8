import { definitionOf } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { arrange } from '../fleet/arrangement.ts'
import { Fleet } from '../fleet/fleet.ts'
import type { HealthKeeper } from './health-keeper.ts'
import { MaintenanceKeeper } from './maintenance-keeper.ts'

const startMs = Date.UTC(2026, 0, 1, 12)
const endMs = startMs + 60_000

/** So many monitors with one window, and what the keeper of their health is told. */
function maintenanceOf(monitors: number) {
  const fleet = new Fleet(['tcp'])
  const window = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
  const documents = Array.from({ length: monitors }, (_, slot) => ({
    ...{ id: `m${slot}`, name: `m${slot}`, maintenance: [window] },
    check: { type: 'tcp', interval: '10s', config: { host: 'h', port: 1 } },
  }))
  fleet.apply(arrange(definitionOf(documents), null))
  const inside = new Set<number>()
  const told: string[] = []
  const keeper = {
    isInMaintenance: (slot: number) => inside.has(slot),
    slotsInMaintenance: () => [...inside],
    beginMaintenance: (slot: number) => {
      inside.add(slot)
      told.push(`${slot} began`)
    },
    apply: (slot: number) => {
      if (inside.delete(slot)) told.push(`${slot} ended`)
    },
  }
  return { maintenance: new MaintenanceKeeper(fleet, keeper as unknown as HealthKeeper), told, inside }
}

it('brings a monitor into its window and out of it', () => {
  const { maintenance, told } = maintenanceOf(1)
  maintenance.fleetChanged(startMs - 1)
  maintenance.advance(startMs)
  maintenance.advance(endMs)
  expect(told).toEqual(['0 began', '0 ended'])
})

it('begins no window that is over before its turn has come', () => {
  const { maintenance, told } = maintenanceOf(1)
  maintenance.fleetChanged(endMs - 1)
  maintenance.advance(endMs)
  expect(told).toEqual([])
})

it('leaves out whoever of a large fleet was not reached before the window was over', () => {
  const { maintenance, told, inside } = maintenanceOf(5_000)
  maintenance.fleetChanged(startMs - 1)
  maintenance.advance(startMs)
  expect(inside.size).toBe(2_000)
  for (let turn = 0; turn < 5; turn++) maintenance.advance(endMs)
  expect([inside.size, told.length]).toEqual([0, 4_000])
})
