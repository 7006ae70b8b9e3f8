// platform/network/left-in-old-space.fixture.ts: prints how many bytes a thousand sockets leave in old space when only the nursery
// is collected, each with a check of four kilobytes. The word says how they end. A process of its own, because V8 learns from
// what ran before what to put into old space at once.
import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { discard } from './discard.ts'

const collect = globalThis.gc!
const end = process.argv[2] === 'discard' ? discard : (socket: Socket) => socket.destroy()

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size

collect({ type: 'major', execution: 'sync' })
const before = oldBytes()
for (let number = 0; number < 1_000; number++) {
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
process.stdout.write(String(oldBytes() - before))
