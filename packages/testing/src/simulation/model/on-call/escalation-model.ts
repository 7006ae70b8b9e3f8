// simulation/model/on-call/escalation-model.ts: oncall.md §2 once more, as simple as possible, written from that document
// and not from the service. It holds every page, and says for each change what the service must show and send. When the
// service acts is its choice, within bounds that escalation-rules.ts knows; what it does then is not.

import type { Severity } from '@pulseward/server/internal/config/fleet-file/on-call.ts'
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { FleetPlan } from '../../fleet-plan.ts'
import type { Expected, Instant, Range } from '../monitor-state.ts'
import { type ModelReason, ofControl, reason } from '../reason.ts'
import { durationMs, leftAloneUntil, type ModelRecipient, recipientsAt } from './on-call-model.ts'
import {
  asItIs,
  isSameStep,
  type KeptPages,
  type ModelDelivery,
  type ModelMember,
  type ModelPage,
  type ModelRun,
  type ModelTurn,
  messageOf,
  movedPage,
  nextEndpoints,
  noPages,
  notAhead,
  type PageMessage,
  type PageStage,
  useOf,
} from './page-state.ts'

export const joinedForMs = 60_000
const oncePerMs = 60_000
const patientForMs = 30_000
const othersAtMost = 9
const usualWait = '5m'
const ranks: Readonly<Record<Severity, number>> = { critical: 3, warning: 2, info: 1 }

export interface Addressed {
  readonly endpoint: string
  /** Null for pages that were missed. */
  readonly incident: number | null
  /** Null: at once. */
  readonly at: Range | null
}

/** Something is to be sent, or need not be any more. */
export interface Sender {
  send(message: PageMessage, to: Addressed, because: ModelReason): void
  /** All steps of the page that are not sent yet. */
  withdraw(page: string, because: ModelReason): void
  /** Whether the end of a page is queued for an endpoint, or in flight to it. */
  endsSoon(page: string, endpoint: string): boolean
}

export interface EscalationModelOptions {
  readonly plan: () => FleetPlan
  readonly sender: Sender
  readonly expect: (expected: Expected) => void
  /** Snoozed or in maintenance. */
  readonly isSilent: (monitorId: string) => boolean
  /** Whether the service notes this in the present turn, where it may have noticed something before. */
  readonly notes: (page: string, phase: string) => boolean
}

export type Ending = 'delivered' | 'failed' | 'unknown'

interface Opening {
  readonly monitorId: string
  readonly incident: number
  readonly policy: string
  readonly severity: Severity
}

export class EscalationModel {
  readonly #options: EscalationModelOptions
  #kept: KeptPages = noPages
  #acknowledgements = 0
  /** The latest time that a process has seen. */
  #latest = Number.NEGATIVE_INFINITY
  /** Until then, minutes that were over for the process before may count: its clock was ahead. */
  #doubtUntil = Number.NEGATIVE_INFINITY
  #wasAhead = false

  constructor(options: EscalationModelOptions) {
    this.#options = options
  }

  keep(): KeptPages {
    return this.#kept
  }

  goBackTo(kept: KeptPages): void {
    this.#kept = kept
  }

