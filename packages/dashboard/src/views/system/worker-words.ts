// views/system/worker-words.ts: external workers in words, as of the time they were read: a page that cannot
// refresh must not take its own silence for theirs.
import { type ExternalWorkers, v1Limits } from '@pulseward/contract'
import { formatCount, plural } from '../../format/count.ts'

/** A worker calls at least every half minute. */
const silentAfterMs = 60_000

export function isSilent(lastSeenAt: string, readAtMs: number): boolean {
  return readAtMs - Date.parse(lastSeenAt) > silentAfterMs
}

/**
 * Whether jobs wait and no worker that could run them has called lately. Workers that are not shown called
 * before those that are. A service that has just started may not have heard from its workers yet.
 */
export function isUnattended(
  { workers, waiting_jobs }: ExternalWorkers,
  readAtMs: number,
  uptimeSeconds: number,
): boolean {
  if (waiting_jobs === 0 || uptimeSeconds * 1_000 < silentAfterMs) return false
  return workers.every(({ last_seen_at }) => isSilent(last_seen_at, readAtMs))
}

/** The text after the number of workers. */
export function calledLately({ workers, more }: ExternalWorkers, readAtMs: number): string {
  const lately = workers.filter(({ last_seen_at }) => !isSilent(last_seen_at, readAtMs)).length
  const known = workers.length + more
  const noun = known === 1 ? 'worker' : 'workers'
  if (lately === 0) return `${noun}, not seen for more than a minute`
  // For workers that are not shown it is unknown.
  const atLeast = more > 0 && lately === workers.length ? 'at least ' : ''
  if (lately === known) return `${noun}, seen in the last minute`
  return `${noun}, ${atLeast}${formatCount(lately)} of them seen in the last minute`
}

/** The service forgets workers after a while, so only a younger service knows that none has ever called. */
export function noWorkerAsked(uptimeSeconds: number): string {
  const minutes = v1Limits.workersKeptMinutes
  if (uptimeSeconds < minutes * 60) return 'No worker has asked for work yet.'
  return `No worker has asked for work in the last ${minutes} minutes.`
}

export function waitInVain(jobs: number): string {
  const wait = plural(jobs, 'job waits', 'jobs wait')
  return `${wait}, and no worker has called for a minute.`
}

export function runsOf(active: number, capacity: number): string {
  // A worker known only from a heartbeat has not reported its capacity.
  return capacity === 0 ? formatCount(active) : `${formatCount(active)} of ${formatCount(capacity)}`
}
