// deciding/actions/untold.ts: incidents that destinations should have heard of and have not. A red that ends without having been
// taken leaves one behind; the green of its monitor carries it, and what no green carries goes into a digest. Each
// lives on the record of its red, so that the next process finds it again. Nothing here sends anything.
import type { Instant } from '../health/health.ts'
import type { Action, Untold } from './action.ts'
import { type Due, DueHeap } from './due-heap.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import type { MonitorActions, UntoldIncident } from './monitor-actions.ts'

interface Waiting extends Due {
  readonly incident: UntoldIncident
}

export class UntoldIncidents {
  /** By destination, the longest untold first; entries that do not hold any more are skipped. */
  readonly #waiting = new Map<string, DueHeap<Waiting>>()
  #sequence = 0

  /** Of one monitor at one destination. */
  of(monitor: MonitorActions, endpoint: string): readonly UntoldIncident[] {
    return monitor.untold.filter(({ action }) => action.endpoint === endpoint)
  }

  /** Destinations that may be owed a digest. */
  endpoints(): Iterable<string> {
    return this.#waiting.keys()
  }

  /** Since when the oldest of a destination has waited for a digest; null when none does. */
  oldestAt(endpoint: string): Instant | null {
    return this.#first(endpoint)?.dueAt ?? null
  }

  /** Those of a destination that wait for a digest and were untold before then. */
  waitingAt(endpoint: string, before: Instant): UntoldIncident[] {
    const all = this.#waiting.get(endpoint)?.values() ?? []
    return [...all].flatMap((one) => (holds(one) && one.dueAt < before ? [one.incident] : []))
  }

  /** The red of an open or a closed incident has ended and not arrived. */
  add(draft: LedgerDraft, monitor: MonitorActions, action: Action, untold: Untold, isCarried: boolean): void {
    const kept = { ...action, untold, revision: action.revision + 1 }
    draft.change(kept)
    monitor.noteChange(kept)
    this.restore(monitor, kept, isCarried)
  }

  /** As it was written down. */
  restore(monitor: MonitorActions, action: Action, isCarried: boolean): void {
    const incident = { monitor, action, isCarried, place: null }
    monitor.untold = [...monitor.untold, incident]
    this.#enqueue(incident)
  }

  /** Something about it is known now that was not: it closed, or it counts as untold from now on. */
  amend(draft: LedgerDraft, incident: UntoldIncident, changes: Partial<Untold>): void {
    this.#write(draft, incident, { ...incident.action.untold!, ...changes })
    this.#enqueue(incident)
  }

  carry(incident: UntoldIncident): void {
    incident.isCarried = true
    incident.place = null
  }

  /** The green that should have told of it has not arrived: it waits for a digest, as if untold since then. */
  drop(draft: LedgerDraft, incident: UntoldIncident, since: Instant): void {
    incident.isCarried = false
    this.amend(draft, incident, { since })
  }

  /** It was told, or nobody needs to hear of it any more. */
  settle(draft: LedgerDraft, incident: UntoldIncident): void {
    const { monitor } = incident
    if (!monitor.untold.includes(incident)) return
    monitor.untold = monitor.untold.filter((one) => one !== incident)
    incident.place = null
    this.#write(draft, incident, null)
  }

  /** Takes out at most so many of a destination that were untold before then. */
  takeBefore(endpoint: string, before: Instant, atMost: number): UntoldIncident[] {
    const taken: UntoldIncident[] = []
    while (taken.length < atMost) {
      const first = this.#first(endpoint)
      if (first === undefined || first.dueAt >= before) break
      this.#waiting.get(endpoint)!.take()
      taken.push(first.incident)
    }
    return taken
  }

  /** The clock was set. */
  move(draft: LedgerDraft, table: Iterable<MonitorActions>, stepMs: number): void {
    this.#waiting.clear()
    for (const { untold } of table)
      for (const incident of untold) {
        incident.place = null
        const { since, from, to } = incident.action.untold!
        const move = (instant: Instant | null) => (instant === null ? null : instant + stepMs)
        this.amend(draft, incident, { since: move(since), from: from + stepMs, to: move(to) })
      }
  }

  #write(draft: LedgerDraft, incident: UntoldIncident, untold: Untold | null): void {
    const { action } = incident
    incident.action = { ...action, untold, revision: action.revision + 1 }
    draft.change(incident.action)
    incident.monitor.noteChange(incident.action)
  }

  #enqueue(incident: UntoldIncident): void {
    const { endpoint, untold } = incident.action
    const since = untold!.since
    if (incident.isCarried || since === null || since === incident.place?.dueAt) return
    let waiting = this.#waiting.get(endpoint!)
    if (waiting === undefined) {
      waiting = new DueHeap()
      this.#waiting.set(endpoint!, waiting)
    }
    const place = { dueAt: since, sequence: this.#sequence++, incident }
    incident.place = place
    waiting.add(place)
  }

  #first(endpoint: string): Waiting | undefined {
    const waiting = this.#waiting.get(endpoint)
    while (waiting?.first !== undefined && !holds(waiting.first)) waiting.take()
    if (waiting?.size === 0) this.#waiting.delete(endpoint)
    return waiting?.first
  }
}

function holds(one: Waiting): boolean {
  return one.incident.place === one
}
