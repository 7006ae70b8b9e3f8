// deciding/on-call/handovers.ts: the schedules whose hand-overs are told, and who was on call by each when that was last told.
// When another person is, the one who takes over and the one who is relieved get a message each. What was told is stored
// with the messages, so that no process tells it again; a hand-over while none was running is told by the next. A message that
// fails, or whose answer is lost, goes to the next endpoint of the same person.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import type { PageNews } from '../actions/action.ts'
import type { PageReport } from '../actions/ledger-decision.ts'
import type { Because } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import type { EscalationDraft } from './escalation-decision.ts'
import type { Handover } from './page.ts'
import { rotaOf } from './recipients.ts'

type Fleet = Pick<FleetDefinition, 'people' | 'schedules' | 'endpoints'>

export interface HandoverContext {
  readonly draft: EscalationDraft
  readonly fleet: Fleet
  readonly keepsAlerts: (endpoint: string) => boolean
  readonly newId: () => string
}

export class Handovers {
  readonly #known = new Map<string, Handover>()
  /** The schedules that `#nextAt` was computed for. */
  #schedules: Fleet['schedules'] | null = null
  #nextAt: Instant = Number.POSITIVE_INFINITY

  restore(handover: Handover): void {
    this.#known.set(handover.schedule, handover)
  }

  /** At once if other schedules are in force than before. */
  nextDueAt({ schedules }: Pick<Fleet, 'schedules'>): Instant {
    return schedules === this.#schedules ? this.#nextAt : Number.NEGATIVE_INFINITY
  }

  tellDue(context: HandoverContext): void {
    const { draft, fleet } = context
    const { schedules } = fleet
    if (this.nextDueAt(fleet) > draft.now) return
    this.#schedules = schedules
    this.#nextAt = Number.POSITIVE_INFINITY
    for (const schedule of [...this.#known.keys()])
      if (schedules.get(schedule)?.handoff !== true) this.#forget(draft, schedule)
    for (const [schedule, definition] of schedules) {
      if (definition.handoff !== true) continue
      const { person, untilMs } = rotaOf(definition).dutyAt(draft.now)
      this.#nextAt = Math.min(this.#nextAt, untilMs ?? Number.POSITIVE_INFINITY)
      const known = this.#known.get(schedule)
      if (known?.person === person) continue
      const now: Handover = { schedule, person }
      this.#known.set(schedule, now)
      draft.keep({ key: `handover ${schedule}`, value: now })
      // Of a new schedule, nothing is known that could have been handed over.
      if (known !== undefined) tell(context, { schedule, from: known.person, to: person, untilMs })
    }
  }

  #forget(draft: EscalationDraft, schedule: string): void {
    this.#known.delete(schedule)
    draft.keep({ key: `handover ${schedule}`, value: null })
  }
}

type Change = Omit<NonNullable<PageNews['handover']>, 'next'>

function tell({ draft, fleet, keepsAlerts, newId }: HandoverContext, change: Change): void {
  for (const person of [change.to, change.from]) {
    const own = person === null ? [] : (fleet.people.get(person)?.endpoints ?? [])
    // Providers that keep alerts take no other messages.
    const endpoints = own.filter((one) => !keepsAlerts(one))
    const news = { ...noPage, page: newId(), person, handover: { ...change, next: endpoints } }
    send({ draft, fleet }, news, { kind: 'handover', schedule: change.schedule })
  }
}

/** A message about a hand-over has ended, and is not tried again on this endpoint. */
export function handoverAnswered(
  context: Pick<HandoverContext, 'draft' | 'fleet'>,
  { news, endpoint, outcome }: PageReport,
): void {
  const { handover } = news
  if (handover === undefined || outcome === 'delivered') return
  const { schedule } = handover
  send(context, news, { kind: 'next_endpoint', schedule, endpoint, why: outcome })
}

/** To the first of those that come next. */
function send(
  { draft, fleet }: Pick<HandoverContext, 'draft' | 'fleet'>,
  { handover, ...news }: PageNews,
  because: Because,
): void {
  const [endpoint, ...next] = (handover?.next ?? []).filter((one) => fleet.endpoints.has(one))
  if (handover === undefined || endpoint === undefined) return
  draft.orders.push({
    is: 'send',
    news: { ...news, handover: { ...handover, next } },
    endpoint,
    incidentId: null,
    since: null,
    because,
    later: null,
  })
}

const noPage: Omit<PageNews, 'page' | 'person'> = {
  policy: '',
  stage: 'handover',
  start: 0,
  round: 0,
  step: 0,
  severity: 'info',
  monitors: 0,
  lead: '',
  others: [],
}
