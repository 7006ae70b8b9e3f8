// platform/network/left-in-old-space.fixture.ts: prints how many bytes a thousand sockets leave in old space
// when only the young generation is collected, each with a check of four kilobytes. The argument says how
// they end. A separate process, because V8 learns from earlier code what to allocate in old space at once.
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
  // Node emits the close events in a later turn.
  await turn()
  collect({ type: 'minor', execution: 'sync' })
}
await turn()
// New objects are copied once before they are promoted.
collect({ type: 'minor', execution: 'sync' })
collect({ type: 'minor', execution: 'sync' })
process.stdout.write(String(oldBytes() - before))
