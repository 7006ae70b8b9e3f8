// deciding/actions/restore-ledger.ts: how another run goes on with what was committed: queued work is in line again, started
// work has an outcome that nobody knows, and what was told, when and to whom follows from the records. Instants of a
// clock that was ahead are brought back to now, or they would delay what they were never meant to delay.
import type { Health, Instant } from '../health/health.ts'
import { type Action, isOpen, type Untold } from './action.ts'
import type { Page } from './books.ts'
import type { LedgerDraft } from './decision.ts'
import type { DestinationRecord } from './destination.ts'
import type { DestinationLane } from './destination-lane.ts'
import { interruptAction } from './end-action.ts'
import type { MonitorBook } from './monitor-book.ts'
import type { LedgerParts } from './parts.ts'

export interface LedgerRecords {
  /** In the order in which they were queued: all that are open or unknown, and all that finished since then. */
  readonly actions: readonly Action[]
  /** At least a cooldown ago; what was told earlier is taken from the healths. */
  readonly completeSince: Instant
  /** Of every monitor that has an episode, a warning or a maintenance window. */
  readonly healths: ReadonlyMap<string, Health>
  readonly destinations: Iterable<DestinationRecord>
  /** The records are those of a backup that was restored; null when they are the last there were. */
  readonly restoredFrom: { readonly backupAt: Instant } | null
}

export function restoreLedger(
  parts: LedgerParts,
  draft: LedgerDraft,
  records: LedgerRecords,
  now: Instant,
): void {
  const { books, selection } = parts
  for (const record of records.destinations) selection.laneOf(record.name)?.restore(record, now)
  const actions = records.actions.map((action) => broughtBack(draft, action, now))
  for (const action of actions) {
    const { monitorId } = action
    const book = monitorId === null ? books.digests : books.openBook(monitorId)
    const health = monitorId === null ? undefined : records.healths.get(monitorId)
    const seen = { ...action, startedAt: notAfter(now, action.startedAt) }
    book.lastAction = seen
    recallTold(book, seen, health?.episode?.id ?? null)
    if (isOpen(action) && records.restoredFrom !== null)
      takeOpenOfBackup(parts, { draft, book, now }, action, records.restoredFrom.backupAt)
    else if (isOpen(action)) takeOpen(parts, draft, book, action, now)
    else books.remember(book, seen)
    if (action.cause === 'digest') recallDigest(parts, action, now)
  }
  recallBudget(parts, records.actions, now)
  recallAnswers(parts, records)
  for (const [monitorId, health] of records.healths) {
    const book = books.openBook(monitorId)
    book.inMaintenance = health.maintenance !== null
    book.isQuiet = health.episode === null && health.warning === null
    book.openIncidentId = health.episode?.incident?.id ?? null
    book.assumeTold(health, records.completeSince, now)
  }
  recallUntold(parts, draft, { ...records, actions }, now)
  for (const lane of selection.lanes()) lane.notAhead(now)
  for (const book of books.books()) books.closeBook(book)
}

/**
 * A finished one of a clock that was ahead, written down as finished now: a later process would otherwise take it for
 * newer than what came after it, and would know the one without the other.
 */
function broughtBack(draft: LedgerDraft, action: Action, now: Instant): Action {
  const { queuedAt, startedAt, finishedAt, revision } = action
  if (isOpen(action) || finishedAt === null || finishedAt <= now) return action
  const back = {
    ...action,
    revision: revision + 1,
    queuedAt: Math.min(queuedAt, now),
    startedAt: notAfter(now, startedAt),
    finishedAt: now,
  }
  draft.change(back)
  return back
}

/** Nobody will hear the answers to what was under way, and nothing seen before may start a red or an intervention. */
export function interruptStarted(parts: LedgerParts, draft: LedgerDraft, now: Instant): void {
  const { books, selection } = parts
  selection.trustFrom(now)
  for (const line of [...books.lines()]) {
    if (line.action.state !== 'started') continue
    interruptAction(parts, { draft, book: line.book, now }, line)
    books.closeBook(line.book)
  }
}

/**
 * What was queued when the backup was made may have been done since, and is not done again. A red stays: it starts only
 * when a check of this run has failed, so that it is true when it is sent, and a monitor that still fails is heard.
 */
function takeOpenOfBackup(parts: LedgerParts, page: Page, action: Action, backupAt: Instant): void {
  const { draft, book, now } = page
  const { id, monitorId, kind, color, endpoint, state, revision } = action
  if (color === 'red') takeOpen(parts, draft, book, action, now)
  else if (state === 'started') takeOpen(parts, draft, book, { ...action, followUp: null }, now)
  else {
    const reason = `restored from a backup of ${new Date(backupAt).toISOString()}; it may have been done since`
    const ended = { state: 'cancelled', outcome: 'expired', finishedAt: now, reason } as const
    draft.changeState({ ...action, revision: revision + 1, ...ended }, now)
    // Its episode must not wait for it for ever: the incident opens instead.
    if (kind === 'intervention')
      draft.report({ kind: 'action-ended', monitorId: monitorId!, actionId: id, outcome: 'rejected' })
    if (color === 'green') book.oweGreen(endpoint!)
  }
}

