import { Overview } from '@pulseward/contract'
import { definitionOf } from '@pulseward/testing/fleet'
import { Compile } from 'typebox/compile'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { arrange } from '../fleet/arrangement.ts'
import { statusNumber } from '../fleet/columns.ts'
import { Fleet } from '../fleet/fleet.ts'
import type { FrozenFleet } from './frozen-fleet.ts'
import { SnapshotModel, type SnapshotOptions } from './snapshot.ts'

const contract = Compile(Overview)

function modelOver(count: number, options: Partial<SnapshotOptions> = {}) {
  const clock = {
    monotonic: 1_000,
    wall: Date.UTC(2026, 0, 1),
    monotonicMs: () => clock.monotonic,
    wallMs: () => clock.wall,
  }
  const fleet = new Fleet(['http', 'tcp', 'dns', 'icmp'])
  const monitors = Array.from({ length: count }, (_, number) => ({
    id: `m${number}`,
    name: `m${number}`,
    check: { type: 'icmp', config: { host: 'a' } },
  }))
  const load = (list = monitors) => {
    fleet.apply(arrange(definitionOf(list), fleet.loaded ? fleet : null))
  }
  const model = new SnapshotModel({ fleet, clock, intervalMs: 5_000, indexCap: 1_000_000, ...options })
  /** A check that ended now. */
  const check = (row: number, status: keyof typeof statusNumber) => {
    fleet.columns.lastCheck[row] = clock.wall
    fleet.setStatus(row, statusNumber[status])
    fleet.setOpenedAt(row, status === 'incident' ? clock.wall : 0)
  }
  const overview = (): Overview => {
    const answer = model.overview()
    if (!answer.available) throw new Error(answer.reason)
    expect(contract.Errors(answer.value)).toEqual([])
    return answer.value
  }
  return { model, fleet, clock, load, check, overview, monitors }
}

