// deciding/on-call/escalations.ts: all pages, and the monitors whose incidents belong to them. Its inputs are the steps of
// health, the ends of deliveries and the passing of time; it returns what to commit and what the ledger is to send. No I/O,
// no clock: from the records and the healths, the next process arrives at the same pages.
import type { EscalationPolicy, Severity } from '../../config/fleet-file/on-call.ts'
import type { PageNews } from '../actions/action.ts'
import type { PageReport } from '../actions/ledger-decision.ts'
import type { Health, Instant } from '../health/health.ts'
import { type Standing, standingOf } from './condition.ts'
import {
  type EscalationDecision,
  EscalationDraft,
  nothingEscalated as nothing,
} from './escalation-decision.ts'
import { Handovers, handoverAnswered } from './handovers.ts'
import { MissedPages } from './missed-pages.ts'
import { type EscalationRecord, type Member, movedPage, notAhead, type Page, valueOfStore } from './page.ts'
import {
  acknowledgedBy,
  begin,
  carryOn,
  keepMember,
  type LifeContext,
  nameAnother,
  put,
  reconsider,
} from './page-life.ts'
import { type PagedFleet, tellAcknowledged, tryNext } from './page-steps.ts'
import { type PageEntry, PageTable } from './page-table.ts'
import { PagedMinutes } from './paged-minutes.ts'

/** Further incidents of the same policy join a page for this long. */
const joinedForMs = 60_000
/** A page names this many monitors besides its lead, and counts the others. */
const othersAtMost = 9

export interface EscalationsOptions {
  /** The fleet in force. */
  readonly fleet: () => PagedFleet & { readonly escalationPolicies: ReadonlyMap<string, EscalationPolicy> }
  readonly keepsAlerts: (endpoint: string) => boolean
  /** Whether the end of a page is on its way to an endpoint. */
  readonly isEndOnItsWay: (page: string, endpoint: string) => boolean
  /** Returns an id that no process has used before. */
  readonly newId: () => string
}

/** A step of one monitor's health, and what its configuration says about its red. */
interface MonitorStanding {
  readonly monitorId: string
  readonly before: Health
  readonly after: Health
  /** The name of its policy; null if it has none. */
  readonly policy: () => string | null
  readonly severity: () => Severity
}

/** What readers may know of the pages that have not ended. */
export interface PagesView {
  readonly pages: Iterable<Page>
  /** The page that the monitor's open incident belongs to. */
  pageOf(monitorId: string): Page | null
  /** How many of its incidents are open. */
  countMembers(page: string): number
  /** Whether its steps wait for a check of this process to fail. */
  waitsForCheck(page: string): boolean
  /** Null if it has ended. */
  find(page: string): Page | null
  /** The monitors of its open incidents. */
  membersOf(page: string): readonly string[]
  /** Its incidents that were not acknowledged since it started. */
  unacknowledgedOf(page: string): readonly Member[]
}

const ranks: Readonly<Record<Severity, number>> = { critical: 2, warning: 1, info: 0 }

export class Escalations implements PagesView {
  readonly #options: EscalationsOptions
  readonly #table = new PageTable()
  readonly #missed = new MissedPages()
  readonly #handovers = new Handovers()
  readonly #minutes = new PagedMinutes()

  constructor(options: EscalationsOptions) {
    this.#options = options
  }

