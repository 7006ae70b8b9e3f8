import { batch, event } from '@pulseward/testing/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../telemetry/log.ts'
import { StorageGuard } from './storage-guard.ts'
import type { CommitBatch, CommittedBatch } from './store.ts'

/** A store whose answers say nothing about the ownership until it is told so. */
class DoubtfulStore {
  readonly given: CommitBatch[] = []
  isHeld = false
  /** From this batch on the store is held again. */
  heldFrom = Number.POSITIVE_INFINITY
  readonly liveness = { commitEveryMs: 60_000, slowAfterMs: 60_000, holds: () => this.isHeld }

  async commit(given: CommitBatch): Promise<CommittedBatch> {
    this.given.push(given)
    if (this.given.length >= this.heldFrom) this.isHeld = true
    return { position: this.given.length, batch: this.given.length, latencyMs: 0 }
  }
}

describe('effects of a store that another process can take over', () => {
  let store: DoubtfulStore
  let guard: StorageGuard
  beforeEach(() => {
    store = new DoubtfulStore()
    guard = new StorageGuard(store, systemClock, silentLog)
  })
  afterEach(() => guard[Symbol.asyncDispose]())

  it('begin after the commit while the store is held', async () => {
    store.isHeld = true
    await guard.commit(batch({ events: [event(null)] }))
    expect(store.given).toHaveLength(1)
    expect(guard.holds()).toBe(true)
  })

  it('begin only after a further commit when the process was frozen meanwhile, in the order of the commits', async () => {
    store.heldFrom = 3
    const ended: string[] = []
    const first = guard.commit(batch({ events: [event(null)] })).then(() => ended.push('first'))
    await expect.poll(() => store.given.length).toBeGreaterThan(0)
    const second = guard.commit(batch({ events: [event(null)] })).then(() => ended.push('second'))
    await Promise.all([first, second])
    expect(store.given.length).toBeGreaterThanOrEqual(3)
    expect(ended).toEqual(['first', 'second'])
  })

  it('never begin when the process turns out to be fenced', async () => {
    const committing = guard.commit(batch({ events: [event(null)] }))
    await expect.poll(() => store.given.length).toBeGreaterThan(2)
    const { StoreError } = await import('./store.ts')
    store.commit = () => Promise.reject(new StoreError('fenced', 'Fenced.'))
    await expect(committing).rejects.toMatchObject({ problem: 'fenced' })
  })
})
