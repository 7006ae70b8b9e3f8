// deciding/actions/notification-planner.ts: turns what a monitor has to say into notifications for destinations. One action for each
// destination, never two open ones of a color; a cooldown is waited for and swallows nothing; what a newer color makes
// pointless is withdrawn; a green goes only where something was told. A red that does not arrive leaves its incident
// untold there, and the green of the monitor carries it.
import type { Health, Instant } from '../health/health.ts'
import type { Color, Notify } from '../health/step.ts'
import type { Action, CancelOutcome, NotificationSubject, Untold } from './action.ts'
import { supersedes, triedUntil } from './action.ts'
import type { ActionQueues } from './action-queues.ts'
import type { ActionTable, LedgerTransaction, NewAction } from './action-table.ts'
import { destinationIsGone } from './destination.ts'
import type { DestinationQueue } from './destination-queue.ts'
import type { MonitorActions, OpenAction } from './monitor-actions.ts'
import type { UntoldIncidents } from './untold.ts'

export interface NotificationSettings {
  /** Between two codes of one color for one monitor to one destination. */
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
  readonly notBefore: Instant
}

/** Which destinations a monitor tells of troubles, so that they may have something to be told the end of. */
export type TroublesTold = (endpoint: string) => boolean

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
    const first = { color, subject, attempt: 1, triedSince: null, notBefore: transaction.now }
    for (const endpoint of destinations) {
      const open = transaction.monitor.openNotification(color, endpoint)
      if (open === undefined) this.#queue(transaction, { ...first, endpoint })
      else if (open.action.state === 'queued') this.#takeOver(transaction, open, subject)
      else this.#follow(transaction, open, subject)
    }
  }

  /** Queues a digest; what it says is put together when it starts. */
  sendDigest(transaction: LedgerTransaction, endpoint: string): void {
    const subject = { cause: 'digest', episodeId: null, incidentId: null, since: null } as const
    this.#queue(transaction, {
      color: null,
      subject,
      endpoint,
      attempt: 1,
      triedSince: null,
      notBefore: transaction.now,
    })
  }

  /**
   * The same once more, unless it has become pointless meanwhile, which is recorded too, or was tried long enough.
   * False when it is not tried again.
   */
  retry(transaction: LedgerTransaction, { action, retryEndsAs }: OpenAction, notBefore: Instant): boolean {
    const retry = { ...plannedFrom(action), attempt: action.attempt + 1, notBefore }
    if (retryEndsAs !== null) {
      this.#recordWithdrawn(transaction, retry, retryEndsAs)
      return true
    }
    if (triedUntil(action.triedSince!) <= notBefore) return false
    this.#queue(transaction, retry)
    return true
  }

  /** What had to be said to the same destination in the same color while the action was in flight. */
  sendFollowUp(
    transaction: LedgerTransaction,
    action: Action,
    subject: NotificationSubject,
    notBefore: Instant,
  ): void {
    this.#queue(transaction, { ...plannedFrom(action), subject, attempt: 1, triedSince: null, notBefore })
  }

  /** Cancels what is queued; what is in flight goes on, but is not tried again and has no follow-up. */
  withdraw(
    transaction: LedgerTransaction,
    isPointless: (action: Action) => boolean,
    outcome: CancelOutcome,
  ): void {
    for (const open of transaction.monitor.openActions) {
      const { action } = open
      if (action.kind !== 'code' || !isPointless(action)) continue
      if (action.state === 'queued') this.cancel(transaction, open, outcome)
      else {
        open.retryEndsAs = outcome
        if (action.followUp !== null) this.#withdrawFollowUp(transaction, open, action.followUp, outcome)
      }
    }
  }

  /** Ends what is queued, and remembers what is owed because of it. */
  cancel(
    transaction: LedgerTransaction,
    open: OpenAction,
    outcome: CancelOutcome,
    reason: string | null = null,
  ): void {
    const { color, endpoint } = open.action
    this.#table.cancel(transaction, open, outcome, reason)
    this.leaveUntold(transaction, open.action)
    if (color !== 'green') return
    if (outcome === 'superseded') transaction.monitor.oweGreen(endpoint!)
    this.greenEnded(transaction, open)
  }

  /** warningStands: the monitor had a warning before the step and has it still. */
  supersede(transaction: LedgerTransaction, newer: Notify, warningStands: boolean): void {
    this.withdraw(transaction, (action) => isSuperseded(action, newer, warningStands), 'superseded')
  }

  /**
   * Those that a green is for: where something of the trouble was started, or the last green was superseded. One that
   * is never told of troubles hears of the end whenever anybody was told.
   */
  greenDestinations(
    { monitor }: LedgerTransaction,
    green: Notify,
    before: Health,
    configured: readonly string[],
    tellsTroubles: TroublesTold,
  ): readonly string[] {
    return configured.filter(
      (endpoint) => monitor.owesGreen(endpoint) || wasTold(monitor, green, before, endpoint, tellsTroubles),
    )
  }

  /** An episode takes over the warning that it found: what was told of the warning is told of the episode. */
  handOverWarning(transaction: LedgerTransaction, before: Health, episodeId: string): void {
    const { monitor, draft } = transaction
    for (const open of monitor.openActions) {
      const { cause, color } = open.action
      if (cause === 'warning' && color === 'yellow') this.#table.amend(transaction, open, { episodeId })
    }
    if (before.warning === null || !monitor.wasToldOf(before.warning)) return
    monitor.handOverWarning(before.warning, episodeId)
    // Into the records, though they are finished: the next process has to know to whom the episode owes a green.
    for (const yellow of monitor.warningsTold(before.warning)) {
      if (this.#table.openAction(yellow.id) !== undefined) continue
      const handedOver = { ...yellow, episodeId, revision: yellow.revision + 1 }
      draft.change(handedOver)
      monitor.noteChange(handedOver)
    }
  }

  /**
   * A red has ended and did not arrive: its incident is untold there. Only the first red of an incident can leave that:
   * a repeat says what was said before. While the incident is open it counts at once if the red was rejected for good;
   * one whose answer was lost may have arrived, and counts when the incident closes.
   */
  leaveUntold({ draft, monitor, now }: LedgerTransaction, ended: Action): void {
    const { color, cause, incidentId, endpoint } = ended
    if (color !== 'red' || cause !== 'episode' || incidentId === null || !this.#isToBeTold(endpoint!)) return
    const isOpen = monitor.openIncidentId === incidentId
    // What happens in maintenance is expected.
    if (!isOpen && monitor.inMaintenance) return
    const from = ended.since ?? ended.queuedAt
    const closedAt = monitor.closedIncident?.id === incidentId ? monitor.closedIncident.at : ended.finishedAt!
    const untold: Untold = isOpen
      ? { since: ended.state === 'unknown' ? null : now, from, to: null }
      : { since: this.#stillUntold(endpoint!, closedAt, now), from, to: closedAt }
    const green = monitor.openNotification('green', endpoint!)
    this.#untold.add(draft, monitor, ended, untold, green?.action.state === 'queued')
  }

  /** A red was taken: whatever was untold of its incident there is told. */
  redArrived({ draft, monitor }: LedgerTransaction, { endpoint, incidentId }: Action): void {
    for (const incident of this.#untold.of(monitor, endpoint!))
      if (incident.action.incidentId === incidentId) this.#untold.settle(draft, incident)
  }

  /** A green ended: what it carried is told if it was taken, and otherwise waits for a digest, unless it is retried. */
  greenEnded({ draft, monitor, now }: LedgerTransaction, { action, carries }: OpenAction): void {
    if (action.state === 'succeeded') for (const incident of carries) this.#untold.settle(draft, incident)
    else if (monitor.openNotification('green', action.endpoint!) === undefined)
      for (const incident of this.#untold.of(monitor, action.endpoint!)) {
        const since = incident.action.untold!.since ?? now
        if (incident.isCarried)
          this.#untold.drop(draft, incident, this.#stillUntold(action.endpoint!, since, now))
      }
  }

  /** Since then, unless a digest went out without it meanwhile: that one must not be thought to have told of it. */
  #stillUntold(endpoint: string, since: Instant, now: Instant): Instant {
    return this.#queues.of(endpoint)?.hasDigestedSince(since) ? now : since
  }

  // It keeps its place in line and says what holds now; but the end of a warning must not take the place of an incident's.
  #takeOver(transaction: LedgerTransaction, open: OpenAction, subject: NotificationSubject): void {
    const { action } = open
    if (subject.cause === 'warning' && action.incidentId !== null) return
    const isNews =
      action.episodeId !== subject.episodeId ||
      action.incidentId !== subject.incidentId ||
      (action.cause !== subject.cause && subject.cause !== 'repeat')
    if (isNews) this.#table.amend(transaction, open, { ...subject })
  }

  #follow(transaction: LedgerTransaction, open: OpenAction, subject: NotificationSubject): void {
    const isSaidAlready = subject.cause === 'repeat' && subject.episodeId === open.action.episodeId
    if (!isSaidAlready) this.#table.amend(transaction, open, { followUp: subject })
  }

  #withdrawFollowUp(
    transaction: LedgerTransaction,
    open: OpenAction,
    subject: NotificationSubject,
    outcome: CancelOutcome,
  ): void {
    this.#table.amend(transaction, open, { followUp: null })
    const planned = {
      ...plannedFrom(open.action),
      subject,
      attempt: 1,
      triedSince: null,
      notBefore: transaction.now,
    }
    this.#recordWithdrawn(transaction, planned, outcome)
  }

  /** Recorded as an action that was cancelled: what had to be said was never said. */
  #recordWithdrawn(
    transaction: LedgerTransaction,
    planned: PlannedNotification,
    outcome: CancelOutcome,
  ): void {
    this.leaveUntold(
      transaction,
      this.#recordEnded(transaction, planned, { state: 'cancelled', outcome, reason: null }),
    )
    if (planned.color === 'green' && outcome === 'superseded') transaction.monitor.oweGreen(planned.endpoint)
  }

  #queue(transaction: LedgerTransaction, planned: PlannedNotification): void {
    const { monitor } = transaction
    const { color, endpoint } = planned
    const queue = this.#queues.of(endpoint)
    if (color === 'green') monitor.payGreen(endpoint)
    if (queue === undefined)
      this.#recordEnded(transaction, planned, {
        state: 'cancelled',
        outcome: 'configuration_changed',
        reason: null,
      })
    else if (queue.isDead)
      this.#recordEnded(transaction, planned, { state: 'failed', outcome: 'gone', reason: destinationIsGone })
    else {
      const notBefore = Math.max(planned.notBefore, this.#cooldownEnd(monitor, color, endpoint))
      this.#table.queue(transaction, this.#newAction(planned, notBefore))
      if (color === 'green') this.#carryUntold(transaction, endpoint, queue)
    }
  }

  /** A green is queued: it tells what no digest has told. */
  #carryUntold({ draft, monitor, now }: LedgerTransaction, endpoint: string, queue: DestinationQueue): void {
    for (const incident of this.#untold.of(monitor, endpoint)) {
      const isDigested = queue.hasDigestedSince(incident.action.untold!.since)
      if (!isDigested) this.#untold.carry(incident)
      // The green before this one carried it past a digest: the next process must not think that the digest told of it.
      else if (incident.isCarried) this.#untold.amend(draft, incident, { since: now })
    }
  }

  #recordEnded(
    transaction: LedgerTransaction,
    planned: PlannedNotification,
    end: Pick<Action, 'state' | 'outcome' | 'reason'>,
  ): Action {
    return this.#table.recordEnded(transaction, this.#newAction(planned, planned.notBefore), end)
  }

  #newAction(
    { color, endpoint, subject, attempt, triedSince }: PlannedNotification,
    notBefore: Instant,
  ): NewAction {
    return { id: this.#newId(), kind: 'code', color, ...subject, endpoint, attempt, triedSince, notBefore }
  }

  #cooldownEnd(monitor: MonitorActions, color: Color | null, endpoint: string): Instant {
    const isExempt = color === null || (color === 'green' && this.settings.greenBypassesCooldown)
    return isExempt ? Number.NEGATIVE_INFINITY : monitor.arrivedAt(color, endpoint) + this.settings.cooldownMs
  }

  /** A dead destination hears nothing, and one that keeps alerts knows them by what opens and closes them. */
  #isToBeTold(endpoint: string): boolean {
    const queue = this.#queues.of(endpoint)
    return queue !== undefined && !queue.isDead && !queue.destination.keepsAlerts
  }
}

function isSuperseded({ color, cause }: Action, newer: Notify, warningStands: boolean): boolean {
  if (color === null) return false
  // A warning that rises again makes the green of the last one untrue, as a new episode does.
  if (newer.color === 'yellow' && newer.cause === 'warning') return color === 'green' && cause === 'warning'
  // The closing green of an episode says nothing about a warning that is still there.
  const isSpared = newer.color === 'green' && warningStands && cause === 'warning'
  return !isSpared && supersedes(newer.color, color)
}

function wasTold(
  monitor: MonitorActions,
  { cause, episodeId }: Notify,
  { warning }: Health,
  endpoint: string,
  tellsTroubles: TroublesTold,
): boolean {
  if (cause !== 'warning')
    return tellsTroubles(endpoint)
      ? monitor.hasToldEpisode(episodeId!, endpoint)
      : monitor.hasTold(episodeId!)
  if (warning === null) return false
  return tellsTroubles(endpoint) ? monitor.hasToldWarning(warning, endpoint) : monitor.wasToldOf(warning)
}

function plannedFrom({ color, endpoint, cause, episodeId, incidentId, since, triedSince }: Action) {
  return { color, endpoint: endpoint!, subject: { cause: cause!, episodeId, incidentId, since }, triedSince }
}
