// deciding/actions/action-table.ts: the books of all monitors and the only place where an action changes: queued, amended, started,
// ended. Every change is drafted as a record to commit. It keeps what is counted (pending codes, unknown actions) and
// what stands in line in step with the actions, and decides nothing.
import type { Instant } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import { type Action, type CancelOutcome, mayHaveArrived, movedAction } from './action.ts'
import type { ActionQueues } from './action-queues.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import { MonitorActions, type OpenAction } from './monitor-actions.ts'

/** What a new action is made of; the rest is the same for all. */
export type NewAction = Pick<
  Action,
  | 'id'
  | 'kind'
  | 'color'
  | 'cause'
  | 'endpoint'
  | 'episodeId'
  | 'incidentId'
  | 'since'
  | 'attempt'
  | 'triedSince'
  | 'notBefore'
>

/** The book that a decision writes into, and when. */
export interface LedgerTransaction {
  readonly draft: LedgerDraft
  readonly monitor: MonitorActions
  readonly now: Instant
}

export class ActionTable {
  readonly #queues: ActionQueues
  /** Digests speak of many monitors and stand in a book of their own. */
  readonly digests = new MonitorActions(null)
  readonly #monitors = new Map<string, MonitorActions>()
  readonly #open = new Map<string, OpenAction>()
  readonly #unknown = new Map<string, Action>()
  readonly #monitorsByColor: Record<Color, number> = { red: 0, yellow: 0, cyan: 0, green: 0, gray: 0 }
  /** In the order of their time: when each stops to matter for a cooldown. */
  #arrivals: { readonly monitor: MonitorActions; readonly action: Action }[] = []
  #forgottenArrivals = 0
  #sequence = 0

  constructor(queues: ActionQueues) {
    this.#queues = queues
  }

  get monitorsByColor(): Readonly<Record<Color, number>> {
    return this.#monitorsByColor
  }

  get unknownActions(): number {
    return this.#unknown.size
  }

  find(monitorId: string): MonitorActions | undefined {
    return this.#monitors.get(monitorId)
  }

  openAction(actionId: string): OpenAction | undefined {
    return this.#open.get(actionId)
  }

  openActions(): Iterable<OpenAction> {
    return this.#open.values()
  }

  monitors(): Iterable<MonitorActions> {
    return this.#monitors.values()
  }

  findOrAdd(monitorId: string): MonitorActions {
    let monitor = this.#monitors.get(monitorId)
    if (monitor === undefined) {
      monitor = new MonitorActions(monitorId)
      this.#monitors.set(monitorId, monitor)
    }
    return monitor
  }

  /** After a change: what is pending is counted again, and a book that says nothing is thrown away. */
  refresh(monitor: MonitorActions): void {
    const pending = monitor.highestColor()
    if (pending !== monitor.pendingColor) {
      if (monitor.pendingColor !== null) this.#monitorsByColor[monitor.pendingColor]--
      if (pending !== null) this.#monitorsByColor[pending]++
      monitor.pendingColor = pending
    }
    const { monitorId } = monitor
    if (monitorId !== null && monitor.isEmpty && this.#monitors.get(monitorId) === monitor)
      this.#monitors.delete(monitorId)
  }

  queue(transaction: LedgerTransaction, what: NewAction): void {
    const action = newAction(transaction, what)
    this.take(transaction.monitor, action)
    this.#changeState(transaction, action)
  }

  /** Recorded only: it ended before it could be queued. */
  recordEnded(
    transaction: LedgerTransaction,
    what: NewAction,
    end: Pick<Action, 'state' | 'outcome' | 'reason'>,
  ): Action {
    const ended = { ...newAction(transaction, what), ...end, finishedAt: transaction.now }
    this.#changeState(transaction, ended)
    return ended
  }

  /** Takes an action that is open already. */
  take(monitor: MonitorActions, action: Action): void {
    const open: OpenAction = {
      action,
      monitor,
      sequence: this.#sequence++,
      dueAt: action.notBefore,
      heldBy: null,
      retryEndsAs: null,
      carries: [],
    }
    monitor.openActions = [...monitor.openActions, open]
    this.#open.set(action.id, open)
    if (action.state === 'queued') this.#queues.add(open)
  }

  amend({ draft }: LedgerTransaction, open: OpenAction, changes: Partial<Action>): void {
    open.action = { ...open.action, ...changes, revision: open.action.revision + 1 }
    draft.change(open.action)
  }

  /** The selection has taken it out of its line already. */
  start(transaction: LedgerTransaction, open: OpenAction): void {
    const triedSince = open.action.triedSince ?? transaction.now
    this.amend(transaction, open, { state: 'started', startedAt: transaction.now, triedSince })
    this.#changeState(transaction, open.action)
    transaction.monitor.noteStart(open.action)
  }

  cancel(
    transaction: LedgerTransaction,
    open: OpenAction,
    outcome: CancelOutcome,
    reason: string | null = null,
  ): void {
    this.end(transaction, open, { state: 'cancelled', outcome, reason })
  }

  end(
    transaction: LedgerTransaction,
    open: OpenAction,
    end: Pick<Action, 'state' | 'outcome' | 'reason'>,
  ): void {
    const { monitor, now } = transaction
    const wasQueued = open.action.state === 'queued'
    this.amend(transaction, open, { ...end, finishedAt: now, followUp: null })
    this.#changeState(transaction, open.action)
    this.#open.delete(open.action.id)
    monitor.openActions = monitor.openActions.filter((one) => one !== open)
    if (wasQueued) this.#queues.cancelled(open)
    else this.#queues.ended(open)
    this.remember(monitor, open.action)
  }

  #changeState({ draft, monitor, now }: LedgerTransaction, action: Action): void {
    draft.changeState(action, now)
    monitor.lastAction = action
  }