function takeOpen(
  { books, selection }: LedgerParts,
  draft: LedgerDraft,
  book: MonitorBook,
  action: Action,
  now: Instant,
): void {
  const { endpoint, state, queuedAt, notBefore, revision } = action
  const next = { ...action, revision: revision + 1 }
  if (state === 'queued' && endpoint !== null && selection.laneOf(endpoint) === undefined) {
    const ended = { state: 'cancelled', outcome: 'configuration_changed', finishedAt: now } as const
    draft.changeState({ ...next, ...ended }, now)
  } else if (state === 'queued' && queuedAt > now) {
    const rebased = { ...next, queuedAt: now, notBefore: now + notBefore - queuedAt }
    books.take(book, rebased)
    draft.change(rebased)
  } else books.take(book, { ...action, startedAt: notAfter(now, action.startedAt) })
}

function recallTold(book: MonitorBook, action: Action, openEpisodeId: string | null): void {
  const { color, cause, endpoint, outcome, startedAt, episodeId } = action
  if (color === null) return
  if (color === 'green') {
    if (outcome === 'superseded' || outcome === 'expired') book.oweGreen(endpoint!)
    else book.payGreen(endpoint!)
  } else if (startedAt !== null) {
    if (cause === 'warning') book.noteWarningTold(action)
    if (episodeId !== null && episodeId === openEpisodeId) book.noteTold(episodeId, action)
  }
}

/** After the open actions and the incidents are known: they say what each is still waiting for. */
function recallUntold(
  { books, selection, untold }: LedgerParts,
  draft: LedgerDraft,
  { actions, restoredFrom }: LedgerRecords,
  now: Instant,
): void {
  const greens = new Map<string, Action>()
  const keyOf = ({ monitorId, endpoint }: Action) => JSON.stringify([monitorId, endpoint])
  for (const action of actions)
    if (action.color === 'green' && isOpen(action)) greens.set(keyOf(action), action)
  for (const action of actions) {
    if (action.untold === null) continue
    // Times of the previous process are compared with its own; where its clock was ahead, they mean nothing later.
    const lane = selection.laneOf(action.endpoint!)
    const isCarried = wasCarried(action.untold, greens.get(keyOf(action)), lane)
    const isDigested = !isCarried && lane?.isAhead(now) && lane.hasDigestedSince(action.untold.since)
    // What a backup calls untold may have been told since.
    if (restoredFrom !== null || isDigested)
      draft.change({ ...action, untold: null, revision: action.revision + 1 })
    else {
      const { since, from, to } = action.untold
      const times = { since: notAfter(now, since), from: Math.min(from, now), to: notAfter(now, to) }
      untold.restore(books.openBook(action.monitorId!), { ...action, untold: times }, isCarried)
    }
  }
}

/** A green was queued or in flight that tells of it, so that no digest did; unless one had ended when it was queued. */
function wasCarried(
  { since, from }: Untold,
  green: Action | undefined,
  lane: DestinationLane | undefined,
): boolean {
  if (green === undefined || lane === undefined) return false
  const isNewer = green.startedAt !== null && (since ?? from) > green.startedAt
  const isDigested = lane.hasDigestedSince(since) && lane.digestedAt <= green.queuedAt
  return !isNewer && !isDigested
}

function recallDigest({ selection }: LedgerParts, { endpoint, startedAt }: Action, now: Instant): void {
  const lane = selection.laneOf(endpoint!)
  if (lane !== undefined && startedAt !== null)
    lane.lastDigestAt = Math.max(lane.lastDigestAt, Math.min(startedAt, now))
}

/** How many in a row a destination has not taken. Of older answers only the lost ones are known, not what came after. */
function recallAnswers({ selection }: LedgerParts, { actions, completeSince }: LedgerRecords): void {
  const answers = actions.filter(
    ({ endpoint, state, outcome, finishedAt }) =>
      endpoint !== null &&
      (state === 'succeeded' || outcome === 'rejected' || outcome === 'timed_out') &&
      finishedAt! >= completeSince,
  )
  answers.sort((one, other) => one.finishedAt! - other.finishedAt!)
  for (const { endpoint, state, reason, finishedAt } of answers) {
    const lost = state === 'unknown' ? { since: finishedAt!, reason: reason ?? '' } : null
    selection.laneOf(endpoint!)?.condition.recall(state === 'succeeded', lost)
  }
}

function recallBudget({ selection }: LedgerParts, actions: readonly Action[], now: Instant): void {
  const starts = actions.flatMap(({ kind, startedAt }) =>
    kind === 'intervention' && startedAt !== null ? [Math.min(startedAt, now)] : [],
  )
  for (const at of starts.sort((a, b) => a - b)) selection.interventions.budget.spend(at)
}

function notAfter(now: Instant, instant: Instant | null): Instant | null {
  return instant === null ? null : Math.min(instant, now)
}
