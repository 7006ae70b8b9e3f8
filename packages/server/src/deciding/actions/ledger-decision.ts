// deciding/actions/ledger-decision.ts: what the ledger decides: the records and events to commit, and its
// reports to health. One decision belongs in one commit, and none of it takes effect before that.
import type { Because, RecordedBecause } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import type { InterventionOutcome } from '../health/input.ts'
import { type Action, type ActionState, becauseOf, type PageNews, type Review } from './action.ts'

/** An event of the log. The journal adds the monitor's number and revision. */
export interface ActionEvent {
  /** Null for events about a destination. */
  readonly monitorId: string | null
  readonly at: Instant
  readonly type:
    | `action_${ActionState}`
    | 'action_reviewed'
    | 'incident_reported'
    | DestinationEvent
    | DigestEvent
  readonly incidentId: string | null
  readonly actionId: string | null
  readonly kind: string | null
  readonly color: string | null
  readonly endpoint: string | null
  readonly outcome: string | null
  readonly actor: string | null
  readonly detail: object | null
  /** Null for the start and for the acceptance of an action. */
  readonly because: RecordedBecause
}

export type DestinationEvent = 'destination_dead' | 'destination_ailing' | 'destination_recovered'
export type DigestEvent = 'digest_sent' | 'digest_dropped'

/** An input for the monitor's state machine, whose step comes back to the ledger. */
export type HealthReport =
  | { readonly kind: 'action-started'; readonly monitorId: string; readonly actionId: string }
  | {
      readonly kind: 'action-ended'
      readonly monitorId: string
      readonly actionId: string
      readonly outcome: InterventionOutcome
    }
  /** A person reviewed the intervention that holds back the next one. */
  | { readonly kind: 'hold-reviewed'; readonly monitorId: string }
  /** The review was contradicted: the hold applies again. */
  | { readonly kind: 'hold-restored'; readonly monitorId: string }

/** A notification of a page ended, and is not tried again. Unknown: its answer was lost. */
export interface PageReport {
  readonly news: PageNews
  readonly endpoint: string
  readonly outcome: 'delivered' | 'failed' | 'unknown'
  readonly incidentId: string | null
  readonly since: Instant | null
}

export interface LedgerDecision {
  /** The state after the decision; each action once. */
  readonly actions: readonly Action[]
  readonly events: readonly ActionEvent[]
  readonly health: readonly HealthReport[]
  /** For the escalation, whose orders come back to the ledger. */
  readonly pages: readonly PageReport[]
  /** Records of destinations changed and must be stored. */
  readonly destinationsChanged: boolean
}

export const nothingDecided: LedgerDecision = {
  actions: [],
  events: [],
  health: [],
  pages: [],
  destinationsChanged: false,
}

export class LedgerDraft {
  readonly #actions = new Map<string, Action>()
  readonly #events: ActionEvent[] = []
  readonly #health: HealthReport[] = []
  readonly #pages: PageReport[] = []
  #destinationsChanged = false

  /** If an action changes several times, the last change is committed. */
  change(action: Action): void {
    this.#actions.set(action.id, action)
  }

  changeState(action: Action, at: Instant): void {
    this.change(action)
    const isTold = action.reason !== null || action.attempt > 1
    this.#events.push({
      ...eventOf(action),
      at,
      type: `action_${action.state}`,
      outcome: action.outcome,
      actor: null,
      detail: isTold ? { attempt: action.attempt, reason: action.reason } : null,
      because: becauseOf(action),
    })
  }

  /** The event's outcome is the finding; an inconclusive review has none. */
  reviewed(action: Action, review: Review): void {
    this.change(action)
    const { actor, at, reason, note, resolution, evidenceRefs, revision } = review
    this.#events.push({
      ...eventOf(action),
      at,
      type: 'action_reviewed',
      outcome: resolution === 'inconclusive' ? null : resolution,
      actor,
      detail: { reason, note, resolution, evidenceRefs, revision },
      because: { kind: 'control', verb: 'review', actor },
    })
  }

  /** The records of destinations changed, but there is no event. */
  keepDestinations(): void {
    this.#destinationsChanged = true
  }

  destinationChanged(
    type: DestinationEvent,
    endpoint: string,
    because: Because,
    detail: object | null,
    at: Instant,
  ): void {
    this.#destinationsChanged = true
    const outcome = type === 'destination_dead' ? 'gone' : null
    this.#events.push({ ...ofNoMonitor, at, type, endpoint, outcome, detail, because })
  }

  digestEnded(type: DigestEvent, digest: Action, detail: object, at: Instant): void {
    const { id: actionId, kind, endpoint, outcome } = digest
    const because: RecordedBecause = type === 'digest_sent' ? { kind: 'taken' } : becauseOf(digest)
    this.#destinationsChanged = true
    this.#events.push({ ...ofNoMonitor, at, type, actionId, kind, endpoint, outcome, detail, because })
  }

  /** A digest that was delivered told of the incident of this red. */
  incidentReported({ monitorId, incidentId, endpoint }: Action, actionId: string, at: Instant): void {
    const told = { monitorId, incidentId, actionId, endpoint, kind: 'code', color: null, actor: null }
    // As of the acceptance of an action, there is no reason: the digest was accepted.
    const more = { outcome: null, detail: null, because: null }
    this.#events.push({ ...told, ...more, at, type: 'incident_reported' })
  }

  /** Incidents were dropped without any digest, so there is no action. */
  digestDropped(endpoint: string, because: Because, detail: object, at: Instant): void {
    const type = 'digest_dropped'
    this.#events.push({ ...ofNoMonitor, at, type, endpoint, outcome: 'expired', detail, because })
  }

  /** For a page, and not one of its steps that was withdrawn: nobody asks for its end. */
  pageEnded({ page: news, endpoint, state, incidentId, since }: Action): void {
    if (news === undefined || endpoint === null) return
    const outcome = state === 'succeeded' ? 'delivered' : state === 'unknown' ? 'unknown' : 'failed'
    this.#pages.push({ news, endpoint, outcome, incidentId, since })
  }

  report(report: HealthReport): void {
    this.#health.push(report)
  }

  finish(): LedgerDecision {
    const isEmpty = this.#actions.size === 0 && this.#events.length === 0
    if (isEmpty && !this.#destinationsChanged) return nothingDecided
    return {
      actions: [...this.#actions.values()],
      events: this.#events,
      health: this.#health,
      pages: this.#pages,
      destinationsChanged: this.#destinationsChanged,
    }
  }
}

function eventOf({ id, monitorId, incidentId, kind, color, endpoint }: Action) {
  return { monitorId, incidentId, actionId: id, kind, color, endpoint }
}

const ofNoMonitor = {
  monitorId: null,
  incidentId: null,
  actionId: null,
  kind: null,
  color: null,
  actor: null,
}
