// simulation/oracle/model-rules.ts: the service against the reference model, turn by turn. What enters the service enters
// the model; what the service hands to the disk must be what the model expects, no more and no less. What the service is
// free to choose (when an action starts, at which tick a window is noticed) is taken from it and judged.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { consecutiveFailures } from '@pulseward/server/internal/deciding/health/status.ts'
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import type { FleetPlan, PlannedMonitor } from '../fleet-plan.ts'
import type { Expected, ModelAction, ModelMonitor, Range } from '../model/monitor-state.ts'
import { service, statusOf } from '../model/monitor-state.ts'
import { OwnFaultModel } from '../model/own-fault-model.ts'
import { type Kept, ReferenceModel } from '../model/reference-model.ts'
import { count, type Tally } from '../tally.ts'
import type { Findings } from './findings.ts'
import { isForDigest, LivenessRules, ratesOf } from './liveness-rules.ts'
import { MessageRules } from './message-rules.ts'
import { Identities } from './model-identities.ts'
import type { Scene } from './scene.ts'

const rule = 'model'
const givenUpWaitMs = 300_000
const timeOffAtMostMs = 1_100

interface Snapshot {
  readonly batch: CommitBatch
  readonly kept: Kept
}

export class ModelRules {
  readonly model: ReferenceModel
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #tally: Tally
  readonly #cooldownMs: number
  readonly #liveness: LivenessRules
  /** Failures before that are no evidence: a restart or a gap lies between, up to the turn that notices it. */
  #trustedFromMs = 0
  #isGapUnnoticed = false
  readonly #ownFault = new OwnFaultModel()
  readonly #ids = new Identities()
  readonly #messages: MessageRules
  readonly #answers = new Map<string, ActionOutcome>()
  /** Actions whose provider was called in this process. */
  readonly #called = new Set<string>()
  readonly #startedFor = new Map<number, { readonly generation: number; readonly monitor: PlannedMonitor }>()
  /** Handed over and not on disk yet, in order. */
  #snapshots: Snapshot[] = []
  #durable: Kept
  #results: readonly CheckInFlight[] = []
  #expected: Expected[] = []
  #pendingChanges = new Set<string>()
  readonly #touched = new Set<string>()
  /** Of the batch that is being compared. */
  #shown: readonly StoredEvent[] = []
  #processStartedAt = 0
  #offsetMs = 0
  #isTakenOver = false