  moveTime(stepMs: number): void {
    this.#latest += stepMs
    this.#doubtUntil += stepMs
    const { pages, turns } = this.#kept
    this.#kept = {
      ...this.#kept,
      pages: new Map(Array.from(pages, ([id, page]) => [id, movedPage(page, stepMs)])),
      turns: turns.map((turn) => ({ ...turn, at: turn.at + stepMs })),
    }
  }

  get pages(): ReadonlyMap<string, ModelPage> {
    return this.#kept.pages
  }

  get missed(): KeptPages['missed'] {
    return this.#kept.missed
  }

  get needed(): KeptPages['needed'] {
    return this.#kept.needed
  }

  /** The process before may have had a clock that was ahead. */
  restarted(now: Instant): void {
    const { pages, turns } = this.#kept
    const isBehind = now < this.#latest
    this.#wasAhead ||= isBehind
    this.#latest = now
    this.#kept = {
      ...this.#kept,
      pages: new Map(Array.from(pages, ([id, page]) => [id, notAhead(page, now)])),
      turns: turns.map((turn, index) => {
        const isBefore = ({ policy, who, at }: ModelTurn) =>
          policy === turn.policy && who === turn.who && at > now
        const waiting = turns.slice(0, index + 1).filter(isBefore).length
        return { ...turn, at: Math.min(turn.at, now + waiting * oncePerMs) }
      }),
    }
    if (!isBehind) return
    // Each of them may have been forgotten before. The doubt lasts over a further restart.
    const latestTurn = Math.max(now, ...this.#kept.turns.map(({ at }) => at))
    this.#doubtUntil = latestTurn + 2 * oncePerMs
  }

  /** The service has chosen when somebody gets a page, where that is open. */
  queuedFor(message: PageMessage, endpoint: string, at: Instant): void {
    const page = this.#kept.pages.get(message.page)
    if (page === undefined) return
    const isIt = (one: ModelDelivery) => one.endpoint === endpoint && isSameStep(one.message, message)
    const waits = (one: ModelDelivery) => (isIt(one) ? { ...one, patientUntil: at + patientForMs } : one)
    this.#put({ ...page, deliveries: page.deliveries.map(waits) })
    const who = whoIs(message, endpoint)
    const last = this.#kept.turns.findLast((turn) => turn.page === message.page && turn.who === who)
    const turns = this.#kept.turns.map((turn) => (turn === last ? { ...turn, at } : turn))
    this.#kept = { ...this.#kept, turns }
  }

  /** A turn has ended at this time of the service. */
  sawTime(now: Instant): void {
    this.#latest = Math.max(this.#latest, now)
    for (const page of this.#kept.pages.values()) {
      const isWanted = page.run.is === 'running' || page.run.is === 'spent'
      const isNews = (one: { readonly isOver: boolean }, at: Instant) => at <= now && !one.isOver
      const deliveries = page.deliveries.map((one) =>
        isNews(one, one.patientUntil) ? { ...one, isOver: true } : one,
      )
      const held = page.held.map((one) =>
        !isWanted && isNews(one, one.until) ? { ...one, isOver: true } : one,
      )
      const isChanged =
        deliveries.some((one, index) => one !== page.deliveries[index]) ||
        held.some((one, index) => one !== page.held[index])
      if (isChanged) this.#put({ ...page, deliveries, held })
    }
  }

  setNeeded(needed: ReadonlyMap<string, number>): void {
    this.#kept = { ...this.#kept, needed }
  }

  pageOf(monitorId: string): ModelPage | null {
    for (const page of this.#kept.pages.values()) if (page.members.has(monitorId)) return page
    return null
  }

  /** The page that an incident of the policy would join now; null if it would open one. */
  joinable(policy: string, severity: Severity, now: Instant): ModelPage | null {
    let latest: ModelPage | null = null
    // Pages are kept in the order in which they were opened.
    for (const page of this.#kept.pages.values()) if (page.policy === policy) latest = page
    const { policies = {}, lastResort = [] } = this.#options.plan().onCall ?? {}
    const present = JSON.stringify([policies[policy], lastResort])
    const isSame = latest !== null && JSON.stringify([latest.rules, latest.lastResort]) === present
    if (latest === null || !isSame || now >= latest.openedAt + joinedForMs) return null
    const isWorse = ranks[severity] > ranks[latest.severity]
    return latest.run.is === 'running' || (latest.run.is === 'spent' && !isWorse) ? latest : null
  }

  open(id: string, { monitorId, incident, policy, severity }: Opening, now: Instant): void {
    const { onCall } = this.#options.plan()
    const page: ModelPage = {
      ...{ id, policy, severity, openedAt: now, start: 0, others: [], joined: 1 },
      rules: onCall!.policies[policy]!,
      lastResort: onCall!.lastResort,
      lead: { monitorId, incident },
      members: new Map([[monitorId, { incident, acknowledged: null, severity }]]),
      run: { is: 'running', nextAt: now, since: now },
      ...{ round: 0, step: 0, hasReached: false, deliveries: [], held: [], told: [], heard: [], used: [] },
    }
    this.#expect(page, 'opened', reason('policy_step', { policy, round: 1, step: 1 }))
    this.#begin(page, now)
  }

  join(page: ModelPage, { monitorId, incident, policy, severity }: Opening): void {
    const isWorse = ranks[severity] > ranks[page.severity]
    const other = isWorse ? page.lead.monitorId : monitorId
    const lead = { monitorId, incident }
    const joined = {
      ...page,
      members: new Map(page.members).set(monitorId, { incident, acknowledged: null, severity }),
      joined: page.joined + 1,
      others: [...page.others, other].slice(0, othersAtMost),
      ...(isWorse ? { lead, severity } : {}),
    }
    this.#put(joined)
    const because = reason('policy_step', { policy, round: page.round + 1, step: page.step + 1 })
    this.#expect({ ...page, lead }, 'joined', because)
  }

  acknowledged(monitorId: string, incident: number, by: string): void {
    const page = this.pageOf(monitorId)
    const member = page?.members.get(monitorId)
    if (page === null || member?.incident !== incident) return
    const acknowledged = { by, order: ++this.#acknowledgements }
    this.#put({ ...page, members: new Map(page.members).set(monitorId, { ...member, acknowledged }) })
  }

  /** If the page was named after it, it is named after the worst that is left, and the first of those. */
  leave(page: ModelPage, monitorId: string): void {
    const left = [...page.members].filter(([id]) => id !== monitorId)
    const members = new Map(left)
    const worst = left.reduce<(typeof left)[number] | undefined>(
      (one, other) => (one === undefined || ranks[other[1].severity] > ranks[one[1].severity] ? other : one),
      undefined,
    )
    if (worst === undefined || members.has(page.lead.monitorId)) return this.#put({ ...page, members })
    const [id, { incident, severity }] = worst
    const others = page.others.map((one) => (one === id ? page.lead.monitorId : one))
    this.#put({ ...page, members, lead: { monitorId: id, incident }, severity, others })
  }

  /** All of its incidents are acknowledged, or silent. */
  stopAcknowledged(page: ModelPage, { at: now, because }: Pick<StoredEvent, 'at' | 'because'>): void {
    const all = [...page.members.values()].flatMap(({ acknowledged }) => acknowledged ?? [])
    const said = all.find(({ by }) => because?.kind === 'control' && because.actor === by)
    const newest = all.reduce((one, other) => (other.order > one.order ? other : one), { by: '', order: 0 })
    // By a clock that was ahead, an earlier one is the last.
    const last = this.#wasAhead ? (said ?? newest) : newest
    const { ack_timeout: timeout } = page.rules
    const restartAt = timeout === undefined ? null : now + durationMs(timeout)
    const run = { is: 'acknowledged', by: last.by, restartAt, since: now } as const
    this.#tellAcknowledged(this.#stop(page, run, 'acknowledged', now), last.by)
  }

  pause(page: ModelPage, now: Instant): void {
    this.#stop(page, { is: 'paused' }, 'paused', now)
  }

  restart(page: ModelPage, now: Instant): void {
    const { policy, run } = page
    const because = reason('page_restarted', { policy, after: run.is })
    this.#withdraw(page, because, now)
    const forgotten = (member: ModelMember) => ({ ...member, acknowledged: null })
    const members = new Map(Array.from(page.members, ([id, one]) => [id, forgotten(one)]))
    const restarted = { ...page, members, start: page.start + 1, heard: [] }
    this.#expect(restarted, 'restarted', because)
    this.#begin(restarted, now)
  }

  end(page: ModelPage, now: Instant): void {
    const because = reason('page_ended', { policy: page.policy })
    this.#withdraw(page, because, now)
    this.#expect(page, 'ended', because)
    for (const { person, endpoint } of page.told) this.#tell(page, 'ended', person, endpoint, because)
    const pages = new Map(this.#kept.pages)
    pages.delete(page.id)
    this.#kept = { ...this.#kept, pages }
    this.#keepMissed(page, now)
  }

  fire(before: ModelPage, now: Instant): void {
    let page = before
    for (;;) {
      const { policy, rules, round, step } = page
      const { notify, wait = usualWait } = rules.steps[step]!
      const recipients = recipientsAt(notify, this.#options.plan(), now)
      const isLast = step === rules.steps.length - 1
      const hasReached = page.hasReached || recipients.length > 0
      const place = { policy, round: round + 1, step: step + 1 }
      if (recipients.length === 0) this.#expect(page, 'skipped', reason('nobody_on_call', place))
      else {
        const names = recipients.map(({ person, endpoints }) => person ?? endpoints[0]!)
        this.#expect(page, 'told', reason('policy_step', place), names)
        for (const recipient of recipients) page = this.#tellOne(page, recipient, now)
      }
      const isEmptyRound = isLast && !hasReached
      if (isEmptyRound) page = this.#tellLastResort(page, now)
      if (isLast && round === (rules.repeat ?? 0)) {
        this.#expect(page, 'spent', reason('policy_step', place))
        return this.#put({ ...page, run: { is: 'spent' } })
      }
      page = {
        ...page,
        ...(isLast ? { round: round + 1, step: 0 } : { step: step + 1 }),
        hasReached: !isLast && hasReached,
      }
      if (recipients.length > 0 || isEmptyRound)
        return this.#put({ ...page, run: { is: 'running', nextAt: now + durationMs(wait), since: now } })
    }
  }

  /** A message has ended and is not tried again. */
  ended(
    message: PageMessage,
    { endpoint, incident }: Omit<Addressed, 'at'>,
    how: Ending,
    now: Instant,
  ): void {
    if (message.stage !== 'step' && message.stage !== 'nobody') return
    const page = this.#kept.pages.get(message.page)
    if (page === undefined) return this.#endedLate(message, { endpoint, incident }, how)
    const told = { person: message.person, endpoint }
    const isNews = how !== 'failed' && !page.told.some((one) => one.endpoint === endpoint)
    const noted = isNews ? { ...page, told: [...page.told, told] } : page
    this.#put(noted)
    if (noted.run.is === 'acknowledged') this.#tellAcknowledged(noted, noted.run.by)
    const present = this.#kept.pages.get(message.page)!
    const delivery = present.deliveries.find(
      (one) =>
        one.endpoint === endpoint &&
        one.message.person === message.person &&
        isSameStep(one.message, message),
    )
    if (delivery === undefined) return
    const isOver = how === 'delivered' || present.run.is === 'acknowledged' || present.run.is === 'paused'
    const deliveries = present.deliveries.filter((one) => one !== delivery)
    if (isOver) this.#put({ ...present, deliveries })
    else this.tryNext(present, delivery, how, now)
  }

  tryNext(page: ModelPage, delivery: ModelDelivery, why: 'failed' | 'unknown' | 'slow', now: Instant): void {
    const { message, endpoint } = delivery
    const others = page.deliveries.filter((one) => one !== delivery)
    const [following, ...next] = nextEndpoints(page, delivery)
    const because = reason('next_endpoint', { policy: page.policy, endpoint, why })
    if (following === undefined) {
      this.#put({ ...page, deliveries: others })
      // Nothing shows when the service has lost patience.
      const isPatient = delivery.patientUntil > now && !delivery.isOver
      const isWaiting = isPatient || this.#options.notes(page.id, 'unreachable')
      if (why !== 'slow' && isWaiting)
        this.#expect(page, 'unreachable', because, [message.person ?? endpoint])
      return
    }
    const tried = { ...delivery, endpoint: following, next, patientUntil: now + patientForMs, isOver: false }
    this.#put({
      ...page,
      deliveries: [...others, tried],
      used: [...page.used, useOf(message, following)],
    })
    this.#send(page, message, following, because)
  }

  /** Whoever was left alone is told now, if anybody still has to be told. */
  release(page: ModelPage, held: ModelPage['held'][number], now: Instant): void {
    const left = { ...page, held: page.held.filter((one) => one !== held) }
    const { message, endpoints, all, until } = held
    if (page.run.is !== 'running' && page.run.is !== 'spent') return this.#put(left)
    const { person } = message
    const because = reason('quiet_hours', { policy: page.policy, person, until })
    this.#put(this.#deliver(left, { person, endpoints, all, timezone: 'UTC' }, message, because, now))
  }

  tellMissed(person: string): void {
    const missed = new Map(this.#kept.missed)
    const { endpoints, until, message } = missed.get(person)!
    missed.delete(person)
    this.#kept = { ...this.#kept, missed }
    const because = reason('quiet_hours', { policy: message.policy, person, until })
    const to = { endpoint: endpoints[0]!, incident: null, at: null }
    this.#options.sender.send({ ...message, stage: 'missed' }, to, because)
  }

  /** The service had told of it, or dropped it, a moment before. */
  forgetMissed(person: string): void {
    const missed = new Map(this.#kept.missed)
    missed.delete(person)
    this.#kept = { ...this.#kept, missed }
  }

  /** Once for each start of the page. */
  #tellAcknowledged(page: ModelPage, by: string): void {
    for (const { person, endpoint } of page.told)
      if (!page.heard.includes(endpoint))
        this.#tell(page, 'acknowledged', person, endpoint, ofControl('acknowledge', by))
    this.#put({ ...page, heard: page.told.map(({ endpoint }) => endpoint) })
  }

  /** The answer came when the page had ended: whoever got it hears of the end, too. */
  #endedLate(message: PageMessage, to: Omit<Addressed, 'at'>, how: Ending): void {
    const { sender } = this.#options
    if (how === 'failed' || sender.endsSoon(message.page, to.endpoint)) return
    const because = reason('page_ended', { policy: message.policy })
    sender.send({ ...message, stage: 'ended' }, { ...to, at: null }, because)
  }

  #begin(page: ModelPage, now: Instant): void {
    const run = { is: 'running', nextAt: now, since: now } as const
    const begun = { ...page, run, round: 0, step: 0, hasReached: false, deliveries: [], used: [] }
    const isSilent = [...page.members.keys()].every((id) => this.#options.isSilent(id))
    if (isSilent) this.#put({ ...begun, run: { is: 'paused' } })
    else this.fire(begun, now)
  }

  #stop(page: ModelPage, run: ModelRun, phase: 'acknowledged' | 'paused', now: Instant): ModelPage {
    const because =
      run.is === 'acknowledged'
        ? ofControl('acknowledge', run.by)
        : reason('page_paused', { policy: page.policy })
    this.#withdraw(page, because, now)
    const stopped = { ...page, run, deliveries: [] }
    this.#put(stopped)
    this.#expect(stopped, phase, because)
    return stopped
  }

  #tellOne(page: ModelPage, recipient: ModelRecipient, now: Instant): ModelPage {
    const { policy, rules, severity, round, step } = page
    const { person, endpoints, all } = recipient
    const message = messageOf(page, 'step', person)
    const until = leftAloneUntil(rules, recipient, severity, now)
    const because = reason('policy_step', { policy, round: round + 1, step: step + 1 })
    if (until === null) return this.#deliver(page, recipient, message, because, now)
    const isHeld = rules.quiet?.then !== 'drop'
    const quiet = reason('quiet_hours', { policy, person, until })
    this.#expect(page, isHeld ? 'held' : 'dropped', quiet, [person!])
    const isKnown = page.held.some((one) => one.message.person === person)
    return isHeld && !isKnown
      ? { ...page, held: [...page.held, { message, endpoints, all, until, isOver: false }] }
      : page
  }

  #tellLastResort(page: ModelPage, now: Instant): ModelPage {
    const { policy, round, step } = page
    const plan = this.#options.plan()
    const because = reason('nobody_on_call', { policy, round: round + 1, step: step + 1 })
    let told = page
    for (const endpoint of page.lastResort)
      if (plan.endpoints.has(endpoint))
        told = this.#deliver(
          told,
          { person: null, endpoints: [endpoint], all: false, timezone: 'UTC' },
          messageOf(told, 'nobody', null),
          because,
          now,
        )
    return told
  }

  /** An endpoint gets a step once, whoever it belongs to. */
  #deliver(
    page: ModelPage,
    { person, endpoints: all, all: isAll }: ModelRecipient,
    message: PageMessage,
    because: ModelReason,
    now: Instant,
  ): ModelPage {
    const endpoints = all.filter((name) => !page.used.includes(useOf(message, name)))
    if (endpoints.length === 0) return page
    const at = this.#takeTurn(page, whoIs(message, endpoints[0]!), now)
    const targets = isAll ? endpoints : endpoints.slice(0, 1)
    const isOpen = now < this.#doubtUntil
    const bounds = { from: isOpen ? now : at, to: isOpen ? at + 2 * oncePerMs : at }
    for (const endpoint of targets) this.#send(page, message, endpoint, because, bounds)
    const deliveries = targets.map((endpoint) => ({
      ...{ message, endpoint, next: isAll ? [] : endpoints.slice(1) },
      ...{ patientUntil: at + patientForMs, isOver: false },
    }))
    const others = page.deliveries.filter((one) => person === null || one.message.person !== person)
    const used = [...page.used, ...targets.map((endpoint) => useOf(message, endpoint))]
    return { ...page, deliveries: [...others, ...deliveries], used }
  }

  /** A person gets one page of a policy per minute. */
  #takeTurn({ id, policy }: ModelPage, who: string, now: Instant): Instant {
    const mine = this.#kept.turns.filter((turn) => turn.policy === policy && turn.who === who)
    const at = mine.reduce((free, turn) => Math.max(free, turn.at + oncePerMs), now)
    const recent = this.#kept.turns.filter((turn) => turn.at + oncePerMs > now)
    this.#kept = { ...this.#kept, turns: [...recent, { policy, who, page: id, at }] }
    return at
  }

  #withdraw({ id }: ModelPage, because: ModelReason, now: Instant): void {
    const turns = this.#kept.turns.filter((turn) => turn.page !== id || turn.at <= now)
    this.#kept = { ...this.#kept, turns }
    this.#options.sender.withdraw(id, because)
  }

  /** Quiet hours that are just over may have been noticed before the end, or not. */
  #keepMissed(page: ModelPage, now: Instant): void {
    const missed = new Map(this.#kept.missed)
    for (const { message, endpoints, until, isOver } of page.held) {
      const person = message.person!
      const known = missed.get(person)
      const isCertain = until > now && !isOver
      const before = known?.message.monitors ?? { from: 0, to: 0 }
      const monitors = {
        from: before.from + (isCertain ? page.joined : 0),
        to: before.to + page.joined,
      }
      missed.set(person, {
        endpoints,
        until: Math.min(until, known?.until ?? until),
        message: { ...message, monitors },
        isCertain: isCertain || known?.isCertain === true,
      })
    }
    this.#kept = { ...this.#kept, missed }
  }

  #tell(
    page: ModelPage,
    stage: PageStage,
    person: string | null,
    endpoint: string,
    because: ModelReason,
  ): void {
    this.#send(page, messageOf(page, stage, person), endpoint, because)
  }

  #send(
    page: ModelPage,
    message: PageMessage,
    endpoint: string,
    because: ModelReason,
    at: Range | null = null,
  ): void {
    const { incident } = page.lead
    this.#options.sender.send(asItIs(message, page), { endpoint, incident, at }, because)
  }

  #expect(
    { id: page, policy, lead }: ModelPage,
    phase: string,
    because: ModelReason,
    people: readonly string[] | null = null,
  ): void {
    const { monitorId, incident } = lead
    this.#options.expect({ type: 'escalation', monitorId, incident, page, policy, phase, people, because })
  }

  #put(page: ModelPage): void {
    this.#kept = { ...this.#kept, pages: new Map(this.#kept.pages).set(page.id, page) }
  }
}

/** Endpoints that are nobody's have a minute of their own. */
function whoIs({ person }: PageMessage, endpoint: string): string {
  return person ?? `=${endpoint}`
}
