import { batch, event, operation, resource, sloSnapshot } from '@pulseward/testing/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GroupCommitter } from './group-commit.ts'
import { emptyBatch, recordTypeNames } from './record-types.ts'
import { type CommitBatch, type Committed, StoreError } from './store.ts'

/** A store whose commits end when the test says so. */
class HeldStore {
  readonly given: CommitBatch[] = []
  #position = 0
  #end: ((error: StoreError | null) => void) | null = null

  commit(given: CommitBatch): Promise<Committed> {
    expect(this.#end).toBeNull()
    this.given.push(given)
    return new Promise((resolve, reject) => {
      this.#end = (error) => {
        this.#end = null
        if (error !== null) return reject(error)
        this.#position += given.events.length
        resolve({ position: this.#position, latencyMs: 1 })
      }
    })
  }

  async end(error: StoreError | null = null): Promise<void> {
    this.#end!(error)
    await vi.advanceTimersByTimeAsync(0)
  }
}

const events = (count: number) => batch({ events: Array.from({ length: count }, () => event(1)) })
const full = new StoreError('full', 'full')

let store: HeldStore
let committer: GroupCommitter
const told: string[] = []
beforeEach(() => {
  vi.useFakeTimers()
  told.length = 0
  store = new HeldStore()
  committer = new GroupCommitter({
    store,
    onTrouble: ({ problem }) => told.push(problem),
    onRecovered: () => told.push('recovered'),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('group commit', () => {
  it('waits 5 ms for more, commits once, and gives each batch its own position', async () => {
    const all = Promise.all([
      committer.commit(events(2)),
      committer.commit(events(0)),
      committer.commit(events(3)),
    ])
    await vi.advanceTimersByTimeAsync(4)
    expect(store.given).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(store.given.map((given) => given.events.length)).toEqual([5])
    await store.end()
    expect((await all).map(({ position }) => position)).toEqual([2, 2, 5])
    expect(committer.depth).toBe(0)
  })

  it('waits 12 ms after a transaction of many batches, and 5 ms again after one of few', async () => {
    const commitAfter = async (batches: number, ms: number) => {
      const before = store.given.length
      for (let count = 0; count < batches; count++) void committer.commit(events(1))
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect(store.given).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(store.given).toHaveLength(before + 1)
      await store.end()
    }
    await commitAfter(6, 5)
    await commitAfter(2, 12)
    await commitAfter(1, 5)
  })

  it('does not wait for more than 1,000 entries', async () => {
    void committer.commit(events(999))
    expect(store.given).toHaveLength(0)
    void committer.commit(events(1))
    expect(store.given).toHaveLength(1)
  })

  it('commits one group at a time, collects meanwhile, and takes what piled up together, up to a bound', async () => {
    void committer.commit(events(1000))
    void committer.commit(events(7000))
    void committer.commit(events(7000))
    const last = committer.commit(events(1))
    await vi.advanceTimersByTimeAsync(50)
    expect(store.given).toHaveLength(1)
    await store.end()
    expect(store.given.at(-1)!.events).toHaveLength(14_000)
    await store.end()
    await vi.advanceTimersByTimeAsync(5)
    await store.end()
    expect(await last).toMatchObject({ position: 15_001 })
  })

  it('keeps the last SLO window of a group', async () => {
    for (const slo of [sloSnapshot(1), sloSnapshot(2), null]) void committer.commit(batch({ slo }))
    await vi.advanceTimersByTimeAsync(5)
    expect(store.given[0]!.slo).toEqual(sloSnapshot(2))
  })

  it('keeps the resources and operations of a group in their order', async () => {
    for (const change of [1, 2, 3])
      void committer.commit(batch({ resources: [resource('a', change)], operations: [operation(change)] }))
    await vi.advanceTimersByTimeAsync(5)
    expect(store.given[0]!.resources.map(({ change }) => change)).toEqual([1, 2, 3])
    expect(store.given[0]!.operations.map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it.for(recordTypeNames)('commits the %s of every batch in a group, and as the last says', async (type) => {
    const isList = Array.isArray(emptyBatch[type])
    const some = [{ id: 1 }, { id: 2 }, { id: 3 }].map((one) => (isList ? [one] : one))
    for (const kept of [...some, emptyBatch[type]]) void committer.commit(batch({ [type]: kept }))
    await vi.advanceTimersByTimeAsync(5)
    expect(store.given).toEqual([batch({ [type]: isList ? some.flat() : some.at(-1) })])
  })

  it('counts resources and operations as entries', () => {
    const entries = Array.from({ length: 500 }, (_, index) => index + 1)
    void committer.commit(
      batch({
        resources: entries.map((change) => resource('a', change)),
        operations: entries.map((id) => operation(id)),
      }),
    )
    expect(store.given).toHaveLength(1)
  })

  it('tries the same batches again until it works, and says so once', async () => {
    const first = committer.commit(events(1))
    await vi.advanceTimersByTimeAsync(5)
    await store.end(full)
    const second = committer.commit(events(2000))
    await vi.advanceTimersByTimeAsync(499)
    expect(store.given).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await store.end(full)
    await vi.advanceTimersByTimeAsync(500)
    expect(told).toEqual(['full'])
    await store.end()
    expect(told).toEqual(['full', 'recovered'])
    expect([(await first).position, (await second).position]).toEqual([1, 2001])
  })

  it('rejects everything after a failure that does not pass', async () => {
    const first = committer.commit(events(1))
    first.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(5)
    const second = committer.commit(events(1))
    second.catch(() => undefined)
    await store.end(new StoreError('gone', 'gone'))
    await expect(first).rejects.toMatchObject({ problem: 'gone' })
    await expect(second).rejects.toMatchObject({ problem: 'gone' })
    await expect(committer.commit(events(1))).rejects.toMatchObject({ problem: 'gone' })
    expect(told).toEqual(['gone'])
  })

  it('drains at once, but not while writing fails', async () => {
    void committer.commit(events(1))
    const drained = committer.drain()
    expect(store.given).toHaveLength(1)
    await store.end()
    await drained
    void committer.commit(events(1)).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(5)
    await store.end(full)
    await committer.drain()
    expect(committer.depth).toBe(1)
    committer[Symbol.dispose]()
    expect(committer.depth).toBe(0)
  })

  it('gives the same group again, alone, while it may have been written, and withdraws none of it', async () => {
    const inDoubt = new StoreError('io', 'lost', { inDoubt: true })
    const withdrawable = committer.commit(events(1), 'withdrawable')
    await vi.advanceTimersByTimeAsync(5)
    await store.end(inDoubt)
    const later = committer.commit(events(2))
    const refused = committer.commit(events(4), 'withdrawable')
    refused.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(500)
    await store.end(inDoubt)
    await expect(refused).rejects.toMatchObject({ problem: 'io' })
    await vi.advanceTimersByTimeAsync(500)
    expect(store.given.map((given) => given.events.length)).toEqual([1, 1, 1])
    await store.end()
    await vi.advanceTimersByTimeAsync(5)
    await store.end()
    expect([(await withdrawable).position, (await later).position]).toEqual([1, 3])
    expect(store.given.at(-1)!.events).toHaveLength(2)
  })
})

describe('group commit into a store that another machine can take over', () => {
  beforeEach(() => {
    committer[Symbol.dispose]()
    const liveness = { commitEveryMs: 500, slowAfterMs: 3_000 }
    committer = new GroupCommitter({
      store: { commit: (given) => store.commit(given), liveness },
      onTrouble: ({ message }) => told.push(message),
      onRecovered: () => told.push('recovered'),
    })
  })
  afterEach(() => committer[Symbol.dispose]())

  it('commits nothing at least once per second, and only when there is nothing to commit', async () => {
    await vi.advanceTimersByTimeAsync(1_000)
    expect(store.given).toEqual([batch({})])
    await store.end()
    void committer.commit(events(1))
    await vi.advanceTimersByTimeAsync(5)
    await store.end()
    await vi.advanceTimersByTimeAsync(400)
    expect(store.given).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(store.given).toHaveLength(3)
    await store.end()
  })

  it('tells what is wrong when the trouble becomes another, and nothing while it stays the same', async () => {
    const lost = committer.commit(events(1))
    await vi.advanceTimersByTimeAsync(5)
    for (const reason of ['lost', 'lost', 'refused', 'refused']) {
      await store.end(new StoreError('io', reason))
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(told).toEqual(['lost', 'refused'])
    await store.end()
    await lost
    expect(told).toEqual(['lost', 'refused', 'recovered'])
  })

  it('counts an answer that takes 3 s as trouble, without giving anything again, until it comes', async () => {
    const slow = committer.commit(events(1))
    await vi.advanceTimersByTimeAsync(3_004)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(told).toEqual(['The store has not answered a commit for 3 s.'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(store.given).toHaveLength(1)
    await store.end()
    await slow
    expect(told.at(-1)).toBe('recovered')
  })

  it('stops when it is closed', async () => {
    committer[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(store.given).toEqual([])
  })
})
