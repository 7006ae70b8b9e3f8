// deciding/actions/ledger.ts: the ledger of all interventions and notifications. Its inputs are the steps of health, the
// answers of providers and what people change; it returns decisions: records and events to commit before any of them
// takes effect. No I/O, no clock, no randomness: from the records, the next process arrives at the same ledger.
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { EndBecause } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import { type Action, type Review, triedForMs, triedUntil, type Withdrawal } from './action.ts'
import type { Room } from './action-queues.ts'
import { applyStep, cancelAll, type MonitorStep } from './apply-step.ts'
import type { Destination } from './destination.ts'
import { digestEnded, dropOldIncidents, nextDigestAt, queueDigests } from './digest.ts'
import { endAction, failUndeliverable } from './end-action.ts'
import type { InterventionGuard } from './intervention-queue.ts'
import { type LedgerDecision, LedgerDraft, nothingDecided } from './ledger-decision.ts'
import { createParts, type LedgerOptions, type LedgerParts, type LedgerSettings } from './ledger-parts.ts'
import { LedgerView } from './ledger-view.ts'
import { isNotification, type OpenAction } from './monitor-actions.ts'
import { destinationRemoved } from './notification-planner.ts'
import type { PageOrder } from './page-order.ts'
import { interruptStarted, type LedgerRecords, restoreLedger } from './restore-ledger.ts'
import { contradictReview, reviewAction } from './review-action.ts'

/** Limits how many past cooldowns one call drops. */
const forgottenAtOnce = 1_000

const expiredAtOnce = 1_000

const notDeliveredForADay: Withdrawal = {
  outcome: 'expired',
  because: { kind: 'given_up', afterMs: triedForMs },
}

/** Per call, for dead destinations: a storm may have left more than one decision should hold. */
const undeliverableAtOnce = 1_000

/**
 * The life of an action:
 *
 *   queued ──▶ started ──▶ succeeded   the provider accepted it
 *      │          ├──────▶ failed      it was rejected, or its destination is gone
 *      │          └──────▶ unknown     no answer came, or the process stopped before it came
 *      ├──▶ cancelled                  superseded, recovered, expired, or the monitor or its config changed
 *      └──▶ failed                     the destination died while it was queued
 *
 * - An action starts only after its start is committed. A started action is never started again, and an unknown
 *   one is never repeated: it may have arrived, and only a person can tell.
 * - A retry is a new action with the next attempt number. Only a notification that was rejected for now gets
 *   one, for at most a day, and only while it is still true.
 * - A queued action is held back by maintenance, by a cooldown, by its destination or target, by the budget, or
 *   until a check of this process has failed. LedgerView.waitOf says which.
 * - If a notification of the same color is already in flight to the destination, a new one becomes its follow-up.
 * - A red that is not delivered leaves its incident untold at the destination (untold.ts). The monitor's next
 *   green reports it; what no green carries goes into a digest, one message about many incidents (digest.ts).
 */
export class Ledger {
  readonly view: LedgerView
  readonly #parts: LedgerParts

