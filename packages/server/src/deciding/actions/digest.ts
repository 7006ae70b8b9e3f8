// deciding/actions/digest.ts: one message about all incidents that a destination was not told about. It is
// due one cooldown after the oldest incident became untold, at most once per cooldown, for up to a day, and
// its contents are those at its start. The incidents it covers are settled in slices, because a storm can
// leave more than one decision should hold.
import { type Because, failureIn } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import type { NotificationAction, Withdrawal } from './action.ts'
import type { LedgerTransaction } from './action-table.ts'
import type { DestinationQueue } from './destination-queue.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import type { LedgerParts } from './ledger-parts.ts'
import { isNotification, type UntoldIncident } from './monitor-actions.ts'

/** Even without a cooldown, incidents of the same moment go into one message. */
const shortestWaitMs = 1_000

const settledAtOnce = 500

const toldWithinMs = 86_400_000

/** The contents of a digest. */
export interface DigestContents {
  readonly incidents: number
  readonly downMs: number
  readonly from: Instant
  readonly to: Instant
  /** Longest downtime first. */
  readonly monitors: readonly DigestEntry[]
}

export interface DigestEntry {
  readonly monitorId: string
  readonly incidents: number
  readonly downMs: number
  /** The failed check that opened the last of them, in words; null if it is not known. */
  readonly failure: string | null
}

/** Queues digests that are due, and settles incidents that no longer need one. */
export function queueDigests(parts: LedgerParts, draft: LedgerDraft, now: Instant): void {
  const { table, planner, queues, untold } = parts
  const transaction = { draft, monitor: table.digests, now }
  for (const open of table.digests.openActions)
    if (
      isNotification(open) &&
      open.action.state === 'queued' &&
      untold.oldestAt(open.action.endpoint) === null
    )
      planner.cancel(transaction, open, nothingUntold)
  for (const endpoint of [...untold.endpoints()].sort()) {
    const queue = queues.of(endpoint)
    // A destination that is dead or no longer in the fleet is owed nothing.
    const settledBefore = queue === undefined || queue.isDead ? Number.POSITIVE_INFINITY : queue.digestedUpTo
    settleBefore(parts, draft, endpoint, settledBefore, now)
    const dueAt = queue === undefined ? null : digestDueAt(parts, queue)
    if (dueAt !== null && dueAt <= now)
      planner.sendDigest(transaction, endpoint, whyDigest(parts, endpoint, now))
  }
}

/** When queueDigests next has something to do; null if never. */
export function nextDigestAt(parts: LedgerParts): Instant | null {
  let earliest: Instant | null = null
  for (const endpoint of parts.untold.endpoints()) {
    const queue = parts.queues.of(endpoint)
    const oldestAt = parts.untold.oldestAt(endpoint)
    if (oldestAt === null) continue
    const isSettled = queue === undefined || queue.isDead || oldestAt < queue.digestedUpTo
    const at = isSettled ? oldestAt : digestDueAt(parts, queue)
    if (at !== null && (earliest === null || at < earliest)) earliest = at
  }
  return earliest
}

/** What a digest that starts at this instant tells its destination; null if there is nothing to tell. */
export function digestContents(
  { untold }: Pick<LedgerParts, 'untold'>,
  endpoint: string,
  startedAt: Instant,
): DigestContents | null {
  const incidents = untold.waitingAt(endpoint, startedAt)
  if (incidents.length === 0) return null
  const monitors = new Map<string, Omit<DigestEntry, 'monitorId'> & { readonly lastFrom: Instant }>()
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  let downMs = 0
  for (const { action } of incidents) {
    const { monitorId, untold: times, because } = action
    const end = times.to ?? startedAt
    const lastedMs = Math.max(0, end - times.from)
    const entry = monitors.get(monitorId) ?? nothingOfMonitor
    const isLast = times.from >= entry.lastFrom
    monitors.set(monitorId, {
      incidents: entry.incidents + 1,
      downMs: entry.downMs + lastedMs,
      lastFrom: isLast ? times.from : entry.lastFrom,
      failure: isLast ? failureIn(because) : entry.failure,
    })
    from = Math.min(from, times.from)
    to = Math.max(to, end)
    downMs += lastedMs
  }
  const entries = Array.from(monitors, ([monitorId, { lastFrom: _, ...entry }]) => ({ monitorId, ...entry }))
  entries.sort((one, other) => other.downMs - one.downMs)
  return { incidents: incidents.length, downMs, from, to, monitors: entries }
}