  constructor(scene: Scene, findings: Findings, cooldownMs: number, tally: Tally) {
    this.#scene = scene
    this.#findings = findings
    this.#tally = tally
    this.#cooldownMs = cooldownMs
    this.model = new ReferenceModel(scene.plan, {
      cooldownMs,
      clocks: () => ({
        now: scene.running.parts.time.now(),
        nowMs: scene.clock.monotonicMs(),
        process: scene.running.number,
        processStartedAt: this.#processStartedAt,
      }),
      shows: (id, what) => this.#shown.some((event) => event.monitorId === id && isLike(event, what)),
    })
    this.#durable = this.model.keep()
    this.#messages = new MessageRules(this.model, this.#ids)
    this.#liveness = new LivenessRules(scene, findings, this.model, cooldownMs, {
      has: ({ lastFailureMs }) => (lastFailureMs ?? Number.NEGATIVE_INFINITY) > this.#trustedFromMs,
      wordsFor: (key) => {
        const id = this.#ids.actionId(key)!
        const { ledger, time } = scene.running.parts
        return `${id} waits for ${ledger.view.waitOf(id, time.now())}`
      },
    })
  }

  processStarted(): void {
    this.#isTakenOver = false
    this.#processStartedAt = this.#scene.running.parts.time.now()
    this.#offsetMs = this.#processStartedAt - this.#scene.clock.monotonicMs()
    this.#startedFor.clear()
    this.#answers.clear()
    this.#called.clear()
    this.#ownFault.processStarted()
    this.model.restarted()
    this.#trustedFromMs = 0
    this.#isGapUnnoticed = false
    this.#liveness.processStarted()
    this.planned(this.#scene.plan)
  }

  takenOver(): void {
    this.endTurn()
    this.#isTakenOver = true
    this.#adoptTimes()
    for (const { plan } of this.model.monitors()) this.#touched.add(plan.id)
    this.#compareStatuses()
  }

  processEnded(): void {
    this.model.goBackTo(this.#durable)
    this.#snapshots = []
    this.#expected = []
    this.#results = []
    this.#pendingChanges.clear()
    this.#touched.clear()
  }

  /** The service is about to take another fleet. */
  planned(plan: FleetPlan): void {
    this.model.setPlan(plan)
    this.#pendingChanges = new Set(this.model.changed())
  }

  canaryRead(name: string, passes: boolean): void {
    this.#ownFault.canaryRead(name, passes)
  }

  lagged(fromMs: number): void {
    this.#ownFault.lagged(fromMs)
  }

  called(actionId: string): void {
    this.#called.add(actionId)
  }

  notified(endpoint: string, notification: Notification): void {
    const { actionId } = notification
    this.called(actionId)
    const monitorId = notification.digest === null ? notification.monitorId : service
    const monitor = this.model.monitor(monitorId)
    const action = this.#openAction(monitorId, actionId)
    count(this.#tally.compared, 'messages')
    if (monitor === undefined || action === null || action.endpoint !== endpoint)
      return this.#note(`${endpoint} gets ${actionId} of ${monitorId}, and the model knows of no such thing`)
    for (const difference of this.#messages.compare(monitor, action, notification))
      this.#note(`${monitorId}: ${endpoint} gets ${notification.color} ${actionId} with ${difference}`)
  }

  answered(actionId: string, answer: ActionOutcome): void {
    this.#answers.set(actionId, answer)
  }

  checkStarted({ row, generation, monitorId }: CheckInFlight): void {
    const monitor = this.#scene.monitor(monitorId)
    if (monitor !== undefined) this.#startedFor.set(row, { generation, monitor })
  }

  /** The service takes these in its next turn. */
  checksEnding(checks: readonly CheckInFlight[]): void {
    this.#results = [...this.#results, ...checks]
  }

  /** Nothing can be stored, or it can again. */
  setPaused(isPaused: boolean): void {
    this.#liveness.setPaused(isPaused)
  }

  evidenceIsOld(): void {
    this.#trustedFromMs = this.#scene.clock.monotonicMs()
    this.#isGapUnnoticed = true
  }

  ticked(): void {
    this.endTurn()
    this.#checkTime()
    if (this.#isTakenOver) this.#liveness.judge()
  }

  ticking(): void {
    const nowMs = this.#scene.clock.monotonicMs()
    this.#ownFault.ticking(nowMs)
    if (this.#isGapUnnoticed) this.#trustedFromMs = nowMs
    this.#isGapUnnoticed = false
  }

  handedOver(batch: CommitBatch): void {
    this.#followClock()
    const hasNews = batch.events.length > 0 || batch.actions.length > 0 || batch.states.length > 0
    if (hasNews) {
      this.#shown = batch.events
      this.#takeResults()
      this.#noticeClock()
      for (const event of batch.events) this.#compareEvent(event, batch)
      this.#shown = []
      if (this.#isTakenOver) this.#expectNothingMore()
    }
    const last = this.#snapshots.at(-1)
    const isUnchanged = !hasNews && last !== undefined
    this.#snapshots.push({ batch, kept: isUnchanged ? last.kept : this.model.keep() })
  }

  written(batch: CommitBatch): void {
    const index = this.#snapshots.findIndex((one) => one.batch === batch)
    if (index < 0) return
    this.#durable = this.#snapshots[index]!.kept
    this.#snapshots.splice(0, index + 1)
  }

  /** A call of the service has returned: whatever it had to show is shown. */
  endTurn(): void {
    if (this.#scene.process === null) return
    this.#followClock()
    this.#takeResults()
    for (const id of this.#pendingChanges) this.#change(id)
    this.#noticeClock()
    this.#expectNothingMore()
    this.#compareStatuses()
  }

  compareAll(): void {
    for (const { plan } of this.model.monitors()) this.#touched.add(plan.id)
    this.#compareStatuses()
  }

  /** A turn notices every jump, and follows it. */
  #checkTime(): void {
    const offMs = Math.abs(this.#scene.running.parts.time.now() - this.#scene.clock.wallMs())
    if (offMs > timeOffAtMostMs)
      this.#findings.note('service time', `service time is ${Math.round(offMs)} ms off the wall clock`)
  }

  #followClock(): void {
    const offsetMs = this.#scene.running.parts.time.now() - this.#scene.clock.monotonicMs()
    const stepMs = offsetMs - this.#offsetMs
    if (stepMs !== 0) this.model.moveTime(stepMs)
    this.#processStartedAt += stepMs
    this.#offsetMs = offsetMs
  }

  #adoptTimes(): void {
    const { parts } = this.#scene.running
    for (const { plan, episode } of this.model.monitors()) {
      const row = this.#scene.rowOf(plan.id)
      const live = row < 0 ? null : parts.health.of(row).episode
      if (episode !== null && live !== null)
        this.model.adoptTimes(plan.id, {
          firstFailureAt: live.firstFailureAt,
          countsFrom: live.verification?.countsFrom ?? null,
          lastRedAt: live.incident?.lastRedAt ?? null,
        })
    }
  }

  #takeResults(): void {
    const results = this.#results
    if (results.length === 0) return
    this.#results = []
    const seen = results.map(({ finishedMs, end }) => ({ finishedMs, isLocal: mayBeOurs(end) }))
    this.#ownFault.took(seen)
    const { parts } = this.#scene.running
    const now = parts.time.now()
    const nowMs = this.#scene.clock.monotonicMs()
    for (const check of results) {
      const { monitorId, row, startedMs, finishedMs, end } = check
      if (!this.#isNews(check)) continue
      const answer = mayBeOurs(end) ? this.#ownFault.judge(startedMs, finishedMs, seen) : 'no'
      const isOwnFault =
        answer === 'either' ? parts.health.of(row).lastOutcome === 'own_fault' : answer === 'yes'
      if (answer !== 'no') count(this.#tally.faults, `model: own fault ${answer}`)
      this.#expect(
        monitorId,
        this.model.result(monitorId, {
          outcome: isOwnFault ? 'own_fault' : end.status,
          warning: end.warning,
          startedAt: now - (nowMs - startedMs),
          finishedAt: now - (nowMs - finishedMs),
          finishedMs,
        }),
      )
    }
  }

  #isNews({ row, generation, monitorId }: CheckInFlight): boolean {
    const started = this.#startedFor.get(row)
    const monitor = this.model.monitor(monitorId)?.plan
    return (
      started?.generation === generation &&
      monitor !== undefined &&
      monitor.enabled &&
      this.#scene.rowOf(monitorId) === row &&
      monitor.checkVersion === started.monitor.checkVersion
    )
  }

  #noticeClock(): void {
    for (const [id, row] of this.#scene.heldRows()) this.#noticeClockOf(id, row)
  }

  /** A window begins or ends for the service when it notices; that it does so in time is another rule. */
  #noticeClockOf(id: string, row: number): void {
    const monitor = this.model.monitor(id)
    if (monitor === undefined || !monitor.plan.enabled || this.#pendingChanges.has(id)) return
    const { maintenance, episode } = this.#scene.running.parts.health.of(row)
    const isIn = maintenance !== null
    if (isIn !== (monitor.maintenance !== null)) this.#expect(id, this.model.maintenance(id, isIn))
    if (episode?.incident) this.#noticeRepeat(monitor, episode.incident.lastRedAt)
  }

  /** A repeat that joins a red that is still open shows only in when the service thinks it was. */
  #noticeRepeat({ plan, episode }: ModelMonitor, lastRedAt: number): void {
    const incident = episode?.incident ?? null
    if (incident === null || plan.repeatMinutes === null || lastRedAt <= incident.lastRedAt) return
    const dueAt = incident.lastRedAt + plan.repeatMinutes * 60_000
    if (lastRedAt < dueAt - 1) this.#note(`${plan.id} repeats its red ${dueAt - lastRedAt} ms too early`)
    this.#expect(plan.id, this.model.repeat(plan.id))
  }

  #compareEvent(event: StoredEvent, batch: CommitBatch): void {
    count(this.#tally.compared, 'events')
    const { type } = event
    if (event.monitorId === null && !isCompared(type)) return
    const monitorId = event.monitorId ?? service
    this.#touched.add(monitorId)
    if (type === 'action_started') return this.#started(event)
    if (isEnd(type) && this.#openAction(monitorId, event.actionId!)?.state === 'started')
      return this.#ended(event)
    if (this.#match(event, batch)) return
    if (this.#pendingChanges.has(monitorId)) {
      this.#change(monitorId)
      // A monitor that is new may be in a window at once.
      const row = this.#scene.heldRows().find(([id]) => id === monitorId)?.[1]
      if (row !== undefined) this.#noticeClockOf(monitorId, row)
      if (this.#match(event, batch)) return
    }
    if (type === 'destination_ailing' && this.model.mayAil(event.endpoint!)) return
    const cause = this.#actionIn(batch, event.actionId)?.cause
    const monitor = this.model.monitor(monitorId)
    if (type === 'action_queued' && cause === 'digest') this.#queueDigest(event.endpoint!)
    else if (type === 'action_cancelled' && cause === 'digest') this.#cancelDigest(event)
    else if (monitor?.episode?.withheld === 'waiting')
      this.#expect(monitorId, this.model.judgeAgain(monitorId))
    if (this.#match(event, batch)) return
    const known = {
      color: event.color,
      endpoint: event.endpoint,
      outcome: event.outcome,
      kind: event.kind,
      cause,
    }
    this.#note(
      `${monitorId}: the service has ${type} ${JSON.stringify(known)}, the model expects ${this.#wordsFor(monitorId)}`,
    )
  }

  /** Takes the expectation that the event fulfils. */
  #match(event: StoredEvent, batch: CommitBatch): boolean {
    const index = this.#expected.findIndex(
      (one) =>
        one.monitorId === (event.monitorId ?? service) && one.type === event.type && this.#isSame(one, event),
    )
    const one = this.#expected[index]
    if (one === undefined) return false
    this.#expected.splice(index, 1)
    if (one.type === 'incident_opened')
      this.#ids.bindIncident(one.incident, event.incidentId!, this.#findings)
    if (one.type === 'action_queued') {
      this.#ids.bindAction(one.action.key, event.actionId!)
      const record = this.#actionIn(batch, event.actionId)
      if (record === undefined) this.#note(`${event.actionId} is queued without a record`)
      else this.#compareQueued(one.action, record)
    }
    return true
  }

  #isSame(one: Expected, event: StoredEvent): boolean {
    switch (one.type) {
      case 'incident_opened':
        return true
      case 'destination_ailing':
      case 'destination_recovered':
      case 'destination_dead':
      case 'digest_sent':
      case 'digest_dropped':
        return one.endpoint === event.endpoint
      case 'incident_closed':
        return one.outcome === event.outcome && this.#ids.incidentId(one.incident) === event.incidentId
      case 'incident_suppressed':
        return one.by.includes(String((event.detail as { suppressedBy?: string } | null)?.suppressedBy))
      case 'action_queued':
        return (
          one.action.kind === event.kind &&
          one.action.color === event.color &&
          one.action.endpoint === event.endpoint
        )
      case 'action_failed':
        return one.outcome === event.outcome && this.#isCancelled(one.action, event)
      case 'action_cancelled':
        return this.#isCancelled(one.action, event) && one.outcome === event.outcome
    }
  }

  #isCancelled(action: ModelAction, event: StoredEvent): boolean {
    const id = this.#ids.actionId(action.key)
    return id === null
      ? action.color === event.color && action.endpoint === event.endpoint
      : id === event.actionId
  }

  #compareQueued(action: ModelAction, record: Action): void {
    count(this.#tally.compared, 'actions')
    const differences: string[] = []
    if (record.attempt !== action.attempt) differences.push(`attempt ${record.attempt} for ${action.attempt}`)
    if (record.cause !== action.cause) differences.push(`cause ${record.cause} for ${action.cause}`)
    if (!isIn(record.notBefore, action.notBefore))
      differences.push(
        `not before ${record.notBefore - record.queuedAt} ms, model ${action.notBefore.from - record.queuedAt} to ${action.notBefore.to - record.queuedAt}`,
      )
    if (!this.#ids.isEpisode(action.episode, record.episodeId)) differences.push('another episode')
    const incidentId = action.incident === null ? null : this.#ids.incidentId(action.incident)
    if (incidentId !== record.incidentId) differences.push(`incident ${record.incidentId} for ${incidentId}`)
    if (differences.length > 0)
      this.#note(
        `${record.monitorId}: ${record.color ?? record.kind} ${record.id} to ${record.endpoint}: ${differences.join(', ')}`,
      )
  }

  #started({ monitorId: named, actionId, at }: StoredEvent): void {
    const monitorId = named ?? service
    const action = this.#openAction(monitorId, actionId!)
    if (action === null || action.state !== 'queued')
      return this.#note(
        `${monitorId}: ${actionId} starts, the model says ${action?.state ?? 'there is no such action'}`,
      )
    this.#checkStart(monitorId, action, at)
    this.#messages.started(action.key, this.model.monitor(monitorId)!)
    this.#expect(monitorId, this.model.started(monitorId, action.key, at))
  }

  #checkStart(
    monitorId: string,
    { key, process, color, endpoint, notBefore }: ModelAction,
    at: number,
  ): void {
    const what = `${monitorId}: ${this.#ids.actionId(key)}, ${color ?? 'a recovery'} to ${endpoint}, starts`
    const isOurs = process === this.#scene.running.number
    if (isOurs && at < notBefore.from - 1) this.#note(`${what} ${notBefore.from - at} ms too early`)
    if (endpoint === null) return
    let inFlight = 0
    for (const { actions } of this.model.monitors())
      inFlight += actions.filter((one) => one.endpoint === endpoint && one.state === 'started').length
    if (inFlight >= ratesOf(endpoint, this.model.plan).maxInFlight)
      this.#note(`${what} beside ${inFlight} others`)
    const destination = this.model.destination(endpoint)
    if (destination.isAiling && inFlight > 0) this.#note(`${what} beside another to an ailing destination`)
    if (at < destination.notBefore - 1)
      this.#note(`${what} ${destination.notBefore - at} ms before the destination is to be tried`)
    if (destination.isDead) this.#note(`${what} although the destination is gone`)
  }

  #ended({ monitorId: named, actionId, at, type }: StoredEvent): void {
    const monitorId = named ?? service
    const action = this.#openAction(monitorId, actionId!)!
    const answer = this.#answers.get(actionId!)
    this.#answers.delete(actionId!)
    const kind = answer?.kind ?? this.#withoutAnswer(action, actionId!, type)
    if (endings[kind] !== type)
      return this.#note(
        `${monitorId}: ${actionId} is ${type} after the answer ${answer?.kind ?? 'that was not heard'}`,
      )
    if (action.kind === 'intervention') {
      const outcome = kind === 'accepted' || kind === 'unknown' ? kind : 'rejected'
      return this.#expect(monitorId, this.model.interventionEnded(monitorId, action.key, outcome, at))
    }
    // How long the destination is left alone after a start that was given up is not said anywhere.
    const outcome = (answer ?? { kind, reason: '', retryAfterMs: givenUpWaitMs }) as ActionOutcome
    // What was given up before it was sent, or is unknown since a restart, says nothing of the destination.
    if (answer !== undefined) {
      this.#expect(monitorId, this.model.answered(action.endpoint!, outcome, at, action.isProbe))
      this.#noticeAiling(action.endpoint!)
    }
    this.#expect(monitorId, this.model.codeEnded(monitorId, action.key, outcome, at))
    if (action.cause === 'digest') this.#expect(monitorId, this.model.digestEnded(action, outcome))
  }

  /** What failed before a restart counts too, as far as the service knows of it: it says so with the third. */
  #noticeAiling(endpoint: string): void {
    const isSaid = this.#shown.some((event) => isLike(event, { type: 'destination_ailing', endpoint }))
    if (isSaid) this.model.mayAil(endpoint)
  }

  /** A digest is not needed when all of it was told before it started. */
  #cancelDigest({ actionId, endpoint }: StoredEvent): void {
    const action = this.#openAction(service, actionId!)
    if (action === null) return
    const isThere = this.model.plan.endpoints.has(endpoint!)
    if (!isThere) return this.#expect(service, this.model.cancelDigest(action, 'configuration_changed'))
    const left = this.model.untoldAt(endpoint!).filter(({ monitor, untold }) => isForDigest(monitor, untold))
    if (left.length > 0)
      this.#note(`a digest to ${endpoint} is cancelled, and ${left.length} incidents are untold`)
    this.#expect(service, this.model.cancelDigest(action, 'superseded'))
  }

  /** One message for all that is untold, a cooldown after the first of it became so. */
  #queueDigest(endpoint: string): void {
    const now = this.#scene.running.parts.time.now()
    const isDue = this.model
      .untoldAt(endpoint)
      .some(({ untold }) => untold.since! + this.#cooldownMs <= now + 1_000)
    if (!isDue) this.#note(`a digest to ${endpoint} is queued, and nothing has been untold for a cooldown`)
    this.#expect(service, this.model.queueDigest(endpoint))
  }

  /** A start that cannot be stored in time is given up before anything was sent. */
  #withoutAnswer(action: ModelAction, actionId: string, type: string): ActionOutcome['kind'] {
    const isGivenUp = type === 'action_failed' && !this.#called.has(actionId)
    if (!isGivenUp) return 'unknown'
    return action.kind === 'code' ? 'retry' : 'rejected'
  }

  #openAction(monitorId: string, actionId: string): ModelAction | null {
    const key = this.#ids.actionKey(actionId)
    return this.model.monitor(monitorId)?.actions.find((one) => one.key === key) ?? null
  }

  #actionIn({ actions }: CommitBatch, id: string | null): Action | undefined {
    return actions.find((one) => one.id === id)
  }

  #change(id: string): void {
    this.#pendingChanges.delete(id)
    this.#expect(id, this.model.fleetChanged(id))
  }

  #expect(id: string, expected: readonly Expected[]): void {
    this.#touched.add(id)
    this.#expected.push(...expected)
  }

  #expectNothingMore(): void {
    const [first] = this.#expected
    if (first === undefined) return
    this.#expected = []
    const monitor = this.model.monitor(first.monitorId)
    const state = monitor === undefined ? 'gone' : inWords(monitor)
    this.#note(`${first.monitorId}: the service does not show ${words(first, this.#ids)} (${state})`)
  }

  #compareStatuses(): void {
    if (!this.#isTakenOver) return
    for (const id of this.#touched) {
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
    this.#touched.clear()
  }

  /** Whether a quiet monitor was up is checkpointed now and then, and not known before the first result. */
  #isForgotten(monitor: ModelMonitor, status: string | null): boolean {
    return status === 'unknown' && monitor.lastCheckMs === null && monitor.episode === null
  }

  #wordsFor(id: string): string {
    const mine = this.#expected.filter((one) => one.monitorId === id)
    const monitor = this.model.monitor(id)
    return `${mine.map((one) => words(one, this.#ids)).join('; ') || 'nothing'} (${monitor === undefined ? 'gone' : inWords(monitor)})`
  }

  #note(text: string): void {
    this.#findings.note(rule, text)
  }
}