  /** What is needed of a finished action. */
  remember(monitor: MonitorActions, action: Action): void {
    monitor.noteChange(action)
    const { id, kind, color, endpoint, startedAt } = action
    if (mayHaveArrived(action) && color !== null && endpoint !== null) {
      monitor.noteArrival(color, endpoint, startedAt!)
      this.#arrivals.push({ monitor, action })
    }
    if (action.state !== 'unknown') return
    this.#unknown.set(id, action)
    monitor.unknownActions++
    if (kind === 'intervention') monitor.unknownInterventions++
  }

  /** The clock was set: all that is open, and what cooldowns are judged by, moves with it. */
  move(draft: LedgerDraft, stepMs: number): void {
    for (const open of this.#open.values()) {
      open.action = { ...movedAction(open.action, stepMs), revision: open.action.revision + 1 }
      open.dueAt += stepMs
      draft.change(open.action)
    }
    // Also what was told of troubles: the next process looks for recent actions by their times.
    const ended = new Map<string, Action>()
    const moved = (action: Action): Action => {
      const known = this.#open.get(action.id)?.action ?? ended.get(action.id)
      if (known !== undefined) return known
      const next = { ...movedAction(action, stepMs), revision: action.revision + 1 }
      ended.set(action.id, next)
      draft.change(next)
      return next
    }
    for (const monitor of this.#monitors.values()) monitor.move(stepMs, moved)
    this.#arrivals = this.#arrivals.map(({ monitor, action }) => ({
      monitor,
      action: movedAction(action, stepMs),
    }))
  }

  /** Reviewed by a person, or older than history. False when it is not known as unknown. */
  forgetUnknown(actionId: string): boolean {
    const action = this.#unknown.get(actionId)
    if (action === undefined) return false
    const monitor = action.monitorId === null ? this.digests : this.#monitors.get(action.monitorId)!
    this.#unknown.delete(actionId)
    monitor.unknownActions--
    if (action.kind === 'intervention') monitor.unknownInterventions--
    this.refresh(monitor)
    return true
  }

  forgetUnknownBefore(instant: Instant): void {
    for (const { id, finishedAt } of this.#unknown.values()) if (finishedAt! < instant) this.forgetUnknown(id)
  }

  /** Codes that were started up to then delay no others any more; at most so many are looked at. */
  forgetArrivals(upTo: Instant, atMost: number): void {
    const end = Math.min(this.#arrivals.length, this.#forgottenArrivals + atMost)
    for (; this.#forgottenArrivals < end; this.#forgottenArrivals++) {
      const { monitor, action } = this.#arrivals[this.#forgottenArrivals]!
      if (action.startedAt! > upTo) break
      monitor.forgetArrival(action.color!, action.endpoint!, action.startedAt!)
      this.refresh(monitor)
    }
    if (this.#forgottenArrivals * 2 <= this.#arrivals.length) return
    this.#arrivals = this.#arrivals.slice(this.#forgottenArrivals)
    this.#forgottenArrivals = 0
  }
}

function newAction({ monitor, now }: LedgerTransaction, what: NewAction): Action {
  return {
    ...what,
    monitorId: monitor.monitorId,
    revision: 1,
    state: 'queued',
    outcome: null,
    queuedAt: now,
    startedAt: null,
    finishedAt: null,
    reason: null,
    followUp: null,
    untold: null,
  }
}