describe('the snapshot of the main edition', () => {
  it('is not available before the first was taken, which is not the same as empty', async () => {
    const { model, load } = modelOver(1)
    await model.take()
    expect(model.overview()).toEqual({
      available: false,
      reason: 'no snapshot of the fleet has been taken yet',
    })
    expect([model.takenAtMs, model.monitors]).toEqual([null, 0])
    load()
    expect(model.overview().available).toBe(false)
  })

  it('shows the fleet as it was when it was taken, and nothing of what came after', async () => {
    const { model, load, check, overview, clock } = modelOver(2)
    load()
    check(0, 'up')
    await model.take()
    check(0, 'down')
    check(1, 'incident')
    clock.wall += 60_000
    expect(overview()).toMatchObject({
      generated: '2026-01-01T00:00:00.000Z',
      by_status: { up: 1, unknown: 1, down: 0, incident: 0 },
      incidents: 0,
    })
    await model.take()
    expect(overview()).toMatchObject({ by_status: { down: 1, incident: 1 }, incidents: 1 })
  })

  it('counts one sample for each monitor whose last check is another than in the snapshot before', async () => {
    const { model, load, check, overview, clock } = modelOver(4)
    load()
    await model.take()
    expect(overview().healthy_sample_percent).toBeNull()
    check(0, 'up')
    check(1, 'degraded')
    check(2, 'down')
    await model.take()
    expect(overview().healthy_sample_percent).toBe((2 / 3) * 100)
    // No check since: no sample, whatever the status says now.
    await model.take()
    expect(overview().healthy_sample_percent).toBe((2 / 3) * 100)
    clock.wall += 1_000
    check(2, 'up')
    check(2, 'up')
    await model.take()
    expect(overview().healthy_sample_percent).toBe((3 / 4) * 100)
  })

  it('goes on counting when the wall clock is set back', async () => {
    const { model, load, check, overview, clock } = modelOver(1)
    load()
    check(0, 'down')
    await model.take()
    clock.wall -= 3_600_000
    check(0, 'up')
    await model.take()
    expect(overview().healthy_sample_percent).toBe(50)
  })

  it('does not count a former monitor for the next one in its row', async () => {
    const { model, load, check, overview, monitors } = modelOver(2)
    load()
    check(0, 'up')
    await model.take()
    load(monitors.slice(1))
    load([...monitors.slice(1), { ...monitors[0]!, id: 'new' }])
    await model.take()
    expect(overview()).toMatchObject({ total: 2, healthy_sample_percent: 100 })
  })

  it('says that its index is capped when the fleet is larger, and shows the numbers all the same', async () => {
    const { model, load, overview, monitors } = modelOver(3, { indexCap: 2 })
    load(monitors.slice(1))
    await model.take()
    expect(overview()).toMatchObject({ total: 2, index_capped: false })
    load()
    await model.take()
    expect(overview()).toMatchObject({ total: 3, index_capped: true })
    expect(model.monitors).toBe(3)
  })

  it('ages by the monotonic clock', async () => {
    const { model, load, clock } = modelOver(1)
    expect(model.ageMs(clock)).toBeNull()
    load()
    await model.take()
    clock.monotonic += 31_000
    clock.wall -= 10_000_000
    expect(model.ageMs(clock)).toBe(31_000)
  })

  it('gives other work its turn between slices, and begins again when the fleet is replaced meanwhile', async () => {
    let pauses = 0
    const pause = async () => {
      pauses++
      if (pauses === 1) grow()
    }
    const { model, load, overview, fleet, monitors } = modelOver(2, { pause })
    const grow = () =>
      load(
        Array.from({ length: 3_000 }, (_, number) => ({
          ...monitors[0]!,
          id: `g${number}`,
          name: `g${number}`,
        })),
      )
    load()
    await model.take()
    expect(pauses).toBe(2)
    expect(overview().total).toBe(3_000)
    expect(model.frozen!.definition).toBe(fleet.definition)
  })

  it('keeps the monitors as they were, and leaves what is shown alone while the next is written', async () => {
    const onFrozen = vi.fn<(frozen: FrozenFleet) => void>()
    let duringNext: number[] = []
    let pauses = 0
    const pause = async () => {
      if (++pauses === 2) duringNext = [...model.frozen!.columns.status.subarray(0, 2)]
    }
    const { model, load, check, fleet } = modelOver(2, { onFrozen, pause })
    load()
    check(0, 'up')
    fleet.columns.openedAt[1] = 7
    await model.take()
    const first = model.frozen!
    check(0, 'down')
    fleet.columns.openedAt[1] = 0
    expect(first.columns.status[0]).toBe(statusNumber.up)
    expect(first.columns.openedAt[1]).toBe(7)
    await model.take()
    expect(duringNext).toEqual([statusNumber.up, statusNumber.unknown])
    expect(model.frozen!.columns.status[0]).toBe(statusNumber.down)
    expect(onFrozen.mock.calls.map(([frozen]) => frozen)).toEqual([first, model.frozen])
    expect(model.frozen!.columns.status.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  it('shows each monitor the samples that snapshots observed of it, and none of the row before it', async () => {
    const { model, load, check, fleet, clock } = modelOver(1)
    const shown = () => {
      const { shownHealthySamples, shownTotalSamples } = model.frozen!.columns
      return [shownHealthySamples[0], shownTotalSamples[0]]
    }
    load()
    fleet.columns.numericId[0] = 1
    check(0, 'up')
    await model.take()
    clock.wall += 1_000
    check(0, 'down')
    await model.take()
    await model.take()
    expect(shown()).toEqual([1, 2])
    fleet.columns.numericId[0] = 2
    clock.wall += 1_000
    check(0, 'up')
    await model.take()
    expect(shown()).toEqual([1, 1])
  })

  it('keeps no monitors above the cap', async () => {
    const onFrozen = vi.fn<(frozen: FrozenFleet) => void>()
    const { model, load } = modelOver(3, { indexCap: 2, onFrozen })
    load()
    await model.take()
    expect(model.frozen).toBeNull()
    expect(onFrozen).not.toHaveBeenCalled()
  })

  it('counts exactly what its list holds', async () => {
    const { model, fleet, load, check, overview, monitors } = modelOver(3)
    load()
    load(monitors.slice(1))
    check(1, 'up')
    check(2, 'verifying')
    fleet.setOpenedAt(2, 1_000)
    await model.take()
    expect(overview()).toMatchObject({
      total: 2,
      by_status: { up: 1, verifying: 1 },
      by_pulse_type: { icmp: 2 },
      incidents: 1,
    })
  })
})

describe('the snapshots of a running service', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are taken at once and then at the interval, until the end', async () => {
    const { model, load, clock } = modelOver(1, { pause: async () => {} })
    load()
    vi.useFakeTimers()
    model.start()
    await vi.advanceTimersByTimeAsync(0)
    const first = model.takenAtMs
    expect(first).toBe(clock.wall)
    clock.wall += 5_000
    await vi.advanceTimersByTimeAsync(4_999)
    expect(model.takenAtMs).toBe(first)
    await vi.advanceTimersByTimeAsync(1)
    expect(model.takenAtMs).toBe(clock.wall)
    model[Symbol.dispose]()
    clock.wall += 5_000
    await vi.advanceTimersByTimeAsync(60_000)
    expect(model.takenAtMs).toBe(first! + 5_000)
  })
})
