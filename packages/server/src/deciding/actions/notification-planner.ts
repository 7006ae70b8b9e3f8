// deciding/actions/notification-planner.ts: turns what a monitor has to say into notifications, one action for each
// destination. It promises: never two open notifications of one color for one monitor and destination; a cooldown
// delays and never swallows; what a newer color makes pointless is withdrawn; a green goes only where something was
// told.
import type { Because, DelayBecause } from '../health/because.ts'
import type { Health, Instant } from '../health/health.ts'
import type { Color, Notify } from '../health/step.ts'
import {
  type Action,
  type End,
  type NotificationAction,
  type NotificationSubject,
  type RecordedWithdrawal,
  supersedes,
  triedUntil,
  type Withdrawal,
} from './action.ts'
import type { ActionQueues } from './action-queues.ts'
import type { ActionTable, LedgerTransaction } from './action-table.ts'
import { endedAsGone } from './destination.ts'
import {
  isNotification,
  type MonitorActions,
  type OpenAction,
  type OpenNotification,
} from './monitor-actions.ts'
import { oweGreen, payGreen } from './owed-greens.ts'
import type { UntoldIncidents } from './untold.ts'

export interface NotificationSettings {
  /** Between two notifications of one color for one monitor to one destination. */
  readonly cooldownMs: number
  /** Green does not wait for the cooldown. */
  readonly greenBypassesCooldown: boolean
}

interface PlannedNotification {
  readonly color: Color | null
  readonly endpoint: string
  readonly subject: NotificationSubject
  readonly attempt: number
  readonly triedSince: Instant | null
  /** Null when it may be sent at once, as far as the last attempt goes. */
  readonly later: Later | null
}

/** When it may be sent, and why not earlier. */
export interface Later {
  readonly at: Instant
  readonly because: DelayBecause
}

/** What a notification says, or is to say when the one before it has ended. */
type Said = Pick<Action, 'color' | 'cause' | 'episodeId'>

/** Whether the monitor sends its troubles to a destination, which then has something to be told the end of. */
export type TellsTroubles = (endpoint: string) => boolean

export class NotificationPlanner {
  settings: NotificationSettings
  readonly #table: ActionTable
  readonly #queues: ActionQueues
  readonly #untold: UntoldIncidents
  readonly #newId: () => string

  constructor(
    settings: NotificationSettings,
    table: ActionTable,
    queues: ActionQueues,
    untold: UntoldIncidents,
    newId: () => string,
  ) {
    this.settings = settings
    this.#table = table
    this.#queues = queues
    this.#untold = untold
    this.#newId = newId
  }

  send(
    transaction: LedgerTransaction,
    color: Color,
    subject: NotificationSubject,
    destinations: readonly string[],
  ): void {
    for (const endpoint of destinations) this.sendTo(transaction, endpoint, color, subject)
  }

  sendTo(transaction: LedgerTransaction, endpoint: string, color: Color, subject: NotificationSubject): void {
    const open = transaction.monitor.openNotification(color, endpoint)
    if (open === undefined) this.#queue(transaction, { ...firstAttempt, color, subject, endpoint })
    else if (open.action.state === 'queued') this.#updateQueued(transaction, open, subject)
    else this.#follow(transaction, open, subject)
  }

  /** Queues a digest; what it says is put together when it starts. */
  sendDigest(transaction: LedgerTransaction, endpoint: string, because: Because): void {
    const subject = {
      cause: 'digest',
      episodeId: null,
      incidentId: null,
      since: null,
      acknowledgedBy: null,
      because,
    } as const
    this.#queue(transaction, { ...firstAttempt, color: null, subject, endpoint })
  }

  /**
   * Queues the next attempt as a new action. If the notification has become pointless meanwhile, the attempt is recorded
   * as cancelled instead. False when the notification was tried for long enough and is given up.
   */
  retry(transaction: LedgerTransaction, { action, retryEndsAs }: OpenNotification, later: Later): boolean {
    const retry = { ...plannedFrom(action), attempt: action.attempt + 1, later }
    if (retryEndsAs !== null) {
      this.#recordWithdrawn(transaction, retry, retryEndsAs)
      return true
    }
    if (action.triedSince === null || triedUntil(action.triedSince) <= later.at) return false
    this.#queue(transaction, retry)
    return true
  }

  /** Queues what had to be said in the same color to the same destination while the action was in flight. */
  sendFollowUp(
    transaction: LedgerTransaction,
    action: NotificationAction,
    subject: NotificationSubject,
    later: Later | null,
  ): void {
    this.#queue(transaction, { ...plannedFrom(action), ...firstAttempt, subject, later })
  }

  /**
   * Cancels what is queued. What is in flight goes on, but is not retried. What is to follow it is judged by itself: it
   * may say something else, about an episode or a warning that is still there.
   */
  withdraw(
    transaction: LedgerTransaction,
    isPointless: (said: Said) => boolean,
    withdrawal: Withdrawal,
  ): void {
    for (const open of transaction.monitor.openActions) {
      if (!isNotification(open)) continue
      const { state, color, followUp } = open.action
      if (isPointless(open.action)) {
        if (state === 'queued') this.cancel(transaction, open, withdrawal)
        else this.#withdrawInFlight(transaction, open, withdrawal)
      }
      if (followUp !== null && isPointless({ ...followUp, color }))
        this.#withdrawFollowUp(transaction, open, followUp, withdrawal)
    }
  }

