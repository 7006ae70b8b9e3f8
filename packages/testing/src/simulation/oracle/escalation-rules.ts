// simulation/oracle/escalation-rules.ts: compares pages with the reference model. Within a turn the service chooses the order
// in which it takes its inputs, so its events say which page opens, is joined, waits, starts again and ends; that each was
// right and in time is judged here, and everything that follows from it is the model's.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { ModelAction, ModelMonitor } from '../model/monitor-state.ts'
import { service } from '../model/monitor-state.ts'
import { type Ending, EscalationModel, joinedForMs } from '../model/on-call/escalation-model.ts'
import { type KeptPages, type ModelPage, nextEndpoints } from '../model/on-call/page-state.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import { count, type Tally } from '../tally.ts'
import type { Expectations } from './expectations.ts'
import type { Findings } from './findings.ts'
import type { Identities } from './model-identities.ts'
import type { Scene } from './scene.ts'

/** The name of the rule. */
const pages = 'pages'

/** Where the incident of a member stands. */
type Standing = 'open' | 'acknowledged' | 'silent' | 'over'

export interface EscalationRulesOptions {
  readonly scene: Scene
  readonly model: ReferenceModel
  readonly ids: Identities
  readonly expectations: Expectations
  readonly findings: Findings
  readonly tally: Tally
  /** The events of the batch that is being compared. */
  readonly shown: () => readonly StoredEvent[]
  /** Its records of actions. */
  readonly written: () => readonly Action[]
  /** The service may apply a changed plan of this monitor in this turn. */
  readonly catchUp: (monitorId: string) => void
}

/** Something of a page that must happen soon. */
export interface PageDuty {
  readonly of: string
  readonly isDue: boolean
  readonly words: () => string
}

interface Detail {
  readonly phase: string
  readonly page: string
  readonly policy: string
}

export class EscalationRules {
  readonly #options: EscalationRulesOptions
  readonly #scene: Scene
  readonly #model: EscalationModel
  /** Ids that pages have had. */
  readonly #ids = new Set<string>()
  /** Pages that have opened or started again in this turn. */
  readonly #begun = new Set<string>()
  /** When a check of a member has last failed in this process, or when its page was opened; by page. */
  readonly #evidenceMs = new Map<string, number>()
  /** When the last check of each monitor failed, at the end of the last turn. */
  readonly #failedMs = new Map<string, number | null>()
  /** Ends of incidents that were compared. */
  readonly #closed = new WeakSet<StoredEvent>()
  /** How members stood at the end of the last turn. */
  #stood = new Map<string, Standing>()