/**
 * A digest that was delivered, or rejected for good, settles its incidents. If its answer was lost they stay
 * untold and go into the next digest: only an accepted message counts as told.
 */
export function digestEnded(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  digest: NotificationAction,
): void {
  if (digest.state === 'unknown') return
  const { draft, now } = transaction
  const { endpoint } = digest
  const queue = parts.queues.of(endpoint)
  if (queue === undefined) return
  const startedAt = digest.startedAt ?? now
  const contents = digestContents(parts, endpoint, startedAt)
  queue.digestedUpTo = Math.max(queue.digestedUpTo, startedAt)
  queue.digestedAt = now
  const { incidents, downMs, from, to, monitors } = contents ?? nothing
  const told = { incidents, monitors: monitors.length, downMs, from, to }
  queue.digestId = digest.state === 'succeeded' ? digest.id : null
  if (digest.state === 'succeeded') draft.digestEnded('digest_sent', digest, told, now)
  else draft.digestEnded('digest_dropped', digest, { ...told, reason: digest.reason }, now)
  settleBefore(parts, draft, endpoint, queue.digestedUpTo, now)
}

/** Each incident that the last digest told of is named in the log, so that its story says so. */
function settleBefore(
  { table, queues, untold }: LedgerParts,
  draft: LedgerDraft,
  endpoint: string,
  before: Instant,
  now: Instant,
): void {
  const queue = queues.of(endpoint)
  for (const incident of untold.takeBefore(endpoint, before, settledAtOnce)) {
    const { action, monitor } = incident
    if (queue?.digestId != null && queue.hasDigestedSince(action.untold.since))
      draft.incidentReported(action, queue.digestId, now)
    untold.settle(draft, incident)
    table.refresh(monitor)
  }
}

/** After a day without being told, an incident is no longer news. */
export function dropOldIncidents(parts: LedgerParts, draft: LedgerDraft, now: Instant): void {
  const { table, untold } = parts
  for (const endpoint of [...untold.endpoints()].sort()) {
    const old = untold.takeBefore(endpoint, now - toldWithinMs, settledAtOnce)
    for (const incident of old) {
      untold.settle(draft, incident)
      table.refresh(incident.monitor)
    }
    if (old.length === 0) continue
    const reason = 'they could not be told for a day'
    const because = { kind: 'given_up', afterMs: toldWithinMs } as const
    draft.digestDropped(endpoint, because, { incidents: old.length, reason }, now)
  }
}

const nothingUntold: Withdrawal = { outcome: 'superseded', because: { kind: 'nothing_untold' } }

const nothing: DigestContents = { incidents: 0, downMs: 0, from: 0, to: 0, monitors: [] }

const nothingOfMonitor = { incidents: 0, downMs: 0, lastFrom: Number.NEGATIVE_INFINITY, failure: null }

/** Null while a digest is open, or while no incident waits for one. */
function digestDueAt({ table, planner, untold }: LedgerParts, queue: DestinationQueue): Instant | null {
  const { name } = queue.destination
  if (queue.isDead || table.digests.openActions.some(({ action }) => action.endpoint === name)) return null
  const oldestAt = untold.oldestAt(name)
  if (oldestAt === null) return null
  return Math.max(oldestAt, queue.lastDigestAt) + waitMs(planner)
}

function waitMs({ settings }: LedgerParts['planner']): number {
  return Math.max(shortestWaitMs, settings.cooldownMs)
}

function whyDigest({ untold, planner }: LedgerParts, endpoint: string, now: Instant): Because {
  const incidents = untold.waitingAt(endpoint, now).length
  const sinceMs = now - (untold.oldestAt(endpoint) ?? now)
  return { kind: 'digest', incidents, waitMs: waitMs(planner), sinceMs }
}

/** What a green adds: the incidents of its monitor that the destination was not told about. */
export function carriedContents(carries: readonly UntoldIncident[], now: Instant) {
  if (carries.length === 0) return null
  const times = carries.map(({ action: { untold } }) => ({ from: untold.from, to: untold.to ?? now }))
  return {
    incidents: carries.length,
    downMs: times.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0),
    from: Math.min(...times.map(({ from }) => from)),
    failure: failureIn(carries.at(-1)!.action.because),
  }
}
