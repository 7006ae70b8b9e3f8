// simulation/oracle/model-rules.ts: compares the service with the reference model, turn by turn. Every input of the
// service is an input of the model; what the service commits must be exactly what the model expects. What the service may
// choose (when an action starts, at which tick a window is noticed) is taken from it and checked.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { consecutiveFailures } from '@pulseward/server/internal/deciding/health/status.ts'
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import type { FleetPlan } from '../fleet-plan.ts'
import type { ModelMonitor } from '../model/monitor-state.ts'
import { service, statusOf } from '../model/monitor-state.ts'
import type { KeptPages } from '../model/on-call/page-state.ts'
import { type Kept, ReferenceModel } from '../model/reference-model.ts'
import { count, type Tally } from '../tally.ts'
import { EscalationRules } from './escalation-rules.ts'
import { actionIn, Expectations, inWords } from './expectations.ts'
import type { Findings } from './findings.ts'
import { LivenessRules } from './liveness-rules.ts'
import { MessageRules } from './message-rules.ts'
import { ModelActionRules } from './model-action-rules.ts'
import { ModelClock } from './model-clock.ts'
import { isControl, ModelControls } from './model-controls.ts'
import { Identities } from './model-identities.ts'
import { ModelResults } from './model-results.ts'
import { recoveriesLast } from './restart-order.ts'
import type { Scene } from './scene.ts'

const rule = 'model'

interface Snapshot {
  readonly batch: CommitBatch
  readonly kept: KeptAll
}

interface KeptAll {
  readonly model: Kept
  readonly pages: KeptPages
}

export interface ModelRulesOptions {
  readonly scene: Scene
  readonly findings: Findings
  readonly cooldownMs: number
  readonly tally: Tally
  /** A monitor was snoozed, or its snooze has ended. */
  readonly silenced: (monitorId: string, isSnoozed: boolean) => void
  /** Whether an action is or was for external workers. */
  readonly isOfWorker: (actionId: string) => boolean
}

export class ModelRules {
  readonly model: ReferenceModel
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #tally: Tally
  readonly #liveness: LivenessRules
  readonly #isOfWorker: (actionId: string) => boolean
  /** Earlier failures are not evidence: there was a restart or a gap, up to the turn that notices it. */
  #trustedFromMs = 0
  #isGapUnnoticed = false
  readonly ids = new Identities()
  readonly #messages: MessageRules
  readonly #expectations: Expectations
  readonly #clock: ModelClock
  readonly #actions: ModelActionRules
  readonly #results: ModelResults
  readonly #controls: ModelControls
  readonly #pages: EscalationRules
  /** Handed over and not on disk yet, in order. */
  #snapshots: Snapshot[] = []
  #durable: KeptAll
  #pendingChanges = new Set<string>()
  /** The events of the batch that is being compared. */
  #shown: readonly StoredEvent[] = []
  #written: readonly Action[] = []
  #isTakenOver = false
  /** The model has yet to look whether windows begin or end in this turn. */
  #isUnnoticed = false

