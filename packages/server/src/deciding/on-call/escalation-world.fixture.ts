// deciding/on-call/escalation-world.fixture.ts: escalations in a small world: six monitors, two policies, three people, and
// providers that answer, refuse, or stay silent. After every event it judges what was sent by laws of its own, which know
// the rules of policies and nothing of how escalations keep them. A defect changes one thing on the way in or out.
import {
  escalationPolicy,
  personDefinition,
  scheduleDefinition,
} from '../../config/fleet-file/on-call-definition.ts'
import type { PageNews } from '../actions/action.ts'
import type { PageOrder } from '../actions/page-order.ts'
import { type Health, newHealth } from '../health/health.ts'
import type { EscalationDecision } from './escalation-decision.ts'
import { Escalations, type EscalationsOptions } from './escalations.ts'
import type { EscalationRecord } from './page.ts'

const minuteMs = 60_000
const begin = Date.UTC(2026, 2, 28, 20)

export const monitors = ['a', 'b', 'c', 'd', 'e', 'f'] as const
export type Monitor = (typeof monitors)[number]

/** Three monitors of each policy; the last of each only warns. */
const policyOf = (monitor: Monitor) => (monitor < 'd' ? 'page' : 'night')
const severityOf = (monitor: Monitor) => (monitor === 'c' || monitor === 'f' ? 'warning' : 'critical')

const policies = {
  page: escalationPolicy({
    steps: [
      { notify: [{ schedule: 'hourly' }], wait: '5m' },
      { notify: [{ schedule: 'empty' }], wait: '5m' },
      { notify: [{ schedule: 'hourly' }, { person: 'cy' }], wait: '7m' },
    ],
    repeat: 1,
    ack_timeout: '20m',
  }),
  night: escalationPolicy({
    steps: [{ notify: [{ person: 'ana' }, { endpoint: 'desk' }], wait: '3m' }],
    repeat: 2,
    quiet: { hours: '22:00-07:00', severities: ['warning'] },
  }),
}

const fleet = {
  people: new Map([
    ['ana', personDefinition({ timezone: 'Europe/Berlin', endpoints: ['ana-1', 'ana-2'] })],
    ['bo', personDefinition({ endpoints: ['bo-1', 'bo-2'] })],
    ['cy', personDefinition({ endpoints: ['cy-1'] })],
  ]),
  schedules: new Map([
    [
      'hourly',
      scheduleDefinition({ layers: [{ people: ['ana', 'bo'], every: '1h', start: '2026-03-01T00:00' }] }),
    ],
    ['empty', scheduleDefinition({ layers: [{ people: ['cy'], start: '2040-01-01T00:00' }] })],
  ]),
  escalationPolicies: new Map(Object.entries(policies)),
  groups: new Map(),
  endpoints: new Map(
    ['ana-1', 'ana-2', 'bo-1', 'bo-2', 'cy-1', 'desk'].map((name) => [name, { type: 'log', config: {} }]),
  ),
}

/** What the world knows of one monitor. */
interface Truth {
  readonly incident: string | null
  readonly acknowledgedAt: number | null
  readonly isDismissed: boolean
  readonly isSnoozed: boolean
  readonly failures: number
}

const well: Truth = {
  incident: null,
  acknowledgedAt: null,
  isDismissed: false,
  isSnoozed: false,
  failures: 0,
}

export type Event =
  | {
      readonly is: 'fails' | 'recovers' | 'acknowledged' | 'snoozed' | 'unsnoozed' | 'dismissed' | 'reopened'
      readonly monitor: Monitor
    }
  | { readonly is: 'answers'; readonly outcome: 'delivered' | 'failed' | 'unknown'; readonly which: number }
  | { readonly is: 'passes'; readonly seconds: number }
  | { readonly is: 'restarts' }

type Sent = Extract<PageOrder, { is: 'send' }> & { readonly decidedAt: number; readonly at: number }

/** Where a defect may be planted. */
export interface Defect {
  readonly options?: (options: EscalationsOptions) => EscalationsOptions
  readonly health?: (health: Health) => Health
  readonly decision?: (decision: EscalationDecision) => EscalationDecision
  readonly records?: (records: readonly EscalationRecord[]) => readonly EscalationRecord[]
  /** Every answer is reported so often. */
  readonly answers?: number
  /** The time by the clock that fires steps. */
  readonly clock?: (now: number) => number
  /** Whoever was on call when the last incident opened is told of all steps. */
  readonly freezesOnCall?: true
}

