// deciding/actions/ledger.ts: one ledger for interventions and codes. It hears what health decided, what was answered and what
// people changed, and answers with decisions: records and events to commit before anything of them has an effect. It
// holds all open actions and what later decisions need of finished ones; another run finds the same in the records.
// No I/O, no clock, no randomness. A started action is never started again, an unknown one is never replayed.
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Instant } from '../health/health.ts'
import { triedUntil } from './action.ts'
import type { Room } from './action-queues.ts'
import { applyStep, cancelAll, type MonitorStep } from './apply-step.ts'
import type { Destination } from './destination.ts'
import { digestEnded, dropOldIncidents, nextDigestAt, queueDigests } from './digest.ts'
import { endAction, failUndeliverable } from './end-action.ts'
import type { InterventionGuard } from './intervention-queue.ts'
import { type LedgerDecision, LedgerDraft, nothingDecided } from './ledger-decision.ts'
import { createParts, type LedgerOptions, type LedgerParts, type LedgerSettings } from './ledger-parts.ts'
import { LedgerView } from './ledger-view.ts'
import type { OpenAction } from './monitor-actions.ts'
import { interruptStarted, type LedgerRecords, restoreLedger } from './restore-ledger.ts'

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
    if (JSON.stringify(this.#parts.queues.records()) !== kept) draft.keepDestinations()
    return draft.finish()
  }

  /** Whether steps of this monitor must be told even when they have no effects. */
  concerns(monitorId: string): boolean {
    return this.#parts.table.find(monitorId) !== undefined
  }

  /** Carries out the effects of a step of one monitor's health; the steps of one monitor come in their order. */
  apply(step: MonitorStep, now: Instant): LedgerDecision {
    if (step.step.effects.length === 0 && !this.concerns(step.monitorId)) return nothingDecided
    const { table } = this.#parts
    const transaction = { draft: new LedgerDraft(), monitor: table.findOrAdd(step.monitorId), now }
    applyStep(this.#parts, transaction, step)
    table.refresh(transaction.monitor)
    return transaction.draft.finish()
  }

  /**
   * Starts what may start now and has room, to be committed before any provider is called; and ends, at most as many
   * as codes have room, what was queued for destinations that are dead.
   */
  startDue(now: Instant, guard: InterventionGuard, room: Room): LedgerDecision {
    const { table, planner, queues } = this.#parts
    table.forgetArrivals(now - planner.settings.cooldownMs, forgottenAtOnce)
    const draft = new LedgerDraft()
    queueDigests(this.#parts, draft, now)
    for (const open of queues.takeUndeliverable(room.notifications))
      failUndeliverable(this.#parts, { draft, monitor: open.monitor, now }, open)
    for (const open of queues.takeStartable(now, guard, room)) this.#start(draft, open, now)
    return draft.finish()
  }

  /** When startDue may find something without another input; null when it will not. */
  nextStartAt(now: Instant): Instant | null {
    const startAt = this.#parts.queues.nextStartAt(now)
    const digestAt = nextDigestAt(this.#parts)
    if (startAt === null || digestAt === null) return startAt ?? digestAt
    return Math.min(startAt, digestAt)
  }

  /** The answer to a started action; one to anything else changes nothing. */
  ended(actionId: string, outcome: ActionOutcome, now: Instant): LedgerDecision {
    const { table } = this.#parts
    const open = table.openAction(actionId)
    if (open === undefined || open.action.state !== 'started') return nothingDecided
    const transaction = { draft: new LedgerDraft(), monitor: open.monitor, now }
    endAction(this.#parts, transaction, open, outcome)
    table.refresh(transaction.monitor)
    return transaction.draft.finish()
  }

  /** For a monitor that has no health any more that could say so. */
  monitorGone(monitorId: string, outcome: 'disabled' | 'removed', now: Instant): LedgerDecision {
    const { table } = this.#parts
    const monitor = table.find(monitorId)
    if (monitor === undefined) return nothingDecided
    const transaction = { draft: new LedgerDraft(), monitor, now }
    cancelAll(this.#parts, transaction, outcome)
    monitor.isQuiet = true
    table.refresh(monitor)
    return transaction.draft.finish()
  }

  /** What is queued for a destination that is no more ends; a dead one whose configuration changed is alive again. */
  reconfigure(destinations: Iterable<Destination>, settings: LedgerSettings, now: Instant): LedgerDecision {
    const { table, planner, queues } = this.#parts
    planner.settings = settings
    queues.interventions.budget.limit = settings.interventionsPerMinute
    const draft = new LedgerDraft()
    const before = JSON.stringify(queues.records())
    for (const open of queues.reconfigure(destinations)) {
      planner.cancel({ draft, monitor: open.monitor, now }, open, 'configuration_changed')
      table.refresh(open.monitor)
    }
    // One that has come back to life must not be dead again for the next process.
    if (JSON.stringify(queues.records()) !== before) draft.keepDestinations()
    return draft.finish()
  }

  /** After a gap of over 30 seconds: a queued red or intervention starts only when a check has failed again. */
  gapEnded(now: Instant): void {
    this.#parts.queues.trustFrom(now)
  }

  /** The service's clock was set: every instant moves by the step, so that no wait changes. */
  move(stepMs: number): LedgerDecision {
    const draft = new LedgerDraft()
    this.#parts.table.move(draft, stepMs)
    this.#parts.untold.move(draft, this.#parts.table.monitors(), stepMs)
    this.#parts.queues.move(stepMs)
    if (this.#parts.queues.records().length > 0) draft.keepDestinations()
    return draft.finish()
  }

  /** A person has reviewed an unknown action; false when it is not known as one. */
  reviewed(actionId: string): boolean {
    return this.#parts.table.forgetUnknown(actionId)
  }

  /** Now and then: ends what was tried for too long, at most so many at once. */
  expire(now: Instant): LedgerDecision {
    const { table, planner } = this.#parts
    const draft = new LedgerDraft()
    let left = expiredAtOnce
    for (const open of table.openActions()) {
      const { state, triedSince, kind } = open.action
      const isOver = triedSince !== null && triedUntil(triedSince) <= now
      if (kind !== 'code' || state !== 'queued' || !isOver || left-- === 0) continue
      const transaction = { draft, monitor: open.monitor, now }
      planner.cancel(transaction, open, 'expired', 'it could not be delivered for a day')
      if (open.action.cause === 'digest') digestEnded(this.#parts, transaction, open.action)
      table.refresh(open.monitor)
    }
    dropOldIncidents(this.#parts, draft, now)
    return draft.finish()
  }

  /** History goes back no further. */
  forgetBefore(instant: Instant): void {
    this.#parts.table.forgetUnknownBefore(instant)
  }

  #start(draft: LedgerDraft, open: OpenAction, now: Instant): void {
    const { table, untold, queues } = this.#parts
    const { id: actionId, kind, cause, color, monitorId, endpoint } = open.action
    const transaction = { draft, monitor: open.monitor, now }
    table.start(transaction, open)
    if (kind === 'intervention') draft.report({ kind: 'action-started', monitorId: monitorId!, actionId })
    if (cause === 'digest') queues.of(endpoint!)!.lastDigestAt = now
    if (color === 'green')
      open.carries = untold.of(open.monitor, endpoint!).filter(({ isCarried }) => isCarried)
  }
}