  constructor(options: LedgerOptions) {
    this.#parts = createParts(options)
    this.view = new LedgerView(this.#parts)
  }

  /**
   * Called once, before anything else, by a process that found records: takes them over and ends what was in
   * flight. targetOf: what the recovery of a monitor acts on; absent if every monitor has its own target.
   */
  restore(
    records: LedgerRecords,
    now: Instant,
    targetOf: (monitorId: string) => string = (monitorId) => monitorId,
  ): LedgerDecision {
    const draft = new LedgerDraft()
    restoreLedger(this.#parts, draft, records, now)
    interruptStarted(this.#parts, draft, records, now, targetOf)
    const kept = JSON.stringify([...records.destinations])
    if (JSON.stringify(this.#parts.queues.records()) !== kept) draft.keepDestinations()
    return draft.finish()
  }

  /** Whether the ledger needs to see a monitor's steps even if they have no effects. */
  concerns(monitorId: string): boolean {
    return this.#parts.table.find(monitorId) !== undefined
  }

  /** Carries out the effects of one step of a monitor's health. Steps of one monitor must come in order. */
  apply(step: MonitorStep, now: Instant): LedgerDecision {
    if (step.step.effects.length === 0 && !this.concerns(step.monitorId)) return nothingDecided
    const { table } = this.#parts
    const transaction = { draft: new LedgerDraft(), monitor: table.findOrAdd(step.monitorId), now }
    applyStep(this.#parts, transaction, step)
    table.refresh(transaction.monitor)
    return transaction.draft.finish()
  }

  /**
   * Starts what may start now and has room; the starts are committed before any provider is called. Also ends
   * what is queued for dead destinations, which needs no room.
   */
  startDue(now: Instant, guard: InterventionGuard, room: Room): LedgerDecision {
    const { table, planner, queues } = this.#parts
    table.forgetArrivals(now - planner.settings.cooldownMs, forgottenAtOnce)
    const draft = new LedgerDraft()
    queueDigests(this.#parts, draft, now)
    for (const open of queues.takeUndeliverable(undeliverableAtOnce))
      failUndeliverable(this.#parts, { draft, monitor: open.monitor, now }, open)
    for (const open of queues.takeStartable(now, guard, room)) this.#start(draft, open, now)
    return draft.finish()
  }

  /** When startDue may find something without another input; null if never. */
  nextStartAt(now: Instant): Instant | null {
    const startAt = this.#parts.queues.nextStartAt(now)
    const digestAt = nextDigestAt(this.#parts)
    if (startAt === null || digestAt === null) return startAt ?? digestAt
    return Math.min(startAt, digestAt)
  }

  /** The answer to a started action. Answers to any other action are ignored. */
  ended(actionId: string, outcome: ActionOutcome, now: Instant): LedgerDecision {
    const { table } = this.#parts
    const open = table.openAction(actionId)
    if (open === undefined || open.action.state !== 'started') return nothingDecided
    const transaction = { draft: new LedgerDraft(), monitor: open.monitor, now }
    endAction(this.#parts, transaction, open, outcome)
    table.refresh(transaction.monitor)
    return transaction.draft.finish()
  }

  /** Sends a notification of a page. */
  sendPage(order: Extract<PageOrder, { is: 'send' }>, now: Instant): LedgerDecision {
    const { table, planner } = this.#parts
    const transaction = { draft: new LedgerDraft(), monitor: table.pages, now }
    const { news: page, endpoint, incidentId, since, because, later } = order
    const subject = {
      cause: 'page',
      episodeId: null,
      incidentId,
      since,
      acknowledgedBy: null,
      because,
      page,
    } as const
    planner.sendPage(transaction, endpoint, subject, later)
    return transaction.draft.finish()
  }

  withdrawPage(page: string, because: EndBecause, now: Instant): LedgerDecision {
    const { table, planner } = this.#parts
    const transaction = { draft: new LedgerDraft(), monitor: table.pages, now }
    planner.withdrawPage(transaction, page, because)
    return transaction.draft.finish()
  }

  /** For a monitor that no longer has a health from which this could follow. */
  monitorGone(monitorId: string, outcome: 'disabled' | 'removed', now: Instant): LedgerDecision {
    const { table } = this.#parts
    const monitor = table.find(monitorId)
    if (monitor === undefined) return nothingDecided
    const transaction = { draft: new LedgerDraft(), monitor, now }
    cancelAll(this.#parts, transaction, { outcome, because: { kind: outcome } })
    monitor.isQuiet = true
    table.refresh(monitor)
    return transaction.draft.finish()
  }

  /** Cancels what is queued for removed destinations. A dead destination whose configuration changed is tried again. */
  reconfigure(destinations: Iterable<Destination>, settings: LedgerSettings, now: Instant): LedgerDecision {
    const { table, planner, queues } = this.#parts
    planner.settings = settings
    queues.interventions.budget.limit = settings.interventionsPerMinute
    const draft = new LedgerDraft()
    const before = JSON.stringify(queues.records())
    for (const open of queues.reconfigure(destinations)) {
      planner.cancel({ draft, monitor: open.monitor, now }, open, destinationRemoved)
      draft.pageEnded(open.action)
      table.refresh(open.monitor)
    }
    // Otherwise the next process would still treat a revived destination as dead.
    if (JSON.stringify(queues.records()) !== before) draft.keepDestinations()
    return draft.finish()
  }

  /** After a gap of over 30 seconds, a queued red or intervention starts only after a check has failed again. */
  gapEnded(now: Instant): void {
    this.#parts.queues.trustFrom(now)
  }

  /** The service's clock was set: every instant moves by the step, so no wait changes. */
  move(stepMs: number): LedgerDecision {
    const draft = new LedgerDraft()
    this.#parts.table.move(draft, stepMs)
    this.#parts.untold.move(draft, this.#parts.table.monitors(), stepMs)
    this.#parts.queues.move(stepMs)
    if (this.#parts.queues.records().length > 0) draft.keepDestinations()
    return draft.finish()
  }

  /** A person has reviewed an unknown action. Reviews of other actions are ignored, and no action is ever repeated. */
  review(actionId: string, review: Review, now: Instant): LedgerDecision {
    const draft = new LedgerDraft()
    reviewAction(this.#parts, draft, actionId, review, now)
    return draft.finish()
  }

  /**
   * A later report contradicts the review of an action: its outcome is unknown again, and it holds what it held before.
   */
  contradict(action: Action, conflict: string): LedgerDecision {
    const draft = new LedgerDraft()
    contradictReview(this.#parts, draft, action, conflict)
    return draft.finish()
  }

  /** Call periodically: ends what was tried for too long, a bounded number per call. */
  expire(now: Instant): LedgerDecision {
    const { table, planner } = this.#parts
    const draft = new LedgerDraft()
    let left = expiredAtOnce
    for (const open of table.openActions()) {
      if (!isNotification(open)) continue
      const { state, triedSince } = open.action
      const isOver = triedSince !== null && triedUntil(triedSince) <= now
      if (state !== 'queued' || !isOver || left-- === 0) continue
      const transaction = { draft, monitor: open.monitor, now }
      planner.cancel(transaction, open, notDeliveredForADay, 'it could not be delivered for a day')
      if (open.action.cause === 'digest') digestEnded(this.#parts, transaction, open.action)
      table.refresh(open.monitor)
    }
    dropOldIncidents(this.#parts, draft, now)
    return draft.finish()
  }

  /** Drops unknown actions that are older than history. */
  forgetBefore(instant: Instant): void {
    this.#parts.table.forgetUnknownBefore(instant)
  }

  #start(draft: LedgerDraft, open: OpenAction, now: Instant): void {
    const { table, untold, queues } = this.#parts
    const { monitor } = open
    table.start({ draft, monitor, now }, open)
    if (!isNotification(open)) {
      const { id: actionId, monitorId } = open.action
      if (monitorId !== null) draft.report({ kind: 'action-started', monitorId, actionId })
      return
    }
    const { cause, color, endpoint } = open.action
    const queue = queues.of(endpoint)
    if (cause === 'digest' && queue !== undefined) queue.lastDigestAt = now
    if (color === 'green') open.carries = untold.of(monitor, endpoint).filter(({ isCarried }) => isCarried)
  }
}
