// platform/give-back-memory.ts: returns a thread's garbage to the system. By itself the runtime keeps it
// until the heap has grown to several times what is in use, which a mostly idle service never reaches.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void

const lookEveryMs = 30_000
/** Less garbage than this is not worth the time. */
const slackBytes = 4 * 2 ** 20
/** Collecting a larger heap would stop its thread for longer than a check may be late. */
const mostBytes = 32 * 2 ** 20

/** Returns all of it, once, after startup. Stops the calling thread for tens of milliseconds. */
export function giveBackMemory(): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Keeps the heap of its thread close to what is in use. */
export class HeapKeeper {
  #collect: Collect | undefined
  #leftBytes = oldBytes()
  #lookedMs: number

  constructor(nowMs: number) {
    this.#lookedMs = nowMs
  }

  /** To be called when the thread is awake anyway. Occasionally takes some milliseconds. */
  look(nowMs: number): void {
    if (nowMs - this.#lookedMs < lookEveryMs || this.#leftBytes > mostBytes) return
    this.#lookedMs = nowMs
    if (oldBytes() < this.#leftBytes + slackBytes) return
    this.#collect ??= collector()
    this.#collect({ type: 'major', execution: 'sync', flavor: 'regular' })
    this.#leftBytes = oldBytes()
  }
}

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

/** Without the young generation, which is collected anyway. */
function oldBytes(): number {
  let bytes = 0
  for (const { space_name, space_used_size } of getHeapSpaceStatistics())
    if (!space_name.startsWith('new_')) bytes += space_used_size
  return bytes
}
