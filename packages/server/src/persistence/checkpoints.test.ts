// What a checkpoint hands to the store, round by round: only what results have changed since the last one.
import { type CheckInFlight, EngineUnderTest } from '@pulseward/testing/engine'
import { beforeEach, describe, expect, it } from 'vitest'
import { failure, type Outcome, success } from '../checks/driver.ts'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'
import { ForgetfulStore } from '../store/forgetful-store.ts'
import type { CommitBatch, CommittedBatch } from '../store/store.ts'

const roundMs = 8_000
const monitorsPerBlock = 256

function tcp(id: string, interval: string): MonitorDocument {
  return { id, name: id, check: { type: 'tcp', interval, config: { host: id, port: 1 } } }
}

/** Moves no counter, but the time of the last check. */
const nothingSaid: Outcome = { ...failure(5, 'nothing can be said'), status: 'no_data' }

class CountingStore extends ForgetfulStore {
  readonly #blocks: number[] = []
  #commits = 0
  #slo = 0

  override commit(batch: CommitBatch): Promise<CommittedBatch> {
    for (const { block } of batch.blocks) this.#blocks.push(block)
    if (batch.blocks.length > 0) this.#commits++
    if (batch.slo !== null) this.#slo++
    return super.commit(batch)
  }

  /** How often blocks were written since the last call. */
  takeCommits(): number {
    const commits = this.#commits
    this.#commits = 0
    return commits
  }

  /** How often the SLO window was written since the last call. */
  takeSlo(): number {
    const slo = this.#slo
    this.#slo = 0
    return slo
  }

  /** Blocks that were written since the last call. */
  take(): number[] {
    return this.#blocks.splice(0).sort((one, other) => one - other)
  }
}

describe('a checkpoint', () => {
  let store: CountingStore
  beforeEach(() => {
    store = new CountingStore()
  })

  const fleetOf = (count: number) => Array.from({ length: count }, (_, index) => tcp(`m${index}`, '2h'))

  it('writes the blocks in which a result changed something, once, and no others', async () => {
    const tested = await EngineUnderTest.start(fleetOf(40 * monitorsPerBlock), store)
    const { columns } = tested.fleet
    const changed = new Set<number>()
    const end = (check: CheckInFlight) => {
      changed.add(Math.floor(columns.numericId[check.row]! / monitorsPerBlock))
      tested.end(check, changed.size % 2 === 0 ? nothingSaid : success(5))
    }
    // Long enough for a few first checks, and not for one in every block.
    tested.advance(50, end)
    tested.advance(2 * roundMs)
    expect(changed.size).toBeGreaterThan(2)
    expect(changed.size).toBeLessThan(20)
    expect(store.take()).toEqual([...changed].sort((one, other) => one - other))
    tested.advance(2 * roundMs)
    expect(store.take()).toEqual([])
  })

  it('writes nothing of numbers whose monitors have left', async () => {
    const kept = fleetOf(monitorsPerBlock)
    const tested = await EngineUnderTest.start(fleetOf(4 * monitorsPerBlock), store)
    tested.advance(20 * roundMs, (check) => tested.end(check, success(5)))
    expect(Math.max(...store.take())).toBeGreaterThan(1)
    tested.reload(kept)
    tested.advance(20 * roundMs, (check) => tested.end(check, success(5)))
    expect(Math.max(...store.take())).toBeLessThanOrEqual(1)
  })

  it('goes to the store once for each 64 blocks', async () => {
    const tested = await EngineUnderTest.start(fleetOf(200 * monitorsPerBlock), store)
    tested.advance(2 * roundMs)
    store.takeCommits()
    tested.fleet.columns.unsaved.fill(1, 0, 200 * monitorsPerBlock)
    tested.advance(roundMs)
    expect(new Set(store.take()).size).toBe(201)
    expect(store.takeCommits()).toBe(4)
  })

  it('writes the SLO window with the counters, and once a minute while nothing is checked', async () => {
    const tested = await EngineUnderTest.start([tcp('edge', '2h')], store)
    tested.end(tested.next(), success(5))
    tested.advance(2 * roundMs)
    expect(store.takeSlo()).toBe(1)
    tested.advance(60_000 - 2 * roundMs)
    expect(store.takeSlo()).toBe(0)
    tested.advance(3 * roundMs)
    expect(store.takeSlo()).toBe(1)
  })

  it('shows what it has written, and not before', async () => {
    const tested = await EngineUnderTest.start([tcp('edge', '1m')], store)
    const { columns } = tested.fleet
    for (const count of [1, 2]) {
      tested.end(tested.next(), success(5))
      expect([columns.totalSamples[0], columns.shownTotalSamples[0]]).toEqual([count, count - 1])
      tested.advance(2 * roundMs)
      await tested.parts.journal.flush()
      expect(columns.shownTotalSamples[0]).toBe(count)
    }
  })
})
