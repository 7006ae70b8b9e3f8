// deciding/actions/untold.ts: incidents that a destination should have been told about but was not. A red that ends
// undelivered leaves one behind; the monitor's green carries it, and what no green carries goes into a digest. Each is
// stored on the record of its red, so that the next process finds it. Nothing here sends anything.

import { type Due, DueHeap } from '../../platform/due-heap.ts'
import type { Instant } from '../health/health.ts'
import type { NotificationAction, Untold, UntoldRed } from './action.ts'
import type { ActionQueues } from './action-queues.ts'
import type { LedgerTransaction } from './action-table.ts'
import type { DestinationQueue } from './destination-queue.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import type { MonitorActions, OpenNotification, UntoldIncident } from './monitor-actions.ts'

interface Waiting extends Due {
  readonly incident: UntoldIncident
}

export class UntoldIncidents {
  readonly #queues: ActionQueues
  /** By destination, longest untold first. Outdated entries stay until they are reached. */
  readonly #waiting = new Map<string, DueHeap<Waiting>>()
  #sequence = 0

  constructor(queues: ActionQueues) {
    this.#queues = queues
  }

  /** Untold incidents of one monitor at one destination. */
  of(monitor: MonitorActions, endpoint: string): readonly UntoldIncident[] {
    return monitor.untold.filter(({ action }) => action.endpoint === endpoint)
  }

  /** Destinations that may be owed a digest. */
  endpoints(): Iterable<string> {
    return this.#waiting.keys()
  }

  /** Since when the destination's oldest untold incident has waited for a digest; null if none waits. */
  oldestAt(endpoint: string): Instant | null {
    return this.#first(endpoint)?.dueAt ?? null
  }

  /** The destination's incidents that wait for a digest and became untold before this instant. */
  waitingAt(endpoint: string, before: Instant): UntoldIncident[] {
    const all = this.#waiting.get(endpoint)?.values() ?? []
    return [...all].flatMap((one) => (isCurrent(one) && one.dueAt < before ? [one.incident] : []))
  }