  /** When something is due; infinite if only an input can change that. */
  get nextDueAt(): Instant {
    const handoverAt = this.#handovers.nextDueAt(this.#options.fleet())
    return Math.min(this.#missed.nextDueAt, this.#table.nextDueAt, handoverAt)
  }

  /** The page that the monitor's open incident belongs to. */
  pageOf(monitorId: string): Page | null {
    return this.#table.ofMonitor(monitorId)?.page ?? null
  }

  membersOf(page: string): readonly string[] {
    return [...(this.#table.find(page)?.members.keys() ?? [])]
  }

  countMembers(page: string): number {
    return this.#table.find(page)?.members.size ?? 0
  }

  find(page: string): Page | null {
    return this.#table.find(page)?.page ?? null
  }

  unacknowledgedOf(page: string): readonly Member[] {
    const entry = this.#table.find(page)
    if (entry === undefined) return []
    return [...entry.members.values()].filter(
      ({ acknowledged, forgotten }) => acknowledged === null || acknowledged.at === forgotten,
    )
  }

  waitsForCheck(page: string): boolean {
    return this.#table.find(page)?.isEvident === false
  }

  get pages(): readonly Page[] {
    return Array.from(this.#table.entries(), ({ page }) => page)
  }

  /** A monitor took a step: its incident may begin a page, join one, change one or leave it. */
  follow(step: MonitorStanding, now: Instant): EscalationDecision {
    const { monitorId, before, after } = step
    const entry = this.#table.ofMonitor(monitorId)
    if (entry !== undefined) return this.#followMember(entry, step, now)
    const standing = standingOf(after, after.episode?.incident?.handling?.acknowledged?.at ?? null)
    const begins = standing !== null && standingOf(before, null) === null
    const policy = begins ? step.policy() : null
    if (policy === null || standing === null) return nothing
    return this.#decide(now, (context) => this.#enter(context, step, standing, policy))
  }

  /** The monitor left the fleet while no process was running. */
  monitorGone(monitorId: string, now: Instant): EscalationDecision {
    const entry = this.#table.ofMonitor(monitorId)
    if (entry === undefined) return nothing
    return this.#decide(now, (context) => this.#leave(context, entry, monitorId))
  }

  /** A notification of a page ended, and is not tried again. */
  answered(report: PageReport, now: Instant): EscalationDecision {
    const { stage, page } = report.news
    if (stage === 'handover') return this.#decide(now, (context) => handoverAnswered(context, report))
    if (stage !== 'step' && stage !== 'nobody') return nothing
    const entry = this.#table.find(page)
    if (entry === undefined) return this.#answeredLate(report)
    return this.#decide(now, (context) => {
      this.#noteTold(context, entry, report)
      const { news, endpoint, outcome } = report
      const delivery = entry.page.deliveries.find(
        (one) => one.endpoint === endpoint && one.news.person === news.person && isSameStep(one.news, news),
      )
      if (delivery === undefined) return
      const { is } = entry.page.run
      const isOver = outcome === 'delivered' || is === 'acknowledged' || is === 'paused'
      const deliveries = entry.page.deliveries.filter((one) => one !== delivery)
      const next = isOver ? { ...entry.page, deliveries } : tryNext(context, entry.page, delivery, outcome)
      put(context, entry, next)
    })
  }

  /** Fires the steps that are due, tries further endpoints, and tells hand-overs and what was held for the end of quiet hours. */
  due(now: Instant): EscalationDecision {
    if (this.nextDueAt > now) return nothing
    return this.#decide(now, (context) => {
      for (const entry of this.#table.entries()) carryOn(context, entry)
      this.#missed.tellDue(context.draft)
      this.#handovers.tellDue({ ...context, newId: this.#options.newId })
      this.#minutes.forget(context.draft)
    })
  }

  /**
   * What the previous process left. Of a page that was running, no step fires before a check of this process has failed.
   * `healths`: of every monitor that has an episode, by id. Returns what a clock that was ahead made wrong.
   */
  restore(
    records: readonly EscalationRecord[],
    healths: ReadonlyMap<string, Health>,
    now: Instant,
  ): EscalationDecision {
    const values = records.flatMap(({ value }) => (value === null ? [] : valueOfStore(value)))
    const pages = values.flatMap((value) => ('rules' in value ? value : []))
    return this.#decide(now, (context) => {
      for (const page of pages.toSorted(asOpened)) {
        const entry = this.#table.add(page, false)
        const present = notAhead(page, now)
        if (present !== page) put(context, entry, present)
      }
      for (const value of values)
        if ('until' in value) this.#missed.restore(value)
        else if ('schedule' in value) this.#handovers.restore(value)
        else if ('taken' in value) this.#minutes.restore(context.draft, value)
      const members = values.flatMap((value) => ('monitorId' in value ? value : []))
      for (const member of members.toSorted((one, other) => one.order - other.order))
        this.#table.restore(member, healths.get(member.monitorId))
    })
  }

  /** After a gap, a step fires only when a check has failed again. */
  gapEnded(): void {
    this.#table.trustNone()
  }

  move(stepMs: number, now: Instant): EscalationDecision {
    return this.#decide(now, (context) => {
      this.#minutes.move(context.draft, stepMs)
      for (const entry of this.#table.entries()) {
        put(context, entry, movedPage(entry.page, stepMs))
        for (const member of this.#table.moveMembers(entry, stepMs)) keepMember(context.draft, member)
      }
    })
  }

  #followMember(
    entry: PageEntry,
    { monitorId, before, after }: MonitorStanding,
    now: Instant,
  ): EscalationDecision {
    if (isNewFailure(before, after)) this.#table.trust(entry)
    const member = entry.members.get(monitorId)!
    const standing = standingOf(after, member.forgotten)
    if (standing === null || standing.incidentId !== member.incidentId)
      return this.#decide(now, (context) => this.#leave(context, entry, monitorId))
    const { condition, acknowledged } = standing
    const isSame =
      condition === member.condition &&
      acknowledged?.at === member.acknowledged?.at &&
      acknowledged?.by === member.acknowledged?.by
    if (isSame) return nothing
    return this.#decide(now, (context) => {
      this.#table.stand(entry, member, standing)
      reconsider(context, entry)
    })
  }

  /** It arrived when the page had ended: the recipient hears the end, too. */
  #answeredLate({ news, endpoint, outcome, incidentId, since }: PageReport): EscalationDecision {
    if (outcome === 'failed' || this.#options.isEndOnItsWay(news.page, endpoint)) return nothing
    const because = { kind: 'page_ended', policy: news.policy } as const
    const ended = { ...news, stage: 'ended' } as const
    const order = { is: 'send', news: ended, endpoint, incidentId, since, because, later: null } as const
    return { ...nothing, orders: [order] }
  }

  #noteTold(context: LifeContext, entry: PageEntry, { news, endpoint, outcome }: PageReport): void {
    if (outcome === 'failed' || entry.page.told.some((one) => one.endpoint === endpoint)) return
    const { page } = entry
    const told = { ...page, told: [...page.told, { person: news.person, endpoint, heard: null }] }
    const { run } = page
    put(
      context,
      entry,
      run.is === 'acknowledged' ? tellAcknowledged(context, told, acknowledgedBy(run.by)) : told,
    )
  }

  #enter(
    context: LifeContext,
    { monitorId, before, after, severity: severityOf }: MonitorStanding,
    { condition, incidentId, since, acknowledged }: Standing,
    policy: string,
  ): void {
    const rules = this.#options.fleet().escalationPolicies.get(policy)
    if (rules === undefined) return
    const severity = severityOf()
    const lead = { monitorId, incidentId, since }
    const joinable = this.#joinable({ policy, rules, severity }, context.draft.now)
    const entry = joinable ?? this.#open(context.draft.now, { policy, rules, severity, lead })
    const { page } = entry
    if (isNewFailure(before, after)) this.#table.trust(entry)
    const forgotten = acknowledged?.at ?? null
    const order = joinable === null ? 0 : page.joined
    const member = { monitorId, incidentId, page: page.id, forgotten, severity, order }
    this.#table.join(entry, { ...member, condition, acknowledged, since })
    keepMember(context.draft, member)
    if (joinable === null) {
      context.draft.noteOf(page, lead, 'opened', { kind: 'policy_step', policy, round: 1, step: 1 })
      return begin(context, entry)
    }
    const isWorse = ranks[severity] > ranks[page.severity]
    const other = isWorse ? page.lead.monitorId : monitorId
    put(context, entry, {
      ...page,
      joined: page.joined + 1,
      others: page.others.length < othersAtMost ? [...page.others, other] : page.others,
      ...(isWorse ? { lead, severity } : {}),
    })
    context.draft.noteOf(page, lead, 'joined', {
      kind: 'policy_step',
      policy,
      round: page.round + 1,
      step: page.step + 1,
    })
  }

  #joinable(
    { policy, rules, severity }: Pick<Page, 'policy' | 'rules' | 'severity'>,
    now: Instant,
  ): PageEntry | null {
    const latest = this.#table.latestOf(policy)
    if (latest === undefined) return null
    const { page } = latest
    const { is } = page.run
    // No step of a page that has told its last one says that it got worse: quiet hours may have held what it told.
    const isTold = is === 'running' || (is === 'spent' && ranks[severity] <= ranks[page.severity])
    const isOpen = isTold && page.openedAt + joinedForMs > now
    return isOpen && JSON.stringify(page.rules) === JSON.stringify(rules) ? latest : null
  }

  #open(now: Instant, what: Pick<Page, 'policy' | 'rules' | 'severity' | 'lead'>): PageEntry {
    const page: Page = {
      ...what,
      id: this.#options.newId(),
      openedAt: now,
      start: 0,
      joined: 1,
      others: [],
      run: { is: 'running', nextAt: now },
      round: 0,
      step: 0,
      hasReached: false,
      deliveries: [],
      held: [],
      told: [],
      used: [],
    }
    return this.#table.add(page, true)
  }

  #leave(context: LifeContext, entry: PageEntry, monitorId: string): void {
    this.#table.leave(entry, monitorId)
    context.draft.keep({ key: `member ${monitorId}`, value: null })
    nameAnother(context, entry)
    reconsider(context, entry)
  }

  #decide(now: Instant, work: (context: LifeContext) => void): EscalationDecision {
    const draft = new EscalationDraft(now)
    const { fleet, keepsAlerts } = this.#options
    work({
      draft,
      fleet: fleet(),
      keepsAlerts,
      table: this.#table,
      missed: this.#missed,
      minutes: this.#minutes,
    })
    return draft.finish()
  }
}

/** Of two pages of a policy that were opened at once, the later one was opened because its incident is more severe. */
function asOpened(one: Page, other: Page): number {
  return one.openedAt - other.openedAt || ranks[one.severity] - ranks[other.severity]
}

function isNewFailure({ episode: before }: Health, { episode: after }: Health): boolean {
  return after !== null && after.lastFailureAt !== before?.lastFailureAt
}

function isSameStep(one: PageNews, other: PageNews): boolean {
  return one.start === other.start && one.round === other.round && one.step === other.step
}
