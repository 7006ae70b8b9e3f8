// deciding/actions/notification-planner.ts: turns what a monitor has to report into notifications, one action
// per destination. Guarantees: a monitor never has two open notifications of one color for one destination; a
// cooldown delays a notification but never drops it; what a newer color makes pointless is withdrawn; a green
// goes only where something was told.
import { isDeepStrictEqual } from 'node:util'
import type { Because, DelayBecause, EndBecause } from '../health/because.ts'
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
  /** Minimum time between two notifications of one color for one monitor to one destination. */
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
  /** Null if the last attempt does not delay it. */
  readonly later: Later | null
}

/** When it may be sent, and why not earlier. */
export interface Later {
  readonly at: Instant
  readonly because: DelayBecause
}

/** What a notification says, or what its follow-up will say. */
type Said = Pick<Action, 'color' | 'cause' | 'episodeId' | 'page'>

/** Whether the monitor sends its troubles to a destination, so that the destination must also be told about their end. */
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

  /** Queues a digest. Its contents are collected when it starts. */
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

  /** Queues a notification of a page. Colors, cooldowns and other pages have no influence on it. */
  sendPage(
    transaction: LedgerTransaction,
    endpoint: string,
    subject: NotificationSubject,
    later: Later | null,
  ): void {
    this.#queue(transaction, { ...firstAttempt, color: null, subject, endpoint, later })
  }

  /** Withdraws the steps of a page that are still queued. */
  withdrawPage(transaction: LedgerTransaction, page: string, because: EndBecause): void {
    const isStep = (said: Said) => said.page?.page === page && said.page.stage !== 'ended'
    this.withdraw(transaction, isStep, { outcome: 'superseded', because })
  }

  /**
   * Queues the next attempt as a new action. If the notification has become pointless meanwhile, the attempt
   * is recorded as cancelled instead. False if the notification was tried for too long and is given up.
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

  /** Queues what came up in the same color for the same destination while the action was in flight. */
  sendFollowUp(
    transaction: LedgerTransaction,
    action: NotificationAction,
    subject: NotificationSubject,
    later: Later | null,
  ): void {
    this.#queue(transaction, { ...plannedFrom(action), ...firstAttempt, subject, later })
  }

  /**
   * Cancels what is queued. What is in flight continues, but is not retried. Its follow-up is judged
   * separately: it may be about something else, such as an episode or a warning that still stands.
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

  /** Ends a queued notification, and records what is owed because of it. */
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
   * Why a green goes to a destination: something about the trouble was started towards it, or its last green
   * was withdrawn unsent. A destination that is never told about troubles gets the green whenever another
   * destination was told. Null if no green is due there.
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

  /**
   * The episode takes over the warning that it found: destinations told about the warning count as told about
   * the episode.
   */
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

  // The queued action keeps its place and says what is true now. The end of a warning must not replace the
  // end of an incident.
  #updateQueued(transaction: LedgerTransaction, open: OpenAction, subject: NotificationSubject): void {
    const { action } = open
    if (subject.cause === 'warning' && action.incidentId !== null) return
    const isNews =
      action.episodeId !== subject.episodeId ||
      action.incidentId !== subject.incidentId ||
      (isDifferent(action, subject) && subject.cause !== 'repeat')
    if (isNews) this.#table.amend(transaction, open, { ...subject })
  }

  #follow(transaction: LedgerTransaction, open: OpenAction, subject: NotificationSubject): void {
    const isSaidAlready = subject.cause === 'repeat' && subject.episodeId === open.action.episodeId
    if (!isSaidAlready) this.#table.amend(transaction, open, { followUp: subject })
  }

  #withdrawInFlight(transaction: LedgerTransaction, open: OpenNotification, withdrawal: Withdrawal): void {
    const { outcome: retryEndsAs, because: retryEndsBecause } = withdrawal
    // If several reasons lead to the same outcome, the first one is kept.
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

  /** Recorded as a cancelled action, because the follow-up was never sent. */
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
      transaction.draft.pageEnded(
        this.#recordEnded(transaction, planned, { state: 'cancelled', ...destinationRemoved, reason: null }),
      )
    else if (queue.isDead) transaction.draft.pageEnded(this.#recordEnded(transaction, planned, endedAsGone))
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

  /** Null if no cooldown holds back this color to this destination. */
  #cooldownOf({ monitor, now }: LedgerTransaction, color: Color | null, endpoint: string): Later | null {
    const { cooldownMs, greenBypassesCooldown } = this.settings
    if (color === null || (color === 'green' && greenBypassesCooldown)) return null
    const arrivedAt = monitor.arrivedAt(color, endpoint)
    const at = arrivedAt + cooldownMs
    return at <= now ? null : { at, because: { kind: 'cooldown', cooldownMs, sinceMs: now - arrivedAt } }
  }
}

const firstAttempt = { attempt: 1, triedSince: null, later: null } as const

/** The destination is no longer in the fleet. */
export const destinationRemoved: Withdrawal = {
  outcome: 'configuration_changed',
  because: { kind: 'configuration_changed', what: 'destination' },
}

function latest(one: Later | null, other: Later | null): Later | null {
  if (one === null || other === null) return one ?? other
  return other.at > one.at ? other : one
}

/** Set if the destination's last green was withdrawn unsent. */
export function whyOwed(monitor: MonitorActions, endpoint: string): Because | null {
  const owed = monitor.owedGreen(endpoint)
  return owed === undefined ? null : { kind: 'owed_green', actionId: owed.id }
}

/** A gray for the end of a window has a different reason from one for its beginning, and so has each recovery. */
function isDifferent(said: Pick<Action, 'cause' | 'because'>, subject: NotificationSubject): boolean {
  return said.cause !== subject.cause || !isDeepStrictEqual(said.because, subject.because)
}

/** A green withdrawn for this reason is still true, or will be again: the next green goes to its destination too. */
function isOwedAfter({ outcome }: RecordedWithdrawal): boolean {
  return outcome === 'superseded' || outcome === 'snoozed'
}

/** Excludes a warning that an episode has taken over: it ends with the episode. */
function isOfWarning({ cause, episodeId }: Omit<Said, 'color'>): boolean {
  return cause === 'warning' && episodeId === null
}

function isSuperseded(said: Said, newer: Notify, warningStands: boolean): boolean {
  const { color, cause } = said
  if (color === null) return false
  // A warning that is raised again makes the green of the previous warning untrue, as a new episode does.
  if (newer.color === 'yellow' && newer.cause === 'warning') return color === 'green' && cause === 'warning'
  // The closing green of an episode says nothing about a warning that still stands.
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
  const { page } = action
  const said = { cause, episodeId, incidentId, since, acknowledgedBy, because }
  const subject = page === undefined ? said : { ...said, page }
  return { color, endpoint, subject, triedSince }
}
