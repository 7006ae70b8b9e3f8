import { describe, it } from 'vitest'
import { DeskUnderTest } from '../managing/desk.fixture.ts'
import { ControllerSide } from './around-work.ts'

describe('the lock of a chunk', () => {
  it('that is given up while it is waited for is let go as soon as it is taken', async () => {
    await using under = await DeskUnderTest.start()
    const { registry, vault, lock } = under
    const side = new ControllerSide({ registry, vault, lock, routeTells: () => false })
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
