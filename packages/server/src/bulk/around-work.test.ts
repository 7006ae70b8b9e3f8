import { describe, expect, it } from 'vitest'
import { DeskUnderTest } from '../managing/desk.fixture.ts'
import { ControllerSide } from './around-work.ts'
import { Calls } from './calls.ts'

describe('the lock of a chunk', () => {
  it('that is given up while it is waited for is let go as soon as it is taken', async () => {
    await using under = await DeskUnderTest.start()
    const { registry, vault, lock } = under
    const side = new ControllerSide({ registry, vault, lock })
    const single = await lock.take('Monitor a')
    const locked = side.lock(7, 0, [[0, 'a']])
    // The thread that asked for it dies, and the operation gives back all that it has.
    side.unlockAll(7)
    single[Symbol.dispose]()
    await locked
    using _ = await lock.take('Monitor a')
    await side.lock(7, 0, [[0, 'b']])
    side.unlock(7, 0)
    using __ = await lock.take('Monitor b')
  })
})

describe('calls to a thread that is gone', () => {
  it('are refused at once, and what it still asks is not done', async () => {
    const done: string[] = []
    const calls = new Calls({ postMessage() {} }, { lock: async () => void done.push('lock') })
    const waiting = calls.call('prepare', [])
    calls.end(new Error('the thread has ended'))
    await expect(waiting).rejects.toThrow('the thread has ended')
    await expect(calls.call('prepare', [])).rejects.toThrow('the thread has ended')
    calls.receive({ call: 1, method: 'lock', given: [] })
    expect([done, calls.pending]).toEqual([[], 0])
  })
})
