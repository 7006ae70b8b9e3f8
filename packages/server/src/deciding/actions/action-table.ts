// deciding/actions/action-table.ts: the open actions of all monitors, and the only place where an action changes: actions
// are queued, amended, started and ended here, and every change is drafted as a record to commit. The table keeps its
// counts (pending colors, unknown actions) and the queues in step with the actions. It decides nothing.
import type { Instant } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import {
  type Action,
  type End,
  endFields,
  isConcluded,
  isUnknown,
  isUntoldRed,
  mayHaveArrived,
  movedAction,
  type RecordedWithdrawal,
  type Review,
  type Withdrawal,
} from './action.ts'
import type { ActionQueues } from './action-queues.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import { MonitorActions, type OpenAction } from './monitor-actions.ts'

/** The fields of a new action that differ between actions. */
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
  | 'acknowledgedBy'
  | 'because'
  | 'page'
  | 'delay'
  | 'attempt'
  | 'triedSince'
  | 'notBefore'
>

/** One decision about one monitor: the draft of its records, the monitor's actions, and the time. */
export interface LedgerTransaction {
  readonly draft: LedgerDraft
  readonly monitor: MonitorActions
  readonly now: Instant
}

/** When a notification started that reached its destination, or may have. */
interface Arrival {
  readonly monitor: MonitorActions
  readonly color: Color
  readonly endpoint: string
  readonly startedAt: Instant
}