  constructor({ scene, findings, cooldownMs, tally, silenced, isOfWorker }: ModelRulesOptions) {
    this.#isOfWorker = isOfWorker
    this.#scene = scene
    this.#findings = findings
    this.#tally = tally
    this.model = new ReferenceModel(scene.plan, {
      cooldownMs,
      clocks: () => ({
        now: scene.running.parts.time.now(),
        nowMs: scene.clock.monotonicMs(),
        process: scene.running.number,
        processStartedAt: this.#clock.processStartedAt,
      }),
      shows: (id, what) => this.#shown.some((event) => event.monitorId === id && isLike(event, what)),
      writes: (id, isMeant) => this.#written.some((action) => action.monitorId === id && isMeant(action)),
    })
    this.#messages = new MessageRules(this.model, this.ids)
    this.#expectations = new Expectations({
      ...{ model: this.model, ids: this.ids, findings, tally, cooldownMs },
      pageFailed: (action) => this.#pages.ended(action, 'failed'),
      pageQueued: (action, notBefore) => this.#pages.queued(action, notBefore),
    })
    this.#pages = new EscalationRules({
      ...{ scene, findings, tally, model: this.model, ids: this.ids, expectations: this.#expectations },
      shown: () => this.#shown,
      written: () => this.#written,
      catchUp: (id) => {
        if (this.#pendingChanges.has(id)) this.#change(id)
      },
    })
    this.#durable = this.#keep()
    this.#clock = new ModelClock({
      scene,
      model: this.model,
      expectations: this.#expectations,
      findings,
      isChanging: (id) => this.#pendingChanges.has(id),
      moved: (stepMs) => this.#pages.moveTime(stepMs),
    })
    this.#results = new ModelResults(scene, this.model, this.#expectations, tally)
    this.#controls = new ModelControls({
      ...{ scene, findings, model: this.model, ids: this.ids, expectations: this.#expectations },
      silenced: (id, isSnoozed) => {
        this.#results.silenced(id)
        silenced(id, isSnoozed)
      },
      acknowledged: (id, by) => this.#pages.acknowledged(id, by),
    })
    this.#actions = new ModelActionRules({
      scene,
      model: this.model,
      ids: this.ids,
      expectations: this.#expectations,
      messages: this.#messages,
      findings,
      cooldownMs,
      pageEnded: (action, how) => this.#pages.ended(action, how),
    })
    this.#liveness = new LivenessRules(scene, findings, this.model, cooldownMs, {
      has: ({ lastFailureMs }) => (lastFailureMs ?? Number.NEGATIVE_INFINITY) > this.#trustedFromMs,
      pages: (now) => this.#pages.duties(now, this.#trustedFromMs),
      wordsFor: (key) => {
        const id = this.ids.actionId(key)!
        const { ledger, time } = scene.running.parts
        return `${id} waits for ${ledger.view.waitOf(id, time.now())}`
      },
    })
  }

  processStarted(): void {
    this.#isTakenOver = false
    this.#clock.processStarted()
    this.#actions.processStarted()
    this.#results.processStarted()
    this.model.restarted()
    this.#pages.processStarted()
    this.#trustedFromMs = 0
    this.#isGapUnnoticed = false
    this.#liveness.processStarted()
    this.planned(this.#scene.plan)
  }

  takenOver(): void {
    this.endTurn()
    this.#isTakenOver = true
    this.#clock.adoptTimes()
    for (const { plan } of this.model.monitors()) this.#expectations.touched.add(plan.id)
    this.#compareStatuses()
  }

  processEnded(): void {
    this.model.goBackTo(this.#durable.model)
    this.#pages.goBackTo(this.#durable.pages)
    this.#snapshots = []
    this.#expectations.forget()
    this.#results.processEnded()
    this.#pendingChanges.clear()
  }

  /** The service is about to take another fleet. */
  planned(plan: FleetPlan): void {
    this.model.setPlan(plan)
    this.#pendingChanges = new Set(this.model.changed())
  }

  canaryRead(name: string, passes: boolean): void {
    this.#results.ownFault.canaryRead(name, passes)
  }

  lagged(fromMs: number): void {
    this.#results.ownFault.lagged(fromMs)
  }

  called(actionId: string): void {
    this.#actions.called(actionId)
  }

  notified(endpoint: string, notification: Notification): void {
    this.called(notification.actionId)
    this.compareMessage(endpoint, notification)
  }

  /** A message is about to be sent, by the service or by a worker. */
  compareMessage(endpoint: string, notification: Notification): void {
    const { actionId } = notification
    const isOfMonitor = notification.digest === null && notification.page === undefined
    const monitorId = isOfMonitor ? notification.monitorId : service
    const monitor = this.model.monitor(monitorId)
    const action = this.#actions.openAction(monitorId, actionId)
    count(this.#tally.compared, 'messages')
    if (monitor === undefined || action === null || action.endpoint !== endpoint)
      return this.#note(`${endpoint} gets ${actionId} of ${monitorId}, and the model knows of no such thing`)
    for (const difference of this.#messages.compare(monitor, action, notification))
      this.#note(`${monitorId}: ${endpoint} gets ${notification.color} ${actionId} with ${difference}`)
  }

  answered(actionId: string, answer: ActionOutcome): void {
    this.#actions.answered(actionId, answer)
  }

  checkStarted(check: CheckInFlight): void {
    this.#results.checkStarted(check)
  }

  checksEnding(checks: readonly CheckInFlight[]): void {
    this.#results.checksEnding(checks)
  }

  /** An external worker has reported, or its deadline has passed. */
  externalEnding(check: CheckInFlight, before: ReadonlySet<string>): void {
    this.#results.externalEnding(check, before)
  }

  /** A job has reported, or its silence counts. */
  reported(check: CheckInFlight): void {
    this.#results.reported(check)
  }

  /** Storing has become impossible, or possible again. */
  setPaused(isPaused: boolean): void {
    this.#liveness.setPaused(isPaused)
  }

  evidenceIsOld(): void {
    this.#trustedFromMs = this.#scene.clock.monotonicMs()
    this.#isGapUnnoticed = true
  }

  ticked(): void {
    this.endTurn()
    this.#clock.check()
    if (this.#isTakenOver) this.#liveness.judge()
  }

  ticking(): void {
    const nowMs = this.#scene.clock.monotonicMs()
    this.#results.ownFault.ticking(nowMs)
    if (this.#isGapUnnoticed) this.#trustedFromMs = nowMs
    this.#isGapUnnoticed = false
  }

  handedOver(batch: CommitBatch): void {
    this.#clock.follow()
    const { identities } = batch
    const changes = identities.filter(({ monitorId }) => this.#pendingChanges.has(monitorId))
    const hasNews = [batch.events, batch.actions, batch.states, batch.escalations, changes].some(
      ({ length }) => length > 0,
    )
    if (hasNews) {
      this.#shown = batch.events
      this.#written = batch.actions
      for (const action of batch.actions) this.#controls.takeConflict(action)
      const events = this.#isTakenOver
        ? batch.events.slice(this.#compareEndsOfWorkers(batch))
        : recoveriesLast(batch.events, (event) => this.#isEndOfStarted(event))
      this.#isUnnoticed = true
      // Jobs fall silent before windows begin and end in the same turn.
      const isOfJobs = this.#results.hasReports
      this.#results.takeNext()
      if (!isOfJobs) this.#notice()
      this.#pages.noteEvidence()
      for (const event of events) this.#compareEvent(event, batch)
      this.#results.take()
      this.#notice()
      // A monitor may come, change or leave without an event, and is not as before on this disk.
      for (const { monitorId } of changes) if (this.#pendingChanges.has(monitorId)) this.#change(monitorId)
      this.#shown = []
      this.#written = []
      if (this.#isTakenOver) this.#pages.endTurn()
      if (this.#isTakenOver) this.#expectations.expectNothingMore()
    }
    const last = this.#snapshots.at(-1)
    const isUnchanged = !hasNews && last !== undefined
    this.#snapshots.push({ batch, kept: isUnchanged ? last.kept : this.#keep() })
  }

  written(batch: CommitBatch): void {
    const index = this.#snapshots.findIndex((one) => one.batch === batch)
    if (index < 0) return
    this.#durable = this.#snapshots[index]!.kept
    this.#snapshots.splice(0, index + 1)
  }

  /** The batch contained nothing that the model knows of. */
  withdrawn(batch: CommitBatch): void {
    this.#snapshots = this.#snapshots.filter((one) => one.batch !== batch)
  }

  /** A call of the service has returned: everything that it had to show is shown. */
  endTurn(): void {
    if (this.#scene.process === null) return
    this.#clock.follow()
    this.#results.take()
    for (const id of this.#pendingChanges) this.#change(id)
    this.#clock.notice()
    this.#pages.endTurn()
    this.#expectations.expectNothingMore()
    this.#compareStatuses()
  }

  #keep(): KeptAll {
    return { model: this.model.keep(), pages: this.#pages.keep() }
  }

  compareAll(): void {
    for (const { plan } of this.model.monitors()) this.#expectations.touched.add(plan.id)
    this.#compareStatuses()
  }

  /** Ends of workers' actions come before or between the results of checks. Returns how many events belong to them. */
  #compareEndsOfWorkers(batch: CommitBatch): number {
    const { events } = batch
    const isOfWorker = ({ type, actionId }: StoredEvent) =>
      isEnd(type) && actionId !== null && this.#isOfWorker(actionId)
    if (!events.some(isOfWorker)) return 0
    for (const [place, event] of events.entries()) {
      if (isOfWorker(event)) {
        this.#results.takeExternal(event.actionId)
        this.#compareEvent(event, batch)
      } else if (!this.#fulfil(event, batch)) return place
    }
    return events.length
  }

  #compareEvent(event: StoredEvent, batch: CommitBatch): void {
    count(this.#tally.compared, 'events')
    const { type } = event
    // Writes through v2 have separate rules.
    if (event.resource !== undefined || (event.monitorId === null && !isCompared(type))) return
    // What is said of the silence of jobs has separate rules, too.
    if (type.startsWith('push_')) return
    // Compared with the digest that ended.
    if (type === 'incident_reported') return
    const monitorId = event.monitorId ?? service
    this.#expectations.touched.add(monitorId)
    if (isControl(type)) return this.#takeControl(event)
    if (type === 'action_started') return this.#actions.started(event)
    const isEndOfStarted = this.#isEndOfStarted(event)
    // A starting process reports what the previous one left to the present destinations.
    if (isEndOfStarted && !this.#isTakenOver) this.model.takeDestinations(monitorId)
    if (isEndOfStarted) return this.#actions.ended(event, batch.events)
    if (this.#fulfil(event, batch)) return
    if (this.#pendingChanges.has(monitorId)) {
      this.#change(monitorId)
      // A new monitor may be in a window at once.
      const row = this.#scene.heldRows().find(([id]) => id === monitorId)?.[1]
      if (row !== undefined) this.#clock.noticeOf(monitorId, row)
      if (this.#fulfil(event, batch)) return
    }
    if (type === 'destination_ailing' && this.model.mayAil(event.endpoint!)) return
    const cause = actionIn(batch, event.actionId)?.cause
    // A page begins before what comes later in its turn; all else may follow from that.
    const isBeginning = type === 'escalation' && ['opened', 'joined'].includes(phaseOf(event))
    if (!isBeginning && this.#notice() && this.#fulfil(event, batch)) return
    if (type !== 'escalation' && cause !== 'page')
      while (this.#results.takeNext()) if (this.#fulfil(event, batch)) return
    const monitor = this.model.monitor(monitorId)
    if (type === 'escalation') this.#pages.take(event)
    // To a dead destination it fails before it was queued.
    else if ((type === 'action_queued' || type === 'action_failed') && cause === 'page')
      this.#pages.takeOrder(actionIn(batch, event.actionId)!)
    else if (type === 'action_cancelled' && cause === 'page')
      this.#cancelPage(actionIn(batch, event.actionId)!)
    else if (type === 'action_queued' && cause === 'digest') this.#actions.queueDigest(event.endpoint!)
    else if (type === 'action_cancelled' && cause === 'digest') this.#actions.cancelDigest(event)
    else if (type === 'action_queued' && cause === 'maintenance' && isJustStarted(monitor)) {
      // If a clock was set past a window while the process started, the window begins and ends at once.
      this.#expectations.add(monitorId, this.model.maintenance(monitorId, true))
      this.#expectations.add(monitorId, this.model.maintenance(monitorId, false))
    } else if (monitor?.episode?.withheld === 'waiting') {
      // An ancestor that it waits for may just have been disabled.
      for (const id of this.#scene.ancestorsOf(monitorId)) if (this.#pendingChanges.has(id)) this.#change(id)
      this.#expectations.add(monitorId, this.model.judgeAgain(monitorId))
    }
    if (this.#fulfil(event, batch)) return
    const known = {
      color: event.color,
      endpoint: event.endpoint,
      outcome: event.outcome,
      kind: event.kind,
      cause,
      page: type === 'escalation' ? event.detail : undefined,
    }
    this.#note(
      `${monitorId}: the service has ${type} ${JSON.stringify(known)}, the model expects ${this.#expectations.wordsFor(monitorId)}`,
    )
  }

  /** Windows that begin or end in the present turn; false if that was known. */
  #notice(): boolean {
    if (!this.#isUnnoticed) return false
    this.#isUnnoticed = false
    this.#clock.notice()
    return true
  }

  #fulfil(event: StoredEvent, batch: CommitBatch): boolean {
    const isExpected = this.#expectations.fulfil(event, batch)
    if (isExpected && event.type === 'incident_closed') this.#pages.closed(event)
    return isExpected
  }

  /**
   * Because its destination has left the fleet: before it was queued, or since. Everything else follows from an event of its
   * page.
   */
  #cancelPage(record: Action): void {
    const action = this.#actions.openAction(service, record.id)
    if (action === null) this.#pages.takeOrder(record)
    else if (!this.model.plan.endpoints.has(record.endpoint!)) this.#pages.cancelled(action)
  }

  #isEndOfStarted({ type, monitorId, actionId }: StoredEvent): boolean {
    return isEnd(type) && this.#actions.openAction(monitorId ?? service, actionId!)?.state === 'started'
  }

  #takeControl(event: StoredEvent): void {
    const monitorId = event.monitorId ?? service
    if (this.#pendingChanges.has(monitorId)) this.#change(monitorId)
    this.#controls.take(event)
  }

  #change(id: string): void {
    this.#pendingChanges.delete(id)
    this.#expectations.add(id, this.model.fleetChanged(id))
  }

  #compareStatuses(): void {
    if (!this.#isTakenOver) return
    for (const id of this.#expectations.touched) {
      const monitor = this.model.monitor(id)
      const row = this.#scene.rowOf(id)
      if (monitor === undefined || monitor.isRemoved || row < 0) continue
      count(this.#tally.compared, 'statuses')
      const live = this.#scene.running.parts.health.of(row)
      const expected = statusOf(monitor)
      const status = this.#scene.statusOf(id)
      if (this.#isForgotten(monitor, status)) continue
      if (status !== expected)
        this.#note(`${id} is ${status}, the model says ${expected}: ${inWords(monitor)}`)
      const failures = monitor.episode?.failures ?? 0
      if (consecutiveFailures(live) !== failures)
        this.#note(`${id} has ${consecutiveFailures(live)} failures in a row, the model says ${failures}`)
    }
    this.#expectations.touched.clear()
  }

  /** Whether a quiet monitor was up is checkpointed only at intervals, and not known before the first result. */
  #isForgotten(monitor: ModelMonitor, status: string | null): boolean {
    const isSeen = status === 'unknown' || (status === 'up' && statusOf(monitor) === 'unknown')
    const hasHeardNothing = monitor.lastCheckMs === null || monitor.lastOutcome === 'no_data'
    return isSeen && hasHeardNothing && monitor.episode === null
  }

  #note(text: string): void {
    this.#findings.note(rule, text)
  }
}

/** Has maintenance windows, is not in one now, and was not checked by this process yet. */
function isJustStarted(monitor: ModelMonitor | undefined): boolean {
  return monitor?.plan.window != null && monitor.maintenance === null && monitor.lastCheckMs === null
}

/** Events of the service itself that the model knows of. */
function isCompared(type: string): boolean {
  return type !== 'own_fault'
}

function phaseOf({ detail }: StoredEvent): string {
  return (detail as { readonly phase: string }).phase
}

function isEnd(type: string): boolean {
  return type === 'action_succeeded' || type === 'action_failed' || type === 'action_unknown'
}

function isLike<One extends object>(one: One, what: Partial<One>): boolean {
  return Object.entries(what).every(([name, value]) => one[name as keyof One] === value)
}
