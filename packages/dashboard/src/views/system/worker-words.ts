// views/system/worker-words.ts: external workers in words, as they were when they were read: a page that cannot read them again
// must not take its own silence for theirs.
import { type ExternalWorkers, v1Limits } from '@pulseward/contract'
import { formatCount, plural } from '../../format/count.ts'

/** A worker calls at least every half minute. */
const silentAfterMs = 60_000

export function isSilent(lastSeenAt: string, readAtMs: number): boolean {
  return readAtMs - Date.parse(lastSeenAt) > silentAfterMs
}

/**
 * Jobs wait, and no worker called lately that could do them. Those that are not shown called before those that are. A service
 * that has just started may only not have heard of them yet.
 */
export function isUnattended(
  { workers, waiting_jobs }: ExternalWorkers,
  readAtMs: number,
  uptimeSeconds: number,
): boolean {
  if (waiting_jobs === 0 || uptimeSeconds * 1_000 < silentAfterMs) return false
  return workers.every(({ last_seen_at }) => isSilent(last_seen_at, readAtMs))
}

/** What stands behind the number of workers. */
export function calledLately({ workers, more }: ExternalWorkers, readAtMs: number): string {
  const lately = workers.filter(({ last_seen_at }) => !isSilent(last_seen_at, readAtMs)).length
  const known = workers.length + more
  const noun = known === 1 ? 'worker' : 'workers'
  if (lately === 0) return `${noun}, silent for more than a minute`
  // Of those that are not shown it is not known.
  const atLeast = more > 0 && lately === workers.length ? 'at least ' : ''
  if (lately === known) return `${noun}, in touch within the last minute`
  return `${noun}, ${atLeast}${formatCount(lately)} of them in touch within the last minute`
}

/** The service forgets workers after a while: it knows of none that came only while it is younger than that. */
export function nobodyAsked(uptimeSeconds: number): string {
  const minutes = v1Limits.workersKeptMinutes
  if (uptimeSeconds < minutes * 60) return 'No worker has asked for work yet.'
  return `No worker has asked for work in the last ${minutes} minutes.`
}

export function waitInVain(jobs: number): string {
  const wait = plural(jobs, 'job waits', 'jobs wait')
  return `${wait}, and no worker has called for a minute.`
}

export function runsOf(active: number, capacity: number): string {
  // One that has only been heard of by a heartbeat has not said how many it can run.
  return capacity === 0 ? formatCount(active) : `${formatCount(active)} of ${formatCount(capacity)}`
}