  constructor(options: EscalationRulesOptions) {
    this.#options = options
    const { model, expectations } = options
    this.#scene = options.scene
    this.#model = new EscalationModel({
      plan: () => model.plan,
      isSilent: (id) => isSilent(model.monitor(id)),
      notes: (page, phase) => options.shown().some((event) => isAbout(event, page, phase)),
      expect: (expected) => expectations.add(expected.monitorId, [expected]),
      sender: {
        send: (message, to, because) => expectations.add(service, model.sendPage(message, to, because)),
        withdraw: (page, because) => expectations.add(service, model.withdrawPage(page, because)),
        endsSoon: (page, endpoint) =>
          model
            .monitor(service)!
            .actions.some(
              (one) => one.page?.page === page && one.page.stage === 'ended' && one.endpoint === endpoint,
            ),
      },
    })
  }

  keep(): KeptPages {
    return this.#model.keep()
  }

  goBackTo(kept: KeptPages): void {
    this.#model.goBackTo(kept)
  }

  moveTime(stepMs: number): void {
    this.#model.moveTime(stepMs)
  }

  processStarted(): void {
    this.#begun.clear()
    this.#evidenceMs.clear()
    this.#failedMs.clear()
    this.#stood.clear()
    this.#model.restarted(this.#now)
    this.#noteStanding()
  }

  acknowledged(monitorId: string, by: string): void {
    const incident = this.#options.model.monitor(monitorId)?.episode?.incident ?? null
    if (incident !== null) this.#model.acknowledged(monitorId, incident.number, by)
  }

  /** Pages are left in the order in which incidents end. */
  closed(event: StoredEvent): void {
    this.#closed.add(event)
    this.#leaveOver()
  }

  /** An event of a page that does not follow from an earlier one: the service has chosen to decide this now. */
  take(event: StoredEvent): void {
    const { phase, page: id } = event.detail as Detail
    count(this.#options.tally.compared, 'pages')
    this.#leaveOver()
    if (phase === 'opened' || phase === 'joined') return this.#begins(event)
    const page = this.#model.pages.get(id)
    if (page === undefined) return this.#note(`${id}: the service has ${phase}, and no such page is open`)
    for (const monitorId of page.members.keys()) this.#options.catchUp(monitorId)
    switch (phase) {
      case 'acknowledged':
        this.#judge(
          page,
          phase,
          (one) => one !== 'open',
          (all) => all.includes('acknowledged'),
        )
        return this.#model.stopAcknowledged(page, event)
      case 'paused':
        this.#judge(
          page,
          phase,
          (one) => one === 'silent' || one === 'over',
          (all) => all.includes('silent'),
        )
        return this.#model.pause(page, event.at)
      case 'restarted':
        this.#judgeRestart(page, event.at)
        this.#begun.add(id)
        return this.#model.restart(page, event.at)
      case 'ended':
        this.#judge(
          page,
          phase,
          (one) => one === 'over',
          () => true,
        )
        return this.#model.end(page, event.at)
      case 'told':
      case 'skipped':
        return this.#due(event.at)
    }
  }

  /** A notification of a page that does not follow from an event: a wait has ended. */
  takeOrder({ page, queuedAt }: Action): void {
    count(this.#options.tally.compared, 'pages')
    this.#leaveOver()
    if (page !== undefined) this.#due(queuedAt)
  }

  /** Its destination is no longer in the fleet. */
  cancelled(action: ModelAction): void {
    const { model, expectations } = this.#options
    expectations.add(service, model.cancelPage(action))
  }

  /** A notification of a page is queued, and when it may start. */
  queued({ page, endpoint, notBefore: { from, to } }: ModelAction, notBefore: number): void {
    if (page !== undefined && from !== to) this.#model.queuedFor(page, endpoint!, notBefore)
  }

  /** A notification of a page has ended and is not tried again. */
  ended({ page, endpoint, incident }: ModelAction, how: Ending): void {
    this.#leaveOver()
    if (page !== undefined) this.#model.ended(page, { endpoint: endpoint!, incident }, how, this.#now)
  }

  /** Checks that have failed in this turn are evidence for the pages of their monitors. */
  noteEvidence(): void {
    for (const page of this.#model.pages.values())
      for (const monitorId of page.members.keys()) {
        const failedMs = this.#options.model.monitor(monitorId)?.lastFailureMs ?? null
        if (failedMs !== null && failedMs !== this.#failedMs.get(monitorId))
          this.#evidenceMs.set(page.id, Math.max(failedMs, this.#evidenceMs.get(page.id) ?? failedMs))
      }
  }

  /** Everything that the turn had to show of pages is shown. */
  endTurn(): void {
    this.#begun.clear()
    this.#model.sawTime(this.#now)
    this.noteEvidence()
    this.#judgeMembers()
    for (const page of this.#model.pages.values()) this.#judgeRun(page)
    this.#noteStanding()
    for (const { plan, lastFailureMs } of this.#options.model.monitors())
      this.#failedMs.set(plan.id, lastFailureMs)
  }

  /** What is due by now, or not any more. trustedFromMs: checks that failed before prove nothing. */
  *duties(now: number, trustedFromMs: number): Iterable<PageDuty> {
    for (const page of this.#model.pages.values()) {
      const { id, run, deliveries, held } = page
      const isEvident = (this.#evidenceMs.get(id) ?? Number.NEGATIVE_INFINITY) > trustedFromMs
      const isWanted = run.is === 'running' || run.is === 'spent'
      yield {
        of: `${id} step`,
        isDue: run.is === 'running' && isEvident && run.nextAt <= now,
        words: () =>
          `${id}: the step ${page.step + 1} of the round ${page.round + 1} is not told (${this.#seen(id)})`,
      }
      yield {
        of: `${id} restart`,
        isDue: run.is === 'acknowledged' && isEvident && (run.restartAt ?? Infinity) <= now,
        words: () => `${id}: the acknowledged page does not start again (${this.#seen(id)})`,
      }
      yield {
        of: `${id} next`,
        isDue: deliveries.some((one) => one.patientUntil <= now && nextEndpoints(page, one).length > 0),
        words: () => `${id}: no other endpoint is tried (${this.#seen(id)})`,
      }
      yield {
        of: `${id} held`,
        isDue: isWanted && held.some(({ until }) => until <= now),
        words: () => `${id}: what was held is not told after the quiet hours (${this.#seen(id)})`,
      }
    }
    for (const [person, { until, isCertain }] of this.#model.missed)
      yield {
        of: `missed ${person}`,
        isDue: isCertain && until <= now,
        words: () => `${person} is never told of the pages that ended in the quiet hours`,
      }
  }

  #begins({ monitorId, incidentId, at, detail }: StoredEvent): void {
    const { phase, page: id, policy: named } = detail as Detail
    const { model, ids } = this.#options
    const what = `${monitorId} has ${phase} the page ${id}`
    this.#options.catchUp(monitorId!)
    const monitor = model.monitor(monitorId!)
    const incident = monitor?.episode?.incident ?? null
    if (monitor === undefined || incident === null || !isNeeded(monitor))
      return this.#note(`${what}, and needs none`)
    if (ids.incidentId(incident.number) !== incidentId) return this.#note(`${what} with another incident`)
    const { policy = null, severity = 'critical' } = model.plan.monitors.get(monitorId!) ?? {}
    if (policy !== named) return this.#note(`${what} of ${named}, and its policy is ${policy}`)
    const present = this.#model.pageOf(monitorId!)
    // It belonged to another page, which it leaves in this turn.
    if (present !== null) this.#model.leave(present, monitorId!)
    const joinable = this.#model.joinable(policy, severity, at)
    const opening = { monitorId: monitorId!, incident: incident.number, policy, severity }
    if (phase === 'joined') {
      if (joinable?.id !== id)
        return this.#note(`${what}, which is not the one to join (${this.#wordsFor(id, at)})`)
      return this.#model.join(joinable, opening)
    }
    if (joinable !== null) this.#note(`${what}, and could join ${joinable.id}`)
    if (this.#ids.has(id)) this.#note(`${what}, an id that another page has had`)
    this.#ids.add(id)
    this.#begun.add(id)
    this.#evidenceMs.set(id, this.#scene.clock.monotonicMs())
    this.#model.open(id, opening, at)
  }

  /** The service looks at everything at once when something is due. */
  #due(now: number): void {
    for (const { id } of [...this.#model.pages.values()]) {
      const present = () => this.#model.pages.get(id)!
      for (const delivery of present().deliveries)
        if (delivery.patientUntil <= now) this.#model.tryNext(present(), delivery, 'slow', now)
      for (const held of present().held) if (held.until <= now) this.#model.release(present(), held, now)
      this.#fire(present(), now)
    }
    for (const [person, { until, isCertain }] of this.#model.missed)
      if (until <= now && (isCertain || this.#sends('missed', person))) this.#model.tellMissed(person)
      else if (until <= now) this.#model.forgetMissed(person)
  }

  /** Whether it was due is the service's choice within bounds: evidence may be too old for it. */
  #fire(page: ModelPage, now: number): void {
    const { id, run } = page
    const isFired = this.#options
      .shown()
      .some((event) => isAbout(event, id, 'told') || isAbout(event, id, 'skipped'))
    // What a page tells when it begins belongs to its beginning.
    if (!isFired || run.is !== 'running' || this.#begun.has(id)) return
    if (now < run.nextAt - 1) return this.#note(`${id}: a step comes ${run.nextAt - now} ms too early`)
    if (!this.#evidenceMs.has(id))
      this.#note(`${id}: a step comes before a check has failed since the restart`)
    this.#model.fire(page, now)
  }

  #judgeRestart(page: ModelPage, now: number): void {
    const { id, run } = page
    if (run.is !== 'acknowledged' && run.is !== 'paused')
      return this.#note(`${id} starts again, and was ${run.is}`)
    const isTimedOut = run.is === 'acknowledged' && run.restartAt !== null && run.restartAt <= now + 1
    const isOpen = [...page.members.keys()].some((one) => this.#mayStand(page, one).includes('open'))
    if (!isTimedOut && !isOpen) this.#note(`${id} starts again, and none of its incidents is open`)
  }

  /** Every member may stand as it did before the turn, or as it does at its end. */
  #judge(
    page: ModelPage,
    phase: string,
    fits: (standing: Standing) => boolean,
    isEnough: (all: readonly Standing[]) => boolean,
  ): void {
    const standings = Array.from(page.members.keys(), (one) => this.#mayStand(page, one))
    const isRight = standings.every((some) => some.some(fits)) && isEnough(standings.flat())
    if (!isRight) this.#note(`${page.id} has ${phase}, and its incidents are ${JSON.stringify(standings)}`)
  }

  #mayStand(page: ModelPage, monitorId: string): readonly Standing[] {
    const before = this.#stood.get(monitorId)
    const after = this.#standingOf(page, monitorId)
    return before === undefined || before === after ? [after] : [before, after]
  }

  #standingOf({ members }: ModelPage, monitorId: string): Standing {
    const monitor = this.#options.model.monitor(monitorId)
    const member = members.get(monitorId)
    const isIt = member !== undefined && monitor?.episode?.incident?.number === member.incident
    if (!isIt || monitor === undefined || !isNeeded(monitor)) return 'over'
    if (isSilent(monitor)) return 'silent'
    return member.acknowledged === null ? 'open' : 'acknowledged'
  }

  /** Every incident that opens has a page from the same turn on, and leaves it in the turn in which it ends. */
  #judgeMembers(): void {
    const { model } = this.#options
    const needed = new Map<string, number>()
    this.#leaveOver()
    for (const monitor of model.monitors()) {
      const incident = monitor.episode?.incident ?? null
      const { id } = monitor.plan
      if (incident === null || !isNeeded(monitor)) continue
      needed.set(id, incident.number)
      if (this.#model.needed.get(id) === incident.number || this.#model.pageOf(id) !== null) continue
      const policy = model.plan.monitors.get(id)?.policy ?? null
      if (policy !== null) this.#note(`the incident of ${id} has no page of ${policy}`)
    }
    this.#model.setNeeded(needed)
  }

  #leaveOver(): void {
    for (const page of this.#model.pages.values())
      for (const monitorId of page.members.keys())
        if (this.#standingOf(page, monitorId) === 'over' && !this.#isYetToClose(monitorId))
          this.#model.leave(this.#model.pages.get(page.id)!, monitorId)
  }

  /** The model has taken all results of this turn; the incident of this one ends further on in it. */
  #isYetToClose(id: string): boolean {
    const isItsEnd = ({ type, monitorId }: StoredEvent) => type === 'incident_closed' && monitorId === id
    return this.#options.shown().some((event) => isItsEnd(event) && !this.#closed.has(event))
  }

  #judgeRun(page: ModelPage): void {
    const standings = Array.from(page.members.keys(), (one) => this.#standingOf(page, one))
    const is = page.run.is
    const expected =
      standings.length === 0
        ? 'over'
        : standings.every((one) => one === 'silent')
          ? 'paused'
          : standings.includes('open')
            ? 'running'
            : 'acknowledged'
    if (expected !== (is === 'spent' ? 'running' : is))
      this.#note(`${page.id} is ${is}, and its incidents are ${standings.join(', ') || 'over'}`)
  }

  #noteStanding(): void {
    this.#stood = new Map(
      [...this.#model.pages.values()].flatMap((page) =>
        Array.from(page.members.keys(), (one) => [one, this.#standingOf(page, one)] as const),
      ),
    )
  }

  #sends(stage: string, person: string): boolean {
    return this.#options.written().some(({ page }) => page?.stage === stage && page.person === person)
  }

  /** A page as the model and the service have it, for people. */
  #seen(id: string): string {
    const { escalations } = this.#scene.running.parts
    const live = escalations.pages.find((page) => page.id === id)
    return `the model: ${JSON.stringify(this.#model.pages.get(id))}, the service: ${JSON.stringify(live)}`
  }

  #wordsFor(id: string, now: number): string {
    const page = this.#model.pages.get(id)
    if (page === undefined) return 'it is not open'
    return `${page.run.is}, open for ${now - page.openedAt} of ${joinedForMs} ms`
  }

  get #now(): number {
    return this.#scene.running.parts.time.now()
  }

  #note(text: string): void {
    this.#options.findings.note(pages, text)
  }
}

function isNeeded({ plan, isRemoved, episode }: ModelMonitor): boolean {
  const incident = episode?.incident ?? null
  return plan.enabled && !isRemoved && incident !== null && !incident.isDismissed
}

function isSilent(monitor: ModelMonitor | undefined): boolean {
  return monitor !== undefined && (monitor.snooze !== null || monitor.maintenance !== null)
}

function isAbout({ type, detail }: StoredEvent, page: string, phase: string): boolean {
  if (type !== 'escalation') return false
  const about = detail as Detail
  return about.page === page && about.phase === phase
}
