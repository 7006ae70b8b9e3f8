import { describe, expect, it } from 'vitest'
import { SystemMeters } from './system-meter.ts'

const WALL_MS = 1_700_000_000_000

describe('SystemMeters', () => {
  it('makes up no measurement before a stage ran', () => {
    const meters = new SystemMeters(0)
    meters.add('schedule')
    const { systems, aggregate } = meters.observe(100, WALL_MS)
    const unmeasured = {
      updates: 0,
      entities: 0,
      batches: 0,
      lastMs: null,
      avgMs: null,
      maxMs: null,
      lastProgress: null,
    }
    expect(systems).toEqual([{ name: 'schedule', ...unmeasured }])
    expect(aggregate).toMatchObject({ ...unmeasured, entitiesPerSecond: null, updatesPerSecond: null })
  })

  it('measures runs, what they handled and how long they took', () => {
    const meters = new SystemMeters(0)
    const stage = meters.add('results')
    for (const [beganMs, endedMs, entities] of [
      [100, 104, 20],
      [200, 202, 0],
      [300, 303, 10],
    ] as const) {
      stage.begin(beganMs)
      stage.end(endedMs, entities)
    }
    expect(meters.observe(1_303, WALL_MS).systems[0]).toEqual({
      name: 'results',
      updates: 3,
      entities: 30,
      batches: 2,
      lastMs: 3,
      avgMs: 3,
      maxMs: 4,
      lastProgress: WALL_MS - 1_000,
    })
  })

  it('adds the stages up, with rates of the last minute', () => {
    const meters = new SystemMeters(0)
    const first = meters.add('schedule')
    const second = meters.add('commit')
    meters.add('api')
    for (let atMs = 0; atMs < 10_000; atMs += 100) {
      first.begin(atMs)
      first.end(atMs + 1, 5)
      second.begin(atMs + 1)
      second.end(atMs + 4, 1)
    }
    expect(meters.observe(10_000, WALL_MS).aggregate).toMatchObject({
      updates: 200,
      entities: 600,
      avgMs: 2,
      maxMs: 3,
      lastMs: 3,
      entitiesPerSecond: 60,
      updatesPerSecond: 20,
      lastProgress: WALL_MS - 96,
    })
    expect(meters.observe(200_000, WALL_MS).aggregate).toMatchObject({ entities: 600, entitiesPerSecond: 0 })
  })
})