export class World {
  readonly broken: string[] = []
  readonly #defect: Defect
  #now = begin
  #ids = 0
  #incidents = 0
  #openedAt = begin
  #escalations: Escalations
  readonly #truth = new Map<Monitor, Truth>(monitors.map((one) => [one, well]))
  #records = new Map<string, EscalationRecord>()
  #sent: Sent[] = []
  readonly #withdrawn = new Set<Sent>()
  /** Orders without an answer. */
  #waiting: Sent[] = []
  /** Endpoints that got a step of a page, or may have. */
  readonly #reached = new Map<string, Set<string>>()
  readonly #pagesOf = new Map<string, Set<Monitor>>()
  /** When each page was opened, or has started again, and when each monitor came to its page. */
  readonly #startedAt = new Map<string, number>()
  readonly #joinedAt = new Map<Monitor, number>()

  constructor(defect: Defect = {}) {
    this.#defect = defect
    this.#escalations = this.#start()
  }

  apply(event: Event): void {
    switch (event.is) {
      case 'passes':
        return this.#pass(event.seconds)
      case 'answers':
        return this.#answer(event.which, event.outcome)
      case 'restarts':
        return this.#restart()
      default:
        return this.#change(event.monitor, event.is)
    }
  }

  #start(): Escalations {
    const options: EscalationsOptions = {
      fleet: () => (this.#defect.freezesOnCall ? this.#frozen() : fleet),
      keepsAlerts: () => false,
      isEndOnItsWay: (page, endpoint) =>
        this.#waiting.some(
          (one) => one.news.page === page && one.news.stage === 'ended' && one.endpoint === endpoint,
        ),
      newId: () => `p${++this.#ids}`,
    }
    return new Escalations(this.#defect.options?.(options) ?? options)
  }

