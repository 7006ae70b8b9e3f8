// deciding/actions/ledger.ts: one ledger for interventions and codes. It hears what health decided, what was answered and what
// people changed, and answers with decisions: records and events to commit before anything of them has an effect. It
// holds all open actions and what later decisions need of finished ones; another run finds the same in the records.
// No I/O, no clock, no randomness. A started action is never started again, an unknown one is never replayed.
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Instant } from '../health/health.ts'
import { applyStep, cancelAll, type MonitorStep } from './apply-step.ts'
import { type LedgerDecision, LedgerDraft, nothingDecided } from './decision.ts'
import type { Destination } from './destination.ts'
import { digestEnded, dropOldIncidents, nextDigestAt, queueDigests } from './digest.ts'
import { buryAction, endAction } from './end-action.ts'
import type { InterventionGuard } from './intervention-line.ts'
import { LedgerView } from './ledger-view.ts'
import type { Line } from './monitor-book.ts'
import { createParts, type LedgerOptions, type LedgerParts, type LedgerSettings } from './parts.ts'
import { interruptStarted, type LedgerRecords, restoreLedger } from './restore-ledger.ts'
import { triedUntil } from './retry-times.ts'
import type { Room } from './selection.ts'

/** Bounds what one call does for cooldowns that have passed. */
const forgottenAtOnce = 1_000

const expiredAtOnce = 1_000

export class Ledger {
  readonly view: LedgerView
  readonly #parts: LedgerParts