  /**
   * A notification ended undelivered. Only the first red of an incident leaves it untold: a repeat says nothing new.
   * While the incident is open, a red that was rejected for good counts at once. A red whose answer was lost may have
   * arrived, and counts only when a repeat is rejected for good or the incident closes.
   */
  notDelivered(transaction: LedgerTransaction, ended: NotificationAction): void {
    const { draft, monitor, now } = transaction
    const { color, cause, monitorId, incidentId, endpoint } = ended
    if (color !== 'red' || incidentId === null || monitorId === null) return
    if (cause === 'repeat') return this.#repeatNotDelivered(transaction, ended)
    if (cause !== 'episode' || !this.#isToBeTold(endpoint)) return
    const isOpen = monitor.openIncidentId === incidentId
    const last = monitor.closedIncident
    const closed = ended.incidentClosed ?? (last?.id === incidentId ? last : null)
    // Incidents during maintenance are expected, and one that was dismissed until it closed is not reported.
    if (!isOpen && (monitor.inMaintenance || closed?.wasDismissed)) return
    // After the snooze, its red is sent again if it is still true.
    if (isOpen && monitor.isSnoozed) return
    const from = ended.since ?? ended.queuedAt
    const closedAt = Math.min(now, closed?.at ?? ended.finishedAt ?? now)
    const mayBeTold = ended.state === 'unknown' || monitor.isDismissed
    const untold: Untold = isOpen
      ? { since: mayBeTold ? null : now, from, to: null }
      : { since: this.#untoldSince(endpoint, closedAt, now), from, to: closedAt }
    const isCarried = monitor.openNotification('green', endpoint)?.action.state === 'queued'
    const kept = { ...ended, monitorId, untold, revision: ended.revision + 1 }
    draft.change(kept)
    monitor.noteChange(kept)
    this.restore(monitor, kept, isCarried)
  }

  /** A red was delivered: its incident is no longer untold at that destination. */
  redDelivered({ draft, monitor }: LedgerTransaction, { endpoint, incidentId }: NotificationAction): void {
    for (const incident of this.of(monitor, endpoint))
      if (incident.action.incidentId === incidentId) this.settle(draft, incident)
  }

  /** A green was queued: it carries what no digest has told. */
  greenQueued({ draft, monitor, now }: LedgerTransaction, endpoint: string, queue: DestinationQueue): void {
    for (const incident of this.of(monitor, endpoint)) {
      if (!queue.hasDigestedSince(incident.action.untold.since)) {
        incident.isCarried = true
        incident.place = null
      }
      // The previous green carried it past a digest. The next process must not assume that the digest told it.
      else if (incident.isCarried) this.amend(draft, incident, { since: now })
    }
  }

  /**
   * A green ended. If it was delivered, what it carried is told. Otherwise that waits for a digest, unless
   * the green is retried.
   */
  greenEnded({ draft, monitor, now }: LedgerTransaction, { action, carries }: OpenNotification): void {
    const { endpoint } = action
    if (action.state === 'succeeded') for (const incident of carries) this.settle(draft, incident)
    else if (monitor.openNotification('green', endpoint) === undefined)
      for (const incident of this.of(monitor, endpoint)) {
        if (!incident.isCarried) continue
        incident.isCarried = false
        const since = this.#untoldSince(endpoint, incident.action.untold.since ?? now, now)
        this.amend(draft, incident, { since })
      }
  }

  /** Restores a stored one. */
  restore(monitor: MonitorActions, action: UntoldRed, isCarried: boolean): void {
    const incident = { monitor, action, isCarried, place: null }
    monitor.untold = [...monitor.untold, incident]
    this.#enqueue(incident)
  }

  /** Records that the incident closed, or that it counts as untold from now on. */
  amend(draft: LedgerDraft, incident: UntoldIncident, changes: Partial<Untold>): void {
    const { action } = incident
    const untold = { ...action.untold, ...changes }
    incident.action = { ...action, untold, revision: action.revision + 1 }
    draft.change(incident.action)
    incident.monitor.noteChange(incident.action)
    this.#enqueue(incident)
  }

  /** Dismissed incidents are not reported. It counts again if it is reopened. */
  hush(draft: LedgerDraft, incident: UntoldIncident): void {
    incident.place = null
    incident.isCarried = false
    this.amend(draft, incident, { since: null })
  }

  /** The incident was told, or no longer needs to be. */
  settle(draft: LedgerDraft, incident: UntoldIncident): void {
    const { monitor, action } = incident
    if (!monitor.untold.includes(incident)) return
    monitor.untold = monitor.untold.filter((one) => one !== incident)
    incident.place = null
    const settled = { ...action, untold: null, revision: action.revision + 1 }
    draft.change(settled)
    monitor.noteChange(settled)
  }

  /** Takes up to `atMost` of the destination's incidents that became untold before this instant. */
  takeBefore(endpoint: string, before: Instant, atMost: number): UntoldIncident[] {
    const taken: UntoldIncident[] = []
    while (taken.length < atMost) {
      const first = this.#first(endpoint)
      if (first === undefined || first.dueAt >= before) break
      this.#waiting.get(endpoint)?.take()
      taken.push(first.incident)
    }
    return taken
  }

  /** The clock was set: every instant moves by the step. */
  move(draft: LedgerDraft, monitors: Iterable<MonitorActions>, stepMs: number): void {
    this.#waiting.clear()
    for (const { untold } of monitors)
      for (const incident of untold) {
        incident.place = null
        const { since, from, to } = incident.action.untold
        const move = (instant: Instant | null) => (instant === null ? null : instant + stepMs)
        this.amend(draft, incident, { since: move(since), from: from + stepMs, to: move(to) })
      }
  }

  #repeatNotDelivered({ draft, monitor, now }: LedgerTransaction, ended: NotificationAction): void {
    // The repeat may have arrived, or its incident is dismissed and so not reported.
    if (ended.state === 'unknown' || monitor.isDismissed) return
    for (const incident of this.of(monitor, ended.endpoint)) {
      const { incidentId, untold } = incident.action
      if (incidentId === ended.incidentId && untold.since === null)
        this.amend(draft, incident, { since: now })
    }
  }

  /**
   * `since`, unless a digest went out without the incident: then now, so that the digest does not appear to have told it.
   */
  #untoldSince(endpoint: string, since: Instant, now: Instant): Instant {
    return this.#queues.of(endpoint)?.hasDigestedSince(since) ? now : since
  }

  /** Nothing is sent to a dead destination, and one that keeps alerts is told only what opens and closes them. */
  #isToBeTold(endpoint: string): boolean {
    const queue = this.#queues.of(endpoint)
    return queue !== undefined && !queue.isDead && !queue.destination.keepsAlerts
  }

  #enqueue(incident: UntoldIncident): void {
    const { endpoint, untold } = incident.action
    const { since } = untold
    if (incident.isCarried || since === null || since === incident.place?.dueAt) return
    let waiting = this.#waiting.get(endpoint)
    if (waiting === undefined) {
      waiting = new DueHeap()
      this.#waiting.set(endpoint, waiting)
    }
    const place = { dueAt: since, sequence: this.#sequence++, incident }
    incident.place = place
    waiting.add(place)
  }

  #first(endpoint: string): Waiting | undefined {
    const waiting = this.#waiting.get(endpoint)
    while (waiting?.first !== undefined && !isCurrent(waiting.first)) waiting.take()
    if (waiting?.size === 0) this.#waiting.delete(endpoint)
    return waiting?.first
  }
}

function isCurrent(one: Waiting): boolean {
  return one.incident.place === one
}