  #restart(): void {
    const before = JSON.stringify(this.#escalations.pages)
    this.#escalations = this.#start()
    const records = [...this.#records.values()]
    const healths = new Map(monitors.map((monitor) => [monitor as string, this.#healthOf(monitor)]))
    const kept = this.#defect.records?.(records) ?? records
    this.#take(this.#escalations.restore(kept, healths, this.#now))
    if (JSON.stringify(this.#escalations.pages) !== before) this.#say('a restart changed the pages')
    // A failed check of every monitor that still fails: no step waits for evidence any longer.
    for (const monitor of monitors) if (this.#of(monitor).incident !== null) this.#change(monitor, 'fails')
  }

  #change(monitor: Monitor, happens: Exclude<Event['is'], 'answers' | 'passes' | 'restarts'>): void {
    const before = this.#healthOf(monitor)
    const truth = this.#of(monitor)
    if (happens === 'fails' && truth.incident === null) this.#openedAt = this.#now
    const after = this.#after(truth, happens)
    // Each event has a time of its own, as in the engine, where a turn has one.
    this.#now += 1
    this.#truth.set(monitor, after)
    const policy = () => policyOf(monitor)
    const step = {
      monitorId: monitor,
      before,
      after: this.#healthOf(monitor),
      policy,
      severity: () => severityOf(monitor),
    }
    this.#take(this.#escalations.follow(step, this.#now))
    this.#judgeMembers()
  }

  #after(truth: Truth, happens: string): Truth {
    if (happens === 'fails')
      return {
        ...truth,
        incident: truth.incident ?? (truth.isSnoozed ? null : `i${++this.#incidents}`),
        failures: truth.failures + 1,
      }
    if (happens === 'recovers') return truth.isSnoozed ? truth : { ...well }
    if (happens === 'snoozed' || happens === 'unsnoozed')
      return { ...truth, isSnoozed: happens === 'snoozed' }
    if (truth.incident === null) return truth
    if (happens === 'acknowledged') return { ...truth, acknowledgedAt: this.#now + 1 }
    return { ...truth, isDismissed: happens === 'dismissed' }
  }

  #pass(seconds: number): void {
    const end = this.#now + seconds * 1000
    while (this.#escalations.nextDueAt <= end) {
      this.#now = Math.max(this.#now, this.#escalations.nextDueAt)
      this.#take(this.#escalations.due(this.#defect.clock?.(this.#now) ?? this.#now))
      this.#judgeMembers()
      if (this.#escalations.nextDueAt > this.#now) continue
      this.#say('what is due stays due')
      break
    }
    this.#now = end
  }

  #answer(which: number, outcome: 'delivered' | 'failed' | 'unknown'): void {
    const due = this.#inFlight()
    const one = due[which % Math.max(1, due.length)]
    if (one === undefined) return
    this.#waiting = this.#waiting.filter((other) => other !== one)
    const { news, endpoint, incidentId, since } = one
    if (outcome !== 'failed' && (news.stage === 'step' || news.stage === 'nobody')) {
      const reached = this.#reached.get(news.page) ?? new Set()
      this.#reached.set(news.page, reached.add(endpoint))
    }
    for (let times = this.#defect.answers ?? 1; times > 0; times--)
      this.#take(this.#escalations.answered({ news, endpoint, outcome, incidentId, since }, this.#now))
  }

  #take(decided: EscalationDecision): void {
    const { records, orders, events } = this.#defect.decision?.(decided) ?? decided
    for (const record of records)
      if (record.value === null) this.#records.delete(record.key)
      else this.#records.set(record.key, record)
    for (const { monitorId, detail } of events) {
      if (detail.phase === 'opened' || detail.phase === 'restarted')
        this.#startedAt.set(detail.page, this.#now)
      if (detail.phase === 'opened' || detail.phase === 'joined') {
        this.#joinedAt.set(monitorId as Monitor, this.#now)
        const members = this.#pagesOf.get(detail.page) ?? new Set()
        this.#pagesOf.set(detail.page, members.add(monitorId as Monitor))
      }
    }
    for (const order of orders) {
      if (order.is === 'withdraw') this.#withdraw(order.page)
      else {
        const sent = { ...order, decidedAt: this.#now, at: order.later?.at ?? this.#now }
        this.#judge(sent)
        this.#sent.push(sent)
        this.#waiting.push(sent)
      }
    }
  }

  /** Providers get one message at a time. */
  #inFlight(): Sent[] {
    const due = this.#waiting.filter(({ at }) => at <= this.#now)
    return due.filter((one) => due.find(({ endpoint }) => endpoint === one.endpoint) === one)
  }

  #withdraw(page: string): void {
    const inFlight = this.#inFlight()
    for (const one of this.#waiting)
      if (one.news.page === page && one.news.stage !== 'ended' && !inFlight.includes(one))
        this.#withdrawn.add(one)
    this.#waiting = this.#waiting.filter((one) => !this.#withdrawn.has(one))
  }

  #judge(sent: Sent): void {
    const { news, endpoint } = sent
    const ofPage = this.#sent.filter((one) => one.news.page === news.page && one.endpoint === endpoint)
    const ofStage = ofPage.filter((one) => one.news.stage === news.stage)
    if (news.stage === 'step') return this.#judgeStep(sent, ofStage)
    if (news.stage === 'acknowledged') {
      if (ofStage.some((one) => one.news.start === news.start)) this.#say('an acknowledgement was told twice')
    } else if (news.stage === 'ended') {
      if (ofStage.length > 0) this.#say('an end was told twice')
      if (!this.#reached.get(news.page)?.has(endpoint))
        this.#say('an end was told to somebody who was not paged')
    }
  }

  #judgeStep(sent: Sent, before: readonly Sent[]): void {
    const { news, endpoint, because } = sent
    if (before.some((one) => isSameStep(one.news, news))) this.#say('a step was sent twice')
    const members = [...(this.#pagesOf.get(news.page) ?? [])]
    if (!members.some((one) => this.#isOpen(one))) this.#say('a step was sent although nobody needs it')
    const isFirst = because.kind === 'policy_step'
    if (isFirst && news.policy === 'page' && news.step === 0 && news.person !== this.#onCall())
      this.#say('a step went to somebody who is not on call')
    if (news.step === 1 && news.policy === 'page') this.#say('a step that reaches nobody was sent')
    if (
      news.policy === 'night' &&
      news.severity === 'warning' &&
      news.person === 'ana' &&
      this.#isQuiet(sent.decidedAt)
    )
      this.#say('a step was sent in quiet hours')
    this.#judgeTiming(sent)
    const lead = this.#truth.get(news.lead as Monitor)
    if (lead === undefined || lead.incident === null || lead.incident !== sent.incidentId)
      this.#say('a step names what is over')
    if (isFirst && endpoint.endsWith('-2')) this.#say('a step went to the second endpoint first')
  }

  #judgeTiming(one: Sent): void {
    const { news, at, decidedAt, because } = one
    const sent = this.#sent.filter((one) => one.news.stage === 'step' && one.news.policy === news.policy)
    const others = sent.filter((one) => !this.#withdrawn.has(one))
    const isSamePerson = (other: Sent) =>
      other.news.person === news.person && (news.person !== null || other.endpoint === one.endpoint)
    if (because.kind !== 'next_endpoint')
      for (const other of others)
        if (
          isSamePerson(other) &&
          other.because.kind !== 'next_endpoint' &&
          Math.abs(other.at - at) < minuteMs &&
          !isSameStep(other.news, news)
        )
          this.#say('a person got two pages within a minute')
    const last = sent.findLast(
      (other) =>
        other.news.page === news.page &&
        other.news.start === news.start &&
        other.because.kind === 'policy_step' &&
        !isSameStep(other.news, news),
    )
    if (because.kind !== 'policy_step' || last === undefined) return
    const waitMs = policies[news.policy as keyof typeof policies].steps[last.news.step]!.waitMs
    if (decidedAt - last.decidedAt < waitMs) this.#say('a step came before its wait had passed')
    if (decidedAt - last.decidedAt > waitMs + 1) this.#sayUnlessHeld(news)
  }

  /** With nobody to wait for, a step is due at once; a restart makes it wait for a failed check. */
  #sayUnlessHeld({ policy }: PageNews): void {
    if (policy === 'page') this.#say('a step came late')
  }

  #judgeMembers(): void {
    for (const monitor of monitors) {
      const page = this.#escalations.pageOf(monitor)
      const { incident, isDismissed } = this.#of(monitor)
      const isNeeded = incident !== null && !isDismissed
      if (isNeeded !== (page !== null))
        this.#say(`${isNeeded ? 'an incident has no page' : 'a page has an incident that is over'}`)
      if (
        page !== null &&
        this.#isOpen(monitor) &&
        (page.run.is === 'paused' || page.run.is === 'acknowledged')
      )
        this.#say('an open incident is in a page that waits')
    }
    const live = new Set(this.#escalations.pages.map(({ id }) => id))
    for (const [page, endpoints] of this.#reached)
      if (!live.has(page))
        for (const endpoint of endpoints)
          if (
            !this.#sent.some(
              (one) => one.news.page === page && one.news.stage === 'ended' && one.endpoint === endpoint,
            )
          )
            this.#say('somebody who was paged did not hear of the end')
  }

  #isOpen(monitor: Monitor): boolean {
    const { incident, isDismissed, isSnoozed, acknowledgedAt } = this.#of(monitor)
    const page = this.#escalations.pageOf(monitor)
    const since = Math.max(this.#startedAt.get(page?.id ?? '') ?? 0, this.#joinedAt.get(monitor) ?? 0)
    const isAcknowledged = acknowledgedAt !== null && acknowledgedAt > since
    return incident !== null && !isDismissed && !isSnoozed && !isAcknowledged
  }

  #onCall(at = this.#now): string {
    return Math.floor((at - Date.UTC(2026, 2, 1)) / 3_600_000) % 2 === 0 ? 'ana' : 'bo'
  }

  #frozen(): typeof fleet {
    const layers = [{ people: [this.#onCall(this.#openedAt)], start: '2026-03-01T00:00' }]
    return { ...fleet, schedules: new Map(fleet.schedules).set('hourly', scheduleDefinition({ layers })) }
  }

  /** In Berlin, which goes from UTC+1 to UTC+2 on 29 March at 01:00 UTC. */
  #isQuiet(at: number): boolean {
    const hour = new Date(at + (at < Date.UTC(2026, 2, 29, 1) ? 1 : 2) * 3_600_000).getUTCHours()
    return hour >= 22 || hour < 7
  }

  #healthOf(monitor: Monitor): Health {
    const { incident, acknowledgedAt, isDismissed, isSnoozed, failures } = this.#of(monitor)
    const plain = newHealth(1)
    const acknowledged = acknowledgedAt === null ? null : { by: 'ana', at: acknowledgedAt }
    const health: Health = {
      ...plain,
      snooze: isSnoozed ? { untilWallMs: 9e15 } : null,
      episode:
        incident === null
          ? null
          : {
              id: `e-${incident}`,
              firstFailureAt: begin,
              lastFailureAt: begin + failures,
              failures,
              healthyStreak: 0,
              thresholdReachedAt: begin,
              announced: true,
              recovery: 'untried',
              verification: null,
              withheld: null,
              suppressedBy: null,
              suppressionReported: false,
              incident: {
                id: incident,
                openedAt: begin,
                lastRedAt: begin,
                retell: false,
                handling: { revision: 1, acknowledged, isDismissed },
              },
            },
    }
    return this.#defect.health?.(health) ?? health
  }

  #of(monitor: Monitor): Truth {
    return this.#truth.get(monitor)!
  }

  #say(what: string): void {
    if (!this.broken.includes(what)) this.broken.push(what)
  }
}

function isSameStep(one: PageNews, other: PageNews): boolean {
  return (
    one.page === other.page &&
    one.start === other.start &&
    one.round === other.round &&
    one.step === other.step
  )
}
