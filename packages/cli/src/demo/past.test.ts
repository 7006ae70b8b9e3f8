// The made-up month, read back from the store that the service of a demo opens.
import { SqliteStore } from '@pulseward/server'
import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import type { Ports } from './fleet.ts'
import { defaultWorld } from './life.ts'
import { writePast } from './past.ts'

const ports: Ports = { http: [8001], tcp: [8002], dns: 8003, racks: [8004, 8005, 8006, 8007], inbox: 8008 }
const nowMs = Date.UTC(2026, 2, 29, 12, 34)
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const world = { ...defaultWorld, monitors: 300 }

async function writtenPast() {
  const folder = temporaryFolder()
  await writePast(folder.path('data'), world, ports, nowMs)
  const store = await SqliteStore.open({ directory: folder.path('data'), now: () => nowMs })
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

it('has hours of a month and minutes of the last day, up to the present, without a gap', async () => {
  await using past = await writtenPast()
  const present = Math.floor(nowMs / hourMs)
  for (const numericId of [null, 1, world.monitors]) {
    const hours = await past.store.readTrend({
      level: 'hour',
      numericId,
      from: present - 29 * 24,
      to: present,
    })
    expect(hours.map(({ cell }) => cell)).toEqual(
      Array.from({ length: 696 }, (_, index) => present - 696 + index),
    )
    for (const { samples, healthy } of hours)
      expect(healthy / samples).toBeGreaterThan(numericId === null ? 0.9 : -1)
  }
  const fiveMinutes = Math.floor(nowMs / (hourMs / 12))
  const recent = { level: 'fiveMinutes', numericId: null, from: fiveMinutes - 288, to: fiveMinutes } as const
  expect(await past.store.readTrend(recent)).toHaveLength(288)
})

it('is healthy as real months are: mostly, with incidents that begin and end', async () => {
  await using past = await writtenPast()
  const present = Math.floor(nowMs / hourMs)
  const cells = await past.store.readTrend({
    level: 'hour',
    numericId: null,
    from: present - 720,
    to: present,
  })
  const sum = (of: 'samples' | 'healthy') => cells.reduce((total, cell) => total + cell[of], 0)
  const availability = sum('healthy') / sum('samples')
  expect(availability).toBeGreaterThan(0.99)
  expect(availability).toBeLessThan(0.9999)
  const { events } = await past.store.readEvents({
    monitorId: null,
    order: 'asc',
    limit: 10_000,
    after: null,
    upTo: 1e9,
  })
  const opened = events.filter(({ type }) => type === 'incident_opened')
  const closed = events.filter(({ type }) => type === 'incident_closed')
  expect(opened.length).toBeGreaterThan(30)
  expect(closed.map(({ incidentId }) => incidentId).sort()).toEqual(
    opened.map(({ incidentId }) => incidentId).sort(),
  )
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((one, other) => one - other))
  for (const { at } of events) expect(nowMs - at).toBeLessThan(30 * dayMs)
  expect(Math.max(...events.map(({ at }) => at))).toBeLessThan(nowMs)
  for (const { incidentId } of events) expect(incidentId).toMatch(/^made-up-/)
})
