// deciding/on-call/page-steps.ts: the steps of a page: who is told when one fires, on which endpoint, and what happens if a
// delivery fails. A step asks who is on call at the moment it fires. Each function changes one page, and drafts the record,
// the events and the orders that follow.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import type { PageNews, PageStage } from '../actions/action.ts'
import type { Later } from '../actions/notification-planner.ts'
import type { Because } from '../health/because.ts'
import type { EscalationDraft } from './escalation-decision.ts'
import { type Delivery, type Page, useOf } from './page.ts'
import type { PagedMinutes } from './paged-minutes.ts'
import { quietUntil, type Recipient, recipientsOf } from './recipients.ts'

/** A delivery without an answer by then goes to the next endpoint too. */
const answeredWithinMs = 30_000

export type PagedFleet = Pick<FleetDefinition, 'people' | 'schedules' | 'groups' | 'endpoints'>

export interface PageContext {
  readonly draft: EscalationDraft
  readonly fleet: PagedFleet
  /** Whether a provider keeps alerts, and escalates them by itself. */
  readonly keepsAlerts: (endpoint: string) => boolean
  readonly minutes: PagedMinutes
}

/** What distinguishes recipients: endpoints without a person may be called like a person. */
function recipientKey(person: string | null, endpoint: string): string {
  return person ?? `=${endpoint}`
}

/** Tells the step that is due, and skips those that reach no recipient. */
export function fire(context: PageContext, before: Page): Page {
  const { draft } = context
  let page = before
  for (;;) {
    const { rules, round, step } = page
    const { notify, waitMs } = rules.steps[step]!
    const recipients = recipientsOf(notify, context.fleet, draft.now)
    const hasReached = page.hasReached || recipients.length > 0
    page = recipients.length > 0 ? tellAll(context, page, recipients) : skipped(context, page)
    const isLast = step === rules.steps.length - 1
    const isEmptyRound = isLast && !hasReached
    if (isEmptyRound) page = tellLastResort(context, page)
    if (!rules.escalatesOwned && isOwned(context, recipients)) return spent(context, page)
    if (isLast && round === rules.repeat) return spent(context, page)
    page = {
      ...page,
      round: isLast ? round + 1 : round,
      step: isLast ? 0 : step + 1,
      hasReached: !isLast && hasReached,
    }
    // An empty step takes no time. After a round that reached no recipient, the next one comes when there may be one.
    if (recipients.length > 0 || isEmptyRound)
      return { ...page, run: { is: 'running', nextAt: draft.now + waitMs } }
  }
}

function spent({ draft }: PageContext, page: Page): Page {
  draft.note(page, 'spent', stepBecause(page))
  return { ...page, run: { is: 'spent' } }
}

function skipped({ draft }: PageContext, page: Page): Page {
  draft.note(page, 'skipped', { kind: 'nobody_on_call', policy: page.policy, ...place(page) })
  return page
}

/** Providers with an escalation of their own take over if no other recipient was told. */
function isOwned({ keepsAlerts }: PageContext, recipients: readonly Recipient[]): boolean {
  return recipients.length > 0 && recipients.every(({ endpoints }) => endpoints.every(keepsAlerts))
}

function tellAll(context: PageContext, before: Page, recipients: readonly Recipient[]): Page {
  const { draft } = context
  const names = recipients.map(({ person, endpoints }) => person ?? endpoints[0]!)
  draft.note(before, 'told', stepBecause(before), names)
  return recipients.reduce((page, recipient) => tell(context, page, recipient), before)
}

function tell(context: PageContext, page: Page, recipient: Recipient): Page {
  const { draft } = context
  const { rules, severity, policy } = page
  const { person, endpoints, all } = recipient
  const until = quietUntil(rules.quiet, recipient, severity, draft.now)
  if (until === null)
    return deliver(context, page, recipient, newsOf(page, 'step', person), stepBecause(page))
  const because = { kind: 'quiet_hours', policy, person: person!, until } as const
  const isHeld = !(rules.quiet?.drops ?? false)
  draft.note(page, isHeld ? 'held' : 'dropped', because, [person!])
  // A later step of the same page says nothing more in the morning.
  const isKnown = page.held.some(({ news }) => news.person === person)
  if (!isHeld || isKnown) return page
  return { ...page, held: [...page.held, { news: newsOf(page, 'step', person), endpoints, all, until }] }
}

