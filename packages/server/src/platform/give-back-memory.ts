// platform/give-back-memory.ts: gives back to the system what a thread has thrown away while it started. By itself the
// runtime keeps it until the heap reaches its next limit, which a service at rest never does.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Stops the calling thread for some milliseconds. */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