  /** Ends a queued notification, and remembers what is owed because of it. */
  cancel(
    transaction: LedgerTransaction,
    open: OpenNotification,
    withdrawal: Withdrawal,
    reason: string | null = null,
  ): void {
    this.#table.cancel(transaction, open, withdrawal, reason)
    this.#untold.notDelivered(transaction, open.action)
    if (open.action.color !== 'green') return
    if (isOwedAfter(withdrawal)) oweGreen(transaction.draft, transaction.monitor, open.action)
    this.#untold.greenEnded(transaction, open)
  }

  /** warningStands: the monitor had a warning before the step and still has it. */
  supersede(transaction: LedgerTransaction, newer: Notify, warningStands: boolean): void {
    const because = { kind: 'superseded', color: newer.color } as const
    const isPointless = (said: Said) => isSuperseded(said, newer, warningStands)
    this.withdraw(transaction, isPointless, { outcome: 'superseded', because })
  }

  /**
   * Why a green goes to a destination: something of the trouble was started towards it, or its last green was withdrawn
   * unsent. A destination that is never told of troubles hears of the end whenever any other was told. Null when none is
   * due there.
   */
  whyGreen(
    { monitor }: LedgerTransaction,
    green: Notify,
    before: Health,
    endpoint: string,
    tellsTroubles: TellsTroubles,
  ): Because | null {
    if (wasTold(monitor, green, before, endpoint, tellsTroubles)) return green.because
    return whyOwed(monitor, endpoint)
  }

  /** An episode takes over the warning that it found: what was told of the warning counts as told of the episode. */
  handOverWarning(transaction: LedgerTransaction, before: Health, episodeId: string): void {
    const { monitor, draft } = transaction
    for (const open of monitor.openActions) {
      const { color, followUp } = open.action
      if (color !== 'yellow') continue
      if (isOfWarning(open.action)) this.#table.amend(transaction, open, { episodeId })
      if (followUp !== null && isOfWarning(followUp))
        this.#table.amend(transaction, open, { followUp: { ...followUp, episodeId } })
    }
    if (before.warning === null || !monitor.wasToldOf(before.warning)) return
    monitor.handOverWarning(before.warning, episodeId)
    // Finished yellows are amended too: the next process has to know which destinations the episode owes a green.
    for (const yellow of monitor.warningsTold(before.warning)) {
      if (this.#table.openAction(yellow.id) !== undefined) continue
      const handedOver = { ...yellow, episodeId, revision: yellow.revision + 1 }
      draft.change(handedOver)
      monitor.noteChange(handedOver)
    }
  }

  // It keeps its place in the queue and says what is true now. The end of a warning must not replace that of an incident.
  #updateQueued(transaction: LedgerTransaction, open: OpenAction, subject: NotificationSubject): void {
    const { action } = open
    if (subject.cause === 'warning' && action.incidentId !== null) return
    const isNews =
      action.episodeId !== subject.episodeId ||
      action.incidentId !== subject.incidentId ||
      (isOtherwise(action, subject) && subject.cause !== 'repeat')
    if (isNews) this.#table.amend(transaction, open, { ...subject })
  }