export class ActionTable {
  readonly #queues: ActionQueues
  readonly #monitors = new Map<string, MonitorActions>()
  readonly #open = new Map<string, OpenAction>()
  /** Unknown actions by id, each as last recorded. */
  readonly #unknown = new Map<string, Action>()
  /** Digests cover many monitors, so they have a separate entry. */
  readonly digests = new MonitorActions(null, this.#unknown)
  /** So do pages: what holds back or replaces the colors of a monitor does not apply to them. */
  readonly pages = new MonitorActions(null, this.#unknown)
  readonly #monitorsByColor: Record<Color, number> = { red: 0, yellow: 0, cyan: 0, green: 0, gray: 0 }
  /** In order of their start. Each one matters until its cooldown has passed. */
  #arrivals: Arrival[] = []
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

  /** Undefined if the action was reviewed conclusively or is older than history. */
  unknownAction(actionId: string): Action | undefined {
    return this.#unknown.get(actionId)
  }

  /** Unknown actions that were not reviewed and are not older than history, in the order in which they ended. */
  unknown(): Iterable<Action> {
    return this.#unknown.values()
  }

  find(monitorId: string): MonitorActions | undefined {
    return this.#monitors.get(monitorId)
  }

  /** Whose action it is. */
  ownerOf({ monitorId, cause }: Pick<Action, 'monitorId' | 'cause'>): MonitorActions {
    if (monitorId !== null) return this.findOrAdd(monitorId)
    return cause === 'page' ? this.pages : this.digests
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
      monitor = new MonitorActions(monitorId, this.#unknown)
      this.#monitors.set(monitorId, monitor)
    }
    return monitor
  }

  /**
   * Call after every change. Recounts the pending color, and drops the monitor's entry once there is nothing
   * left to keep.
   */
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

  /** Records an action that ended before it could be queued. */
  recordEnded<What extends NewAction>(transaction: LedgerTransaction, what: What, end: End): What & Action {
    const ended = { ...newAction(transaction, what), ...endFields(end, transaction.now) }
    this.#changeState(transaction, ended)
    return ended
  }

  /** Adds an action that is already open. */
  take(monitor: MonitorActions, action: Action): void {
    const open: OpenAction = {
      action,
      monitor,
      sequence: this.#sequence++,
      dueAt: action.notBefore,
      heldBy: null,
      retryEndsAs: retryEndOf(action),
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

  /** The caller has already taken it out of its queue. */
  start(transaction: LedgerTransaction, open: OpenAction): void {
    const triedSince = open.action.triedSince ?? transaction.now
    this.amend(transaction, open, { state: 'started', startedAt: transaction.now, triedSince })
    this.#changeState(transaction, open.action)
    transaction.monitor.noteStart(open.action)
  }

  cancel(
    transaction: LedgerTransaction,
    open: OpenAction,
    withdrawal: Withdrawal,
    reason: string | null = null,
  ): void {
    this.end(transaction, open, { state: 'cancelled', ...withdrawal, reason })
  }

  end(transaction: LedgerTransaction, open: OpenAction, end: End): void {
    const { monitor, now } = transaction
    const wasQueued = open.action.state === 'queued'
    this.amend(transaction, open, { ...endFields(end, now), followUp: null })
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

  /** Keeps what later decisions need to know about a finished action. */
  remember(monitor: MonitorActions, action: Action): void {
    monitor.noteChange(action)
    const { id, kind, color, endpoint, startedAt } = action
    if (mayHaveArrived(action) && color !== null && endpoint !== null && startedAt !== null) {
      monitor.noteArrival(color, endpoint, startedAt)
      this.#arrivals.push({ monitor, color, endpoint, startedAt })
    }
    if (!isUnknown(action)) return
    this.#unknown.set(id, action)
    monitor.unknownActions++
    if (kind !== 'intervention') return
    monitor.unknownInterventions++
    monitor.lastUnknownIntervention = id
  }

  /** The clock was set: moves open actions, and the arrivals that cooldowns are counted from, by the step. */
  move(draft: LedgerDraft, stepMs: number): void {
    for (const open of this.#open.values()) {
      open.action = { ...movedAction(open.action, stepMs), revision: open.action.revision + 1 }
      open.dueAt += stepMs
      draft.change(open.action)
    }
    // Finished actions that say what destinations were told move too: the next process looks up recent actions by time.
    const ended = new Map<string, Action>()
    const moved = (action: Action): Action => {
      const known = this.#open.get(action.id)?.action ?? ended.get(action.id)
      if (known !== undefined) return known
      const next = { ...movedAction(action, stepMs), revision: action.revision + 1 }
      ended.set(action.id, next)
      if (this.#unknown.has(action.id)) this.#unknown.set(action.id, next)
      draft.change(next)
      return next
    }
    for (const monitor of this.#monitors.values()) monitor.move(stepMs, moved)
    this.#arrivals = this.#arrivals.map((one) => ({ ...one, startedAt: one.startedAt + stepMs }))
  }

  /** Records the review of an unknown action; undefined if there is no such action. */
  review(draft: LedgerDraft, actionId: string, review: Review): Action | undefined {
    const action = this.#unknown.get(actionId)
    if (action === undefined) return undefined
    const reviewed = { ...action, review, revision: action.revision + 1 }
    const monitor = this.ownerOf(action)
    monitor.noteChange(reviewed)
    // An untold incident is kept on the same record: later changes to it must not lose the review.
    for (const one of monitor.untold)
      if (one.action.id === actionId && isUntoldRed(reviewed)) one.action = reviewed
    if (monitor.lastAction?.id === actionId) monitor.lastAction = reviewed
    draft.reviewed(reviewed, review)
    if (isConcluded(reviewed)) this.forgetUnknown(actionId)
    return reviewed
  }

  /**
   * Called when a person has reviewed the action, or when it is older than history. False if there is no such
   * unknown action.
   */
  forgetUnknown(actionId: string): boolean {
    const action = this.#unknown.get(actionId)
    if (action === undefined) return false
    const monitor = this.ownerOf(action)
    this.#unknown.delete(actionId)
    monitor.unknownActions--
    if (action.kind === 'intervention') monitor.unknownInterventions--
    if (monitor.lastUnknownIntervention === actionId) monitor.lastUnknownIntervention = null
    this.refresh(monitor)
    return true
  }

  forgetUnknownBefore(instant: Instant): void {
    for (const { id, finishedAt } of this.#unknown.values())
      if (finishedAt !== null && finishedAt < instant) this.forgetUnknown(id)
  }

  /**
   * Drops notifications that started up to this instant and so no longer delay others. Looks at no more than
   * `atMost` of them.
   */
  forgetArrivals(upTo: Instant, atMost: number): void {
    const end = Math.min(this.#arrivals.length, this.#forgottenArrivals + atMost)
    for (; this.#forgottenArrivals < end; this.#forgottenArrivals++) {
      const { monitor, color, endpoint, startedAt } = this.#arrivals[this.#forgottenArrivals]!
      if (startedAt > upTo) break
      monitor.forgetArrival(color, endpoint, startedAt)
      this.refresh(monitor)
    }
    if (this.#forgottenArrivals * 2 <= this.#arrivals.length) return
    this.#arrivals = this.#arrivals.slice(this.#forgottenArrivals)
    this.#forgottenArrivals = 0
  }
}

function retryEndOf({ retryEndsAs: outcome, retryEndsBecause }: Action): RecordedWithdrawal | null {
  return outcome === undefined ? null : { outcome, because: retryEndsBecause ?? null }
}

function newAction<What extends NewAction>({ monitor, now }: LedgerTransaction, what: What): What & Action {
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
    owesGreen: false,
    review: null,
  }
}
