import { connect, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { TcpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { discard } from './discard.ts'

describe('a socket that is discarded', () => {
  it('closes its connection, and its owner hears nothing of it', async () => {
    await using target = await TcpTarget.start()
    const heard: string[] = []
    const socket = connect(target.port, target.host)
    for (const event of ['error', 'end', 'close'] as const) socket.on(event, () => heard.push(event))
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    discard(socket)
    await target.allClosed()
    socket.emit('error', new Error('a late one'))
    expect(heard).toEqual([])
  })

  /** What so many sockets leave in old space when the nursery is collected, each with a check of four kilobytes. */
  async function leftInOldSpace(count: number, end: (socket: Socket) => void): Promise<number> {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (how: { type: 'minor' | 'major'; execution: 'sync' }) => void
    const oldBytes = (): number =>
      getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size
    collect({ type: 'major', execution: 'sync' })
    const before = oldBytes()
    for (let number = 0; number < count; number++) {
      const socket = new Socket()
      const check = new Array(512).fill(number)
      socket.on('end', () => check)
      end(socket)
      if (number % 64 !== 0) continue
      // Node tells of the ends in a later turn.
      await turn()
      collect({ type: 'minor', execution: 'sync' })
    }
    await turn()
    // What has just been made is copied once before it is taken for old.
    collect({ type: 'minor', execution: 'sync' })
    collect({ type: 'minor', execution: 'sync' })
    return oldBytes() - before
  }

  it('keeps nothing of its check, as one that is only destroyed does', async () => {
    // In this order: V8 learns from the other what to put into old space at once.
    const discarded = await leftInOldSpace(1_000, discard)
    const destroyed = await leftInOldSpace(1_000, (socket) => socket.destroy())
    // Where this fails, Node has changed, and discard may no longer be needed.
    expect(destroyed).toBeGreaterThan(3_000_000)
    expect(discarded).toBeLessThan(destroyed / 2)
  })
})