const endings: Readonly<Record<ActionOutcome['kind'], string>> = {
  accepted: 'action_succeeded',
  rejected: 'action_failed',
  retry: 'action_failed',
  'not-sent': 'action_failed',
  gone: 'action_failed',
  unknown: 'action_unknown',
}

function isLike(event: StoredEvent, what: Partial<StoredEvent>): boolean {
  return Object.entries(what).every(([name, value]) => event[name as keyof StoredEvent] === value)
}

/** Events of the service itself that the model knows of. */
function isCompared(type: string): boolean {
  return type !== 'own_fault'
}

function isEnd(type: string): boolean {
  return type === 'action_succeeded' || type === 'action_failed' || type === 'action_unknown'
}

function mayBeOurs(end: CheckInFlight['end']): boolean {
  return end.isLocal && (end.status === 'failure' || end.status === 'timeout')
}

function isIn(value: number, { from, to }: Range): boolean {
  return value >= from - 1 && value <= to + 1
}

function words(one: Expected, ids: Identities): string {
  if ('action' in one) {
    const { kind, color, endpoint, cause } = one.action
    const what = `${one.type} ${color ?? kind} (${cause}) to ${endpoint}`
    return one.type === 'action_queued' ? what : `${what} ${ids.actionId(one.action.key)} ${one.outcome}`
  }
  return JSON.stringify(one)
}

function inWords({ plan, actions, ...monitor }: ModelMonitor): string {
  const { unhealthyThreshold, healthyThreshold, enabled, recovery, parents, destinations } = plan
  const codes = actions.map(({ color, endpoint, state }) => `${color ?? 'recovery'} ${endpoint} ${state}`)
  const policy = { unhealthyThreshold, healthyThreshold, enabled, recovery, parents, destinations }
  return JSON.stringify({ ...monitor, arrivals: undefined, codes, policy })
}
