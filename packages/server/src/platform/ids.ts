// platform/ids.ts: ids that sort by time and never repeat: the start time of the process and random bits, then a counter.
import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

/** A source of ids for one process. */
export function createIds(clock: Clock): () => string {
  const run = clock.wallMs().toString(36).padStart(9, '0') + randomBytes(4).toString('hex')
  let count = 0
  return () => `${run}-${(count++).toString(36)}`
}