  #follow(transaction: LedgerTransaction, open: OpenAction, subject: NotificationSubject): void {
    const isSaidAlready = subject.cause === 'repeat' && subject.episodeId === open.action.episodeId
    if (!isSaidAlready) this.#table.amend(transaction, open, { followUp: subject })
  }

  #withdrawInFlight(transaction: LedgerTransaction, open: OpenNotification, withdrawal: Withdrawal): void {
    const { outcome: retryEndsAs, because: retryEndsBecause } = withdrawal
    // The first reason of several that end it alike is the one that did.
    if (open.retryEndsAs?.outcome === retryEndsAs) return
    this.#table.amend(transaction, open, { retryEndsAs, retryEndsBecause })
    open.retryEndsAs = withdrawal
  }

  #withdrawFollowUp(
    transaction: LedgerTransaction,
    open: OpenNotification,
    subject: NotificationSubject,
    withdrawal: Withdrawal,
  ): void {
    this.#table.amend(transaction, open, { followUp: null })
    this.#recordWithdrawn(transaction, { ...plannedFrom(open.action), ...firstAttempt, subject }, withdrawal)
  }

  /** Recorded as a cancelled action: what had to be said was never said. */
  #recordWithdrawn(
    transaction: LedgerTransaction,
    planned: PlannedNotification,
    withdrawal: RecordedWithdrawal,
  ): void {
    const ended = this.#recordEnded(transaction, planned, { state: 'cancelled', ...withdrawal, reason: null })
    if (withdrawal.outcome !== 'removed') this.#untold.notDelivered(transaction, ended)
    if (planned.color === 'green' && isOwedAfter(withdrawal))
      oweGreen(transaction.draft, transaction.monitor, ended)
  }

  #queue(transaction: LedgerTransaction, planned: PlannedNotification): void {
    const { monitor } = transaction
    const { color, endpoint } = planned
    const queue = this.#queues.of(endpoint)
    if (color === 'green') payGreen(transaction.draft, monitor, endpoint)
    if (queue === undefined)
      this.#recordEnded(transaction, planned, { state: 'cancelled', ...destinationRemoved, reason: null })
    else if (queue.isDead) this.#recordEnded(transaction, planned, endedAsGone)
    else {
      const cooldown = this.#cooldownOf(transaction, color, endpoint)
      this.#table.queue(transaction, this.#newAction(transaction, planned, latest(planned.later, cooldown)))
      if (color === 'green') this.#untold.greenQueued(transaction, endpoint, queue)
    }
  }

  #recordEnded(transaction: LedgerTransaction, planned: PlannedNotification, end: End): NotificationAction {
    return this.#table.recordEnded(transaction, this.#newAction(transaction, planned, planned.later), end)
  }

  #newAction({ now }: LedgerTransaction, planned: PlannedNotification, later: Later | null) {
    const { color, endpoint, subject, attempt, triedSince } = planned
    const what = {
      id: this.#newId(),
      kind: 'code' as const,
      color,
      ...subject,
      endpoint,
      attempt,
      triedSince,
    }
    return later === null
      ? { ...what, notBefore: now }
      : { ...what, notBefore: Math.max(now, later.at), delay: later.because }
  }

  /** Null when no cooldown holds back this color to this destination. */
  #cooldownOf({ monitor, now }: LedgerTransaction, color: Color | null, endpoint: string): Later | null {
    const { cooldownMs, greenBypassesCooldown } = this.settings
    if (color === null || (color === 'green' && greenBypassesCooldown)) return null
    const arrivedAt = monitor.arrivedAt(color, endpoint)
    const at = arrivedAt + cooldownMs
    return at <= now ? null : { at, because: { kind: 'cooldown', cooldownMs, sinceMs: now - arrivedAt } }
  }
}

const firstAttempt = { attempt: 1, triedSince: null, later: null } as const

/** Something to say to a destination that is not in the fleet any more. */
export const destinationRemoved: Withdrawal = {
  outcome: 'configuration_changed',
  because: { kind: 'configuration_changed', what: 'destination' },
}

function latest(one: Later | null, other: Later | null): Later | null {
  if (one === null || other === null) return one ?? other
  return other.at > one.at ? other : one
}

/** Its last green was withdrawn unsent; null when it was not. */
export function whyOwed(monitor: MonitorActions, endpoint: string): Because | null {
  const owed = monitor.owedGreen(endpoint)
  return owed === undefined ? null : { kind: 'owed_green', actionId: owed.id }
}

/** The end of a window is another reason for a gray than its beginning. */
function isOtherwise(said: Pick<Action, 'cause' | 'because'>, subject: NotificationSubject): boolean {
  return said.cause !== subject.cause || said.because?.kind !== subject.because?.kind
}

/** A green that was withdrawn like this is still true, or will be again: the next one goes to its destination too. */
function isOwedAfter({ outcome }: RecordedWithdrawal): boolean {
  return outcome === 'superseded' || outcome === 'snoozed'
}

/** And not of one that an episode has taken over: that one ends with the episode. */
function isOfWarning({ cause, episodeId }: Omit<Said, 'color'>): boolean {
  return cause === 'warning' && episodeId === null
}

function isSuperseded(said: Said, newer: Notify, warningStands: boolean): boolean {
  const { color, cause } = said
  if (color === null) return false
  // A warning that is raised again makes the green of the last one untrue, as a new episode does.
  if (newer.color === 'yellow' && newer.cause === 'warning') return color === 'green' && cause === 'warning'
  // The closing green of an episode says nothing about a warning that is still there.
  const isSpared = newer.color === 'green' && warningStands && isOfWarning(said)
  return !isSpared && supersedes(newer.color, color)
}

function wasTold(
  monitor: MonitorActions,
  { cause, episodeId }: Notify,
  { warning }: Health,
  endpoint: string,
  tellsTroubles: TellsTroubles,
): boolean {
  if (cause === 'warning') {
    if (warning === null) return false
    return tellsTroubles(endpoint) ? monitor.hasToldWarning(warning, endpoint) : monitor.wasToldOf(warning)
  }
  if (episodeId === null) return false
  return tellsTroubles(endpoint) ? monitor.hasToldEpisode(episodeId, endpoint) : monitor.hasTold(episodeId)
}

function plannedFrom(action: NotificationAction) {
  const { color, endpoint, cause, episodeId, incidentId, since, acknowledgedBy, because, triedSince } = action
  const subject = { cause, episodeId, incidentId, since, acknowledgedBy, because }
  return { color, endpoint, subject, triedSince }
}
