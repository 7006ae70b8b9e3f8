// deciding/on-call/escalation-decision.ts: what the escalation decides: records and events to commit, and what the ledger is
// to send and to withdraw. One decision belongs in one commit, together with what the ledger makes of it.
import type { PageOrder } from '../actions/page-order.ts'
import type { Because } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import type { EscalationRecord, Page } from './page.ts'

type EscalationPhase =
  | 'opened'
  | 'joined'
  | 'told'
  | 'skipped'
  | 'held'
  | 'dropped'
  | 'acknowledged'
  | 'paused'
  | 'restarted'
  | 'spent'
  | 'ended'
  | 'unreachable'

const wordsOf: Readonly<Record<EscalationPhase, (policy: string, people: string) => string>> = {
  opened: (policy) => `the policy ${policy} has started`,
  joined: (policy) => `joined a page of the policy ${policy}`,
  told: (_, people) => `tells ${people}`,
  skipped: (policy) => `a step of the policy ${policy} reached no person and was skipped`,
  held: (_, people) => `${people} is told after quiet hours`,
  dropped: (_, people) => `${people} is not told in quiet hours`,
  acknowledged: (policy, people) => `the policy ${policy} stops: ${people} takes care of it`,
  paused: (policy) => `the policy ${policy} waits`,
  restarted: (policy) => `the policy ${policy} starts again`,
  spent: (policy) => `the policy ${policy} has told its last step`,
  ended: (policy) => `the policy ${policy} has ended`,
  unreachable: (_, people) => `no endpoint of ${people} took the message`,
}

/** An event of the log about a page. */
interface EscalationEvent {
  readonly monitorId: string
  readonly incidentId: string
  readonly at: Instant
  readonly because: Because
  readonly detail: {
    readonly phase: EscalationPhase
    readonly page: string
    readonly policy: string
    readonly people?: readonly string[]
    /** The same for people. */
    readonly words: string
  }
}

export interface EscalationDecision {
  readonly records: readonly EscalationRecord[]
  readonly events: readonly EscalationEvent[]
  readonly orders: readonly PageOrder[]
}

export const nothingEscalated: EscalationDecision = { records: [], events: [], orders: [] }

export class EscalationDraft {
  readonly #records = new Map<string, EscalationRecord>()
  readonly events: EscalationEvent[] = []
  readonly orders: PageOrder[] = []
  readonly now: Instant

  constructor(now: Instant) {
    this.now = now
  }

  /** The last one under a key is stored. */
  keep(record: EscalationRecord): void {
    this.#records.set(record.key, record)
  }

  note(page: Page, phase: EscalationPhase, because: Because, people?: readonly string[]): void {
    this.noteOf(page, page.lead, phase, because, people)
  }

  /** About one of the incidents of the page. */
  noteOf(
    page: Page,
    { monitorId, incidentId }: { readonly monitorId: string; readonly incidentId: string },
    phase: EscalationPhase,
    because: Because,
    people?: readonly string[],
  ): void {
    const { id, policy } = page
    const who = because.kind === 'control' ? because.actor : (people?.join(', ') ?? '')
    const words = wordsOf[phase](policy, who)
    const detail = { phase, page: id, policy, ...(people === undefined ? {} : { people }), words }
    this.events.push({ monitorId, incidentId, at: this.now, because, detail })
  }

  finish(): EscalationDecision {
    return { records: [...this.#records.values()], events: this.events, orders: this.orders }
  }
}