/** Sends a step to a recipient: on all endpoints, or on the first, with the others after it. */
export function deliver(
  context: PageContext,
  page: Page,
  { person, endpoints: own, all }: Pick<Recipient, 'person' | 'endpoints' | 'all'>,
  news: PageNews,
  because: Because,
): Page {
  const { draft, minutes } = context
  // One that two people share may have the step already.
  const endpoints = unused(page, news, own)
  if (endpoints.length === 0) return page
  const recipient = recipientKey(person, endpoints[0]!)
  const at = minutes.take(draft, { policy: page.policy, recipient }, page.id)
  const later: Later | null =
    at > draft.now ? { at, because: { kind: 'paged_recently', waitMs: at - draft.now } } : null
  const targets = all ? endpoints : endpoints.slice(0, 1)
  const deliveries = targets.map((endpoint): Delivery => {
    order(context, page, news, endpoint, because, later)
    return { news, endpoint, next: all ? [] : endpoints.slice(1), nextAt: at + answeredWithinMs }
  })
  // What an earlier step still tries for the same person is overtaken by this one.
  const others = page.deliveries.filter((one) => person === null || one.news.person !== person)
  const used = [...page.used, ...targets.map((endpoint) => useOf(news, endpoint))]
  return { ...page, deliveries: [...others, ...deliveries], used }
}

/** It failed, its answer was lost, or none has come for too long: the next endpoint of the same person is tried. */
export function tryNext(
  context: PageContext,
  page: Page,
  delivery: Delivery,
  why: 'failed' | 'unknown' | 'slow',
): Page {
  const { draft } = context
  const others = page.deliveries.filter((one) => one !== delivery)
  const { news } = delivery
  const [endpoint, ...next] = unused(page, news, delivery.next)
  if (endpoint === undefined) {
    if (why !== 'slow')
      draft.note(page, 'unreachable', nextBecause(page, delivery, why), [news.person ?? delivery.endpoint])
    return { ...page, deliveries: others }
  }
  order(context, page, news, endpoint, nextBecause(page, delivery, why), null)
  const following = { ...delivery, endpoint, next, nextAt: draft.now + answeredWithinMs }
  return { ...page, deliveries: [...others, following], used: [...page.used, useOf(news, endpoint)] }
}

function unused({ used }: Page, news: PageNews, endpoints: readonly string[]): readonly string[] {
  return endpoints.filter((endpoint) => !used.includes(useOf(news, endpoint)))
}

/** Tells all who were paged, on the endpoint that was used, once for each start of the page. */
export function tellAcknowledged(context: PageContext, page: Page, because: Because): Page {
  const told = page.told.map((one) => {
    // Providers that keep alerts hear only of the end.
    if (one.heard === page.start || context.keepsAlerts(one.endpoint)) return one
    order(context, page, newsOf(page, 'acknowledged', one.person), one.endpoint, because, null)
    return { ...one, heard: page.start }
  })
  return { ...page, told }
}

export function tellEnded(context: PageContext, page: Page, because: Because): void {
  for (const { person, endpoint } of page.told)
    order(context, page, newsOf(page, 'ended', person), endpoint, because, null)
}

export function newsOf(page: Page, stage: PageStage, person: string | null): PageNews {
  const { id, policy, start, round, step, severity, joined, lead, others, run } = page
  return {
    page: id,
    policy,
    stage,
    start,
    round,
    step,
    person,
    severity,
    monitors: joined,
    lead: lead.monitorId,
    others,
    ...(run.is === 'acknowledged' ? { by: run.by } : {}),
  }
}

function tellLastResort(context: PageContext, page: Page): Page {
  const { groups, endpoints } = context.fleet
  const { lastResort } = page.rules
  const members = lastResort.groups.flatMap((group) => groups.get(group) ?? [])
  const names = new Set([...members, ...lastResort.endpoints].filter((name) => endpoints.has(name)))
  const because = { kind: 'nobody_on_call', policy: page.policy, ...place(page) } as const
  return [...names].reduce(
    (next, endpoint) =>
      deliver(
        context,
        next,
        { person: null, endpoints: [endpoint], all: false },
        newsOf(next, 'nobody', null),
        because,
      ),
    page,
  )
}

function order(
  { draft }: PageContext,
  { lead, severity, joined, others }: Page,
  planned: PageNews,
  endpoint: string,
  because: Because,
  later: Later | null,
): void {
  const { incidentId, since } = lead
  // Since it was planned, more may have joined, and what it would name may be over.
  const news = { ...planned, severity, monitors: joined, lead: lead.monitorId, others }
  draft.orders.push({ is: 'send', news, endpoint, incidentId, since, because, later })
}

function stepBecause(page: Page): Because {
  return { kind: 'policy_step', policy: page.policy, ...place(page) }
}

function nextBecause({ policy }: Page, { endpoint }: Delivery, why: 'failed' | 'unknown' | 'slow'): Because {
  return { kind: 'next_endpoint', policy, endpoint, why }
}

/** As people count: from one. */
function place({ round, step }: Page): { readonly round: number; readonly step: number } {
  return { round: round + 1, step: step + 1 }
}