  constructor(options: LedgerOptions) {
    this.#parts = createParts(options)
    this.view = new LedgerView(this.#parts)
  }

  /** Once, before anything else, in a run that found records: takes them over and ends what was under way. */
  restore(records: LedgerRecords, now: Instant): LedgerDecision {
    const draft = new LedgerDraft()
    restoreLedger(this.#parts, draft, records, now)
    interruptStarted(this.#parts, draft, now)
    const kept = JSON.stringify([...records.destinations])
    if (JSON.stringify(this.#parts.selection.records()) !== kept) draft.keepDestinations()
    return draft.finish()
  }

  /** Whether steps of this monitor must be told even when they have no effects. */
  concerns(monitorId: string): boolean {
    return this.#parts.books.bookOf(monitorId) !== undefined
  }

  /** Carries out the effects of a step of one monitor's health; the steps of one monitor come in their order. */
  apply(step: MonitorStep, now: Instant): LedgerDecision {
    if (step.step.effects.length === 0 && !this.concerns(step.monitorId)) return nothingDecided
    const { books } = this.#parts
    const page = { draft: new LedgerDraft(), book: books.openBook(step.monitorId), now }
    applyStep(this.#parts, page, step)
    books.closeBook(page.book)
    return page.draft.finish()
  }

  /**
   * Starts what may start now and has room, to be committed before any provider is called; and ends, at most as many
   * as codes have room, what was queued for destinations that are dead.
   */
  startDue(now: Instant, guard: InterventionGuard, room: Room): LedgerDecision {
    const { books, desk, selection } = this.#parts
    books.forgetArrivals(now - desk.settings.cooldownMs, forgottenAtOnce)
    const draft = new LedgerDraft()
    queueDigests(this.#parts, draft, now)
    for (const line of selection.takeBuried(room.codes))
      buryAction(this.#parts, { draft, book: line.book, now }, line)
    for (const line of selection.takeStartable(now, guard, room)) this.#start(draft, line, now)
    return draft.finish()
  }

  /** When startDue may find something without another input; null when it will not. */
  nextStartAt(now: Instant): Instant | null {
    const startAt = this.#parts.selection.nextStartAt(now)
    const digestAt = nextDigestAt(this.#parts)
    if (startAt === null || digestAt === null) return startAt ?? digestAt
    return Math.min(startAt, digestAt)
  }

  /** The answer to a started action; one to anything else changes nothing. */
  ended(actionId: string, outcome: ActionOutcome, now: Instant): LedgerDecision {
    const { books } = this.#parts
    const line = books.lineOf(actionId)
    if (line === undefined || line.action.state !== 'started') return nothingDecided
    const page = { draft: new LedgerDraft(), book: line.book, now }
    endAction(this.#parts, page, line, outcome)
    books.closeBook(page.book)
    return page.draft.finish()
  }

  /** For a monitor that has no health any more that could say so. */
  monitorGone(monitorId: string, outcome: 'disabled' | 'removed', now: Instant): LedgerDecision {
    const { books } = this.#parts
    const book = books.bookOf(monitorId)
    if (book === undefined) return nothingDecided
    const page = { draft: new LedgerDraft(), book, now }
    cancelAll(this.#parts, page, outcome)
    book.isQuiet = true
    books.closeBook(book)
    return page.draft.finish()
  }

  /** What is queued for a destination that is no more ends; a dead one whose configuration changed is alive again. */
  reconfigure(destinations: Iterable<Destination>, settings: LedgerSettings, now: Instant): LedgerDecision {
    const { books, desk, selection } = this.#parts
    desk.settings = settings
    selection.interventions.budget.limit = settings.interventionsPerMinute
    const draft = new LedgerDraft()
    const before = JSON.stringify(selection.records())
    for (const line of selection.reconfigure(destinations)) {
      desk.cancel({ draft, book: line.book, now }, line, 'configuration_changed')
      books.closeBook(line.book)
    }
    // One that has come back to life must not be dead again for the next process.
    if (JSON.stringify(selection.records()) !== before) draft.keepDestinations()
    return draft.finish()
  }

  /** After a gap of over 30 seconds: a queued red or intervention starts only when a check has failed again. */
  gapEnded(now: Instant): void {
    this.#parts.selection.trustFrom(now)
  }

  /** The service's clock was set: every instant moves by the step, so that no wait changes. */
  move(stepMs: number): LedgerDecision {
    const draft = new LedgerDraft()
    this.#parts.books.move(draft, stepMs)
    this.#parts.untold.move(draft, this.#parts.books.books(), stepMs)
    this.#parts.selection.move(stepMs)
    if (this.#parts.selection.records().length > 0) draft.keepDestinations()
    return draft.finish()
  }

  /** A person has reviewed an unknown action; false when it is not known as one. */
  reviewed(actionId: string): boolean {
    return this.#parts.books.forgetUnknown(actionId)
  }

  /** Now and then: ends what was tried for too long, at most so many at once. */
  expire(now: Instant): LedgerDecision {
    const { books, desk } = this.#parts
    const draft = new LedgerDraft()
    let left = expiredAtOnce
    for (const line of books.lines()) {
      const { state, triedSince, kind } = line.action
      const isOver = triedSince !== null && triedUntil(triedSince) <= now
      if (kind !== 'code' || state !== 'queued' || !isOver || left-- === 0) continue
      const page = { draft, book: line.book, now }
      desk.cancel(page, line, 'expired', 'it could not be delivered for a day')
      if (line.action.cause === 'digest') digestEnded(this.#parts, page, line.action)
      books.closeBook(line.book)
    }
    dropOldIncidents(this.#parts, draft, now)
    return draft.finish()
  }

  /** History goes back no further. */
  forgetBefore(instant: Instant): void {
    this.#parts.books.forgetUnknownBefore(instant)
  }

  #start(draft: LedgerDraft, line: Line, now: Instant): void {
    const { books, untold, selection } = this.#parts
    const { id: actionId, kind, cause, color, monitorId, endpoint } = line.action
    const page = { draft, book: line.book, now }
    books.start(page, line)
    if (kind === 'intervention') draft.report({ kind: 'action-started', monitorId: monitorId!, actionId })
    if (cause === 'digest') selection.laneOf(endpoint!)!.lastDigestAt = now
    if (color === 'green') line.carries = untold.of(line.book, endpoint!).filter(({ isCarried }) => isCarried)
  }
}
