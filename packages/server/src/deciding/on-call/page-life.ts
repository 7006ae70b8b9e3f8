// deciding/on-call/page-life.ts: the life of a page: it begins, waits while all of its incidents are silent, stops when all
// are acknowledged, starts again, and ends with the last of them. What follows from an input is derived from where its
// incidents stand, so no input needs a rule of its own.
import type { ControlBecause, EndBecause } from '../health/because.ts'
import type { EscalationDraft } from './escalation-decision.ts'
import type { MissedPages } from './missed-pages.ts'
import type { Held, Member, Page } from './page.ts'
import { deliver, fire, type PageContext, tellAcknowledged, tellEnded, tryNext } from './page-steps.ts'
import type { PageEntry, PageTable } from './page-table.ts'

export interface LifeContext extends PageContext {
  readonly table: PageTable
  readonly missed: MissedPages
}

export function put({ draft, table }: LifeContext, entry: PageEntry, page: Page): void {
  table.replace(entry, page)
  draft.keep({ key: `page ${page.id}`, value: page })
}

export function keepMember(draft: EscalationDraft, member: Member): void {
  const { monitorId, incidentId, page, forgotten, severity, order } = member
  draft.keep({
    key: `member ${monitorId}`,
    value: { monitorId, incidentId, page, forgotten, severity, order },
  })
}

/** At the first step, unless all of its incidents are silent. */
export function begin(context: LifeContext, entry: PageEntry): void {
  const run = { is: 'running', nextAt: context.draft.now } as const
  const begun = { ...entry.page, round: 0, step: 0, hasReached: false, deliveries: [], used: [], run }
  const isSilent = entry.counts.silent === entry.members.size
  put(context, entry, isSilent ? { ...begun, run: { is: 'paused' } } : fire(context, begun))
}

/** What people read names an incident that is not over: the worst that is left, if that was another. */
export function nameAnother(context: LifeContext, entry: PageEntry): void {
  const { page, members } = entry
  const { lead } = page
  const worst = context.table.worstOf(entry)
  if (worst === null || members.get(lead.monitorId)?.incidentId === lead.incidentId) return
  const { monitorId, incidentId, since, severity } = worst
  const others = page.others.map((one) => (one === monitorId ? lead.monitorId : one))
  put(context, entry, { ...page, lead: { monitorId, incidentId, since }, severity, others })
}

/** After one of its incidents has changed, or has left. */
export function reconsider(context: LifeContext, entry: PageEntry): void {
  const { counts, members } = entry
  const { run } = entry.page
  if (members.size === 0) return end(context, entry)
  if (counts.silent === members.size) {
    if (run.is !== 'paused') stop(context, entry, { is: 'paused' })
  } else if (counts.open > 0) {
    if (run.is === 'paused' || run.is === 'acknowledged') restart(context, entry)
  } else if (run.is !== 'acknowledged') acknowledge(context, entry)
}

/** Fires a step, tries further endpoints, tells what was held, or starts again: whatever is due. */
export function carryOn(context: LifeContext, entry: PageEntry): void {
  const { now } = context.draft
  for (const delivery of entry.page.deliveries)
    if (delivery.nextAt <= now) put(context, entry, tryNext(context, entry.page, delivery, 'slow'))
  for (const held of entry.page.held) if (held.until <= now) release(context, entry, held)
  const { run } = entry.page
  if (run.is === 'acknowledged' && run.restartAt !== null && run.restartAt <= now) restart(context, entry)
  else if (run.is === 'running' && run.nextAt <= now && entry.isEvident)
    put(context, entry, fire(context, entry.page))
}

export function acknowledgedBy(actor: string): ControlBecause {
  return { kind: 'control', verb: 'acknowledge', actor }
}

function restart(context: LifeContext, entry: PageEntry): void {
  const { draft, table } = context
  const { policy, run } = entry.page
  const because = { kind: 'page_restarted', policy, after: run.is } as const
  withdraw(context, entry, because)
  put(context, entry, { ...entry.page, start: entry.page.start + 1 })
  for (const member of table.forgetAcknowledgements(entry)) keepMember(draft, member)
  draft.note(entry.page, 'restarted', because)
  begin(context, entry)
}

function acknowledge(context: LifeContext, entry: PageEntry): void {
  const { rules } = entry.page
  const last = [...entry.members.values()]
    .flatMap(({ acknowledged }) => acknowledged ?? [])
    .sort((one, other) => other.at - one.at)[0]!
  const restartAt = rules.ackTimeoutMs === null ? null : context.draft.now + rules.ackTimeoutMs
  stop(context, entry, { is: 'acknowledged', by: last.by, restartAt })
}

function stop(
  context: LifeContext,
  entry: PageEntry,
  run: Extract<Page['run'], { is: 'paused' | 'acknowledged' }>,
): void {
  const because: EndBecause =
    run.is === 'acknowledged' ? acknowledgedBy(run.by) : { kind: 'page_paused', policy: entry.page.policy }
  withdraw(context, entry, because)
  put(context, entry, { ...entry.page, run, deliveries: [] })
  context.draft.note(entry.page, run.is, because)
  if (run.is === 'acknowledged') put(context, entry, tellAcknowledged(context, entry.page, because))
}

function end(context: LifeContext, entry: PageEntry): void {
  const { draft, table, missed } = context
  const { page } = entry
  const because = { kind: 'page_ended', policy: page.policy } as const
  withdraw(context, entry, because)
  tellEnded(context, page, because)
  missed.keep(draft, page)
  draft.note(page, 'ended', because)
  draft.keep({ key: `page ${page.id}`, value: null })
  table.remove(entry)
}

/** The quiet hours are over: a person who is not needed any more is left alone. */
function release(context: LifeContext, entry: PageEntry, { news, endpoints, all, until }: Held): void {
  const held = entry.page.held.filter((other) => other.news !== news)
  const page = { ...entry.page, held }
  const isNeeded = page.run.is === 'running' || page.run.is === 'spent'
  const { person } = news
  const because = { kind: 'quiet_hours', policy: page.policy, person: person!, until } as const
  put(context, entry, isNeeded ? deliver(context, page, { person, endpoints, all }, news, because) : page)
}

function withdraw({ draft, minutes }: LifeContext, { page }: PageEntry, because: EndBecause): void {
  minutes.release(draft, page.id)
  draft.orders.push({ is: 'withdraw', page: page.id, because })
}
