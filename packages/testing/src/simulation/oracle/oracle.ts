// simulation/oracle/oracle.ts: watches everything that leaves or enters the service and checks it by rules that are
// independent of how the service works. It never interferes: a simulation without it would take the same course.
import type { StartedAction } from '@pulseward/server/internal/acting/action-source.ts'
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { isInTrouble } from '@pulseward/server/internal/deciding/health/ancestors.ts'
import type { Job } from '@pulseward/server/internal/external-workers/job.ts'
import type { Written } from '@pulseward/server/internal/managing/resource-desk.ts'
import type { AnyResource } from '@pulseward/server/internal/managing/resource-lists.ts'
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Intervention } from '@pulseward/server/internal/recovery/driver.ts'
import type { StoredResource } from '@pulseward/server/internal/store/resource.ts'
import type { CommitBatch, Recovered } from '@pulseward/server/internal/store/store.ts'
import type { FakeClock } from '../../engine/fake-clock.ts'
import type { CallWitness } from '../../engine/fake-providers.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import { Random } from '../../random.ts'
import type { ControlRequest } from '../controls/control-requests.ts'
import type { FleetPlan } from '../fleet-plan.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import type { OperationRequest } from '../operations/operation-requests.ts'
import type { DiskWitness } from '../simulated-disk.ts'
import type { Tally } from '../tally.ts'
import type { WriteRequest } from '../writes/requests.ts'
import type { Kind } from '../writes/wanted.ts'
import { ActionRules } from './action-rules.ts'
import { CheckRules } from './check-rules.ts'
import { ControlRules } from './control-rules.ts'
import { EndRules } from './end-rules.ts'
import { ExplanationRules, type ExplanationRulesOptions } from './explanation-rules.ts'
import { ExternalChecks, targetOf } from './external-checks.ts'
import { Findings } from './findings.ts'
import { FleetRules } from './fleet-rules.ts'
import { IncidentRules } from './incident-rules.ts'
import { type Listing, ListRules } from './list-rules.ts'
import { LogRules } from './log-rules.ts'
import { MaintenanceModel } from './maintenance-model.ts'
import { ModelRules } from './model-rules.ts'
import { NextRules } from './next-rules.ts'
import { OperationRules } from './operation-rules.ts'
import { PageRules, type ReadPage } from './page-rules.ts'
import { PushRules } from './push-rules.ts'
import { ReplayRules } from './replay-rules.ts'
import { ResourceModel } from './resource-model.ts'
import { type JudgedProcess, Scene } from './scene.ts'
import { type StartLimits, StartRules } from './start-rules.ts'
import { StatusRules } from './status-rules.ts'
import { StoryRules, type StoryRulesOptions } from './story-rules.ts'
import { WorkerRules } from './worker-rules.ts'
import { WriteRules } from './write-rules.ts'

const trustedForMs = 30_000
export interface OracleOptions {
  readonly clock: FakeClock
  readonly plan: FleetPlan
  readonly limits: StartLimits
  readonly random: Random
  readonly readPage: ReadPage
  readonly stories: Pick<StoryRulesOptions, 'store' | 'change'>
  readonly explanations: Pick<ExplanationRulesOptions, 'store' | 'change'>
  readonly tally: Tally
  readonly seed: number
  /** Principals whose tokens are revoked. */
  readonly revoked: ReadonlySet<string>
}

export class Oracle implements DiskWitness, CallWitness {
  readonly findings: Findings
  /** What was written through v2. */
  readonly resources: ResourceModel
  /** The rules between the service and external workers. */
  readonly workers: WorkerRules
  /** The rules of jobs that report by themselves. */
  readonly pushes: PushRules
  readonly #scene: Scene
  readonly #maintenance: MaintenanceModel
  readonly #actions: ActionRules
  readonly #starts: StartRules
  readonly #incidents: IncidentRules
  readonly #checks: CheckRules
  readonly #statuses: StatusRules
  readonly #replay: ReplayRules
  readonly #log: LogRules
  readonly #pages: PageRules
  readonly #stories: StoryRules
  readonly #explanations: ExplanationRules
  readonly #next: NextRules
  readonly #end: EndRules
  readonly #model: ModelRules
  readonly #controls: ControlRules
  readonly #operations: OperationRules
  readonly #writes: WriteRules
  readonly #lists: ListRules
  readonly #fleet: FleetRules
  #isTakenOver = false
  #pausedAtMs: number | null = null
  #hasNews = false
  #troubled: ReadonlySet<string> = new Set()
  readonly #external: ExternalChecks

  constructor(options: OracleOptions) {
    const { clock, plan, limits, random, readPage, tally, seed, revoked } = options
    const findings = new Findings(() => clock.trueMs)
    const scene = new Scene(clock, plan)
    this.findings = findings
    this.#scene = scene
    this.#maintenance = new MaintenanceModel(scene)
    this.#actions = new ActionRules(scene, findings)
    this.#starts = new StartRules(scene, findings, this.#maintenance, this.#actions, limits)
    this.#incidents = new IncidentRules(scene, findings, this.#actions)
    this.#checks = new CheckRules(scene, findings)
    this.#statuses = new StatusRules(scene, findings, this.#maintenance)
    this.#replay = new ReplayRules(scene, findings, this.#actions, this.#incidents)
    this.#log = new LogRules(scene, findings)
    this.#pages = new PageRules(findings, this.#log, random, readPage)
    this.#stories = new StoryRules({
      ...{ findings, log: this.#log, tally, random: new Random(~seed - 1) },
      ...options.stories,
    })
    this.#explanations = new ExplanationRules({
      ...{ findings, log: this.#log, tally, random: new Random(~seed - 2) },
      ...options.explanations,
    })
    this.#next = new NextRules({
      ...{ scene, findings, tally, random: new Random(~seed - 3) },
      ...options.explanations,
    })
    this.#model = new ModelRules({
      ...{ scene, findings, cooldownMs: limits.cooldownMs, tally },
      isOfWorker: (actionId) => this.workers.isOfWorker(actionId),
      silenced: (id, isSnoozed) => {
        this.#checks.silenced(id, isSnoozed)
        this.#statuses.silenced(id)
        this.pushes.silenced(id)
        this.workers.silenced(id)
      },
    })
    const { model, ids } = this.#model
    this.pushes = new PushRules({ scene, findings, tally, model })
    this.workers = new WorkerRules({
      ...{ scene, findings, tally, revoked },
      actionEnded: (actionId, outcome) => this.answered(actionId, outcome),
      actionDropped: (actionId) => this.#actions.answered(actionId),
      checkEnded: (ended) => this.#external.ended(ended),
      checkMissed: (job) => this.#external.missed(job),
      granted: (actionId) => this.#model.called(actionId),
    })
    this.#external = new ExternalChecks({
      ...{ scene, checks: this.#checks, statuses: this.#statuses, starts: this.#starts },
      ...{ actions: this.#actions, model: this.#model, workers: this.workers },
    })
    const wasGranted = (actionId: string) => this.workers.wasGranted(actionId)
    this.#controls = new ControlRules({ scene, findings, tally, model, ids, wasGranted })
    scene.isSnoozed = (id) => (model.monitor(id)?.snooze ?? null) !== null
    this.#end = new EndRules(scene, findings, this.#actions, this.#incidents)
    this.resources = new ResourceModel(plan)
    const { resources } = this
    this.#operations = new OperationRules({ findings, tally, resources, controls: this.#controls })
    this.#writes = new WriteRules(resources, findings, tally, (batch, kind, id) =>
      this.#operations.requestFor(batch, kind, id),
    )
    // A separate random stream, so that seeds without writes keep their course.
    this.#lists = new ListRules(this.resources, findings, new Random(~seed), tally)
    this.#fleet = new FleetRules(scene, findings, tally)
  }

  /** A process was started and has read what the previous one left. */
  processStarted(process: JudgedProcess, position: number): void {
    this.#scene.process = process
    this.#isTakenOver = false
    this.#pausedAtMs = null
    this.#log.recovered(position)
    this.#next.somethingHappened()
    this.#actions.processStarted()
    this.#starts.processStarted()
    this.#checks.processStarted()
    this.#statuses.processStarted()
    this.#maintenance.restart()
    this.#model.processStarted()
    this.workers.processStarted()
    this.pushes.processStarted()
    this.#external.processStarted()
  }

  /** The process has its fleet and starts to check. */
  takenOver(): void {
    this.#isTakenOver = true
    this.#scene.fleetTaken()
    this.#actions.takenOver((id) => this.workers.isGranted(id))
    this.#external.resume()
    this.#checks.armed()
    this.#model.takenOver()
    this.pushes.resume()
    this.#fleet.compare(this.#scene.plan, this.resources.applied)
    this.#hasNews = true
  }

  /** It stopped as its owner asked. */
  stopped(): void {
    this.#actions.stopped((id) => this.workers.isGranted(id) || this.workers.isOffered(id))
  }

  processEnded(): void {
    this.#scene.process = null
    this.#next.somethingHappened()
    this.#model.processEnded()
    this.#writes.processEnded()
    this.#controls.processEnded()
    this.#operations.processEnded()
    this.workers.processEnded()
  }

  /** What the next process starts with. */
  storeRead(recovered: Recovered, monitors: readonly StoredResource[]): void {
    this.#writes.recovered(recovered, monitors)
    this.pushes.storeRead(recovered)
  }

  /** A changed fleet, by files or by resources; a running process takes it now. */
  planned(plan: FleetPlan, take: () => void): void {
    const before = this.#scene.plan.monitors
    this.#scene.plan = plan
    this.#log.reloaded()
    this.#next.somethingHappened()
    if (!this.#isTakenOver || this.#scene.process === null) return take()
    this.#model.planned(plan)
    this.#scene.fleetChanging()
    take()
    // The process may have crashed while taking it.
    if (this.#scene.process === null) return
    this.#scene.fleetTaken()
    this.#model.endTurn()
    this.workers.fleetChanged()
    this.workers.sweep()
    this.#checks.reloaded(before)
    this.pushes.reloaded(before)
    this.#statuses.reloaded(before)
    this.#maintenance.restart()
    this.#fleet.compare(plan, this.resources.applied)
    this.#writes.filesChanged()
    this.#hasNews = true
  }

  handedOver(batch: CommitBatch): void {
    this.workers.handedOver(batch)
    this.#operations.handedOver(batch)
    this.#writes.handedOver(batch)
    this.#starts.handedOver(batch)
    this.#incidents.handedOver(batch)
    this.#controls.handedOver(batch)
    this.pushes.handedOver(batch)
    this.#model.handedOver(batch)
    this.#next.handedOver(batch)
    this.#controls.decided()
  }

  written(batch: CommitBatch): void {
    this.#model.written(batch)
    this.pushes.written(batch)
    this.#starts.written(batch)
    this.#actions.written(batch)
    this.#incidents.written(batch)
    this.#replay.written(batch)
    this.#log.written(batch)
    this.#writes.written(batch)
    this.#controls.written(batch)
    this.#operations.written(batch)
    this.workers.written(batch)
  }

  withdrawn(batch: CommitBatch): void {
    this.#model.withdrawn(batch)
    this.#writes.withdrawn(batch)
    this.#operations.withdrawn(batch)
    this.workers.withdrawn(batch)
  }

  requested(request: WriteRequest): void {
    this.#writes.requested(request)
  }

  writeAnswered(request: WriteRequest, written: Written): void {
    this.#writes.answered(request, written)
  }

  writeRefused(request: WriteRequest, error: unknown, mayBeUnavailable: boolean): void {
    this.#writes.refused(request, error, mayBeUnavailable)
    if (error instanceof Error) this.#log.discreet('a refusal', error.message)
  }

  resourceRead(kind: Kind, id: string, found: AnyResource | null): void {
    this.#writes.read(kind, id, found)
    this.#log.discreet('a resource', found)
  }

  /** For people who send controls. */
  get known(): { readonly model: ReferenceModel; readonly incidents: ReadonlyMap<string, string> } {
    return { model: this.#model.model, incidents: this.#incidents.openIncidents() }
  }

  actionOnDisk(key: number): Action | undefined {
    const id = this.#model.ids.actionId(key)
    return id === null ? undefined : this.#actions.actionOf(id)
  }

  /** The revision as people see it. */
  reviewRevisionOf(actionId: string): number {
    return this.#actions.actionOf(actionId)?.review?.revision ?? 1
  }

  operationCalled(request: OperationRequest, call: string): void {
    this.#operations.called(request, call)
  }

  operationAnswered(request: OperationRequest, call: string): void {
    this.#operations.answered(request, call)
  }

  operationRefused(request: OperationRequest, call: string, error: unknown, mayBeUnavailable: boolean): void {
    this.#operations.refused(request, call, error, mayBeUnavailable)
    if (error instanceof Error) this.#log.discreet('a refusal', error.message)
  }

  controlRequested(request: ControlRequest): void {
    this.#controls.requested(request)
  }

  controlAnswered(request: ControlRequest): void {
    this.#controls.answered(request)
  }

  controlRefused(request: ControlRequest, error: unknown, mayBeUnavailable: boolean): void {
    this.#controls.refused(request, error, mayBeUnavailable)
    if (error instanceof Error) this.#log.discreet('a refusal', error.message)
  }

  acknowledged(position: number): void {
    this.#log.acknowledged(position)
    this.#hasNews = true
  }

  notified(endpoint: string, notification: Notification): void {
    const { actionId, digest, page } = notification
    const isOfMonitor = digest === null && page === undefined
    const of = isOfMonitor ? notification : { monitorId: null, color: null }
    this.#actions.called(actionId, { endpoint, monitorId: of.monitorId, color: of.color, kind: 'code' })
    this.#incidents.called(this.#actions.actionOf(actionId))
    this.#model.notified(endpoint, notification)
    this.#log.discreet('a notification', notification)
  }

  recovered(target: string, intervention: Intervention): void {
    const { actionId, monitorId } = intervention
    this.#actions.called(actionId, { monitorId, kind: 'intervention' })
    this.#actions.recoveryCalled(actionId, target)
    this.#incidents.called(this.#actions.actionOf(actionId))
    this.#model.called(actionId)
    this.#log.discreet('an intervention', intervention)
  }

  answered(actionId: string, answer: ActionOutcome): void {
    this.#model.answered(actionId, answer)
    this.#actions.answered(actionId)
  }

  logged(line: unknown): void {
    this.#log.discreet('the log', line)
  }

  checkStarted(check: CheckInFlight): void {
    this.#next.checkStarted(check)
    // An action that was for workers, before its monitor was changed, is over by now.
    this.workers.sweep()
    this.#external.endOverdue(check.row)
    this.#controls.checkStarted(check)
    this.#checks.started(check)
    this.#statuses.started(check)
    this.#model.checkStarted(check)
  }

  /** A check or an action waits for a worker. */
  jobCame(job: Job): void {
    this.#external.came(job, (check) => this.checkStarted(check))
    this.workers.jobCame(job)
  }

  /** An action is about to wait for a worker: its content is final. */
  actionOffered(started: StartedAction): void {
    const { id, endpoint, monitorId, color } = started.action
    this.#actions.called(id, { endpoint, monitorId, color })
    this.#incidents.called(this.#actions.actionOf(id))
    if (started.kind === 'recovery') this.#actions.recoveryCalled(id, targetOf(started.driver.config))
    else this.#model.compareMessage(started.endpoint, started.about)
    this.#log.discreet('a job', started.about)
  }

  /** The monitor of a job is about to get this result. */
  jobReported(check: CheckInFlight): void {
    const { monitorId, end } = check
    this.pushes.passedOn(monitorId, end.status)
    this.#model.reported(check)
    if (end.status === 'failure') this.#starts.failed(monitorId, this.#scene.clock.trueMs)
  }

  /** The service is about to get these results. */
  checksEnding(checks: readonly CheckInFlight[]): void {
    this.#model.checksEnding(checks)
    for (const { row, monitorId, finishedMs, end } of checks) {
      this.#checks.ended(row)
      if (end.status === 'failure' || end.status === 'timeout')
        this.#starts.failed(monitorId, this.#scene.clock.trueMsOf(finishedMs))
    }
  }

  /** The service has got these results. */
  checksEnded(checks: readonly CheckInFlight[]): void {
    this.#statuses.taken(checks)
    this.#next.checksEnded(checks)
    this.#model.endTurn()
  }

  /** These checks will have no result. */
  checksLost(checks: readonly CheckInFlight[]): void {
    for (const { row } of checks) this.#checks.ended(row)
    const finishedMs = this.#scene.clock.monotonicMs()
    this.#model.checksEnding(
      checks.map((check) => ({ ...check, finishedMs, end: { ...check.end, status: 'no_data' } })),
    )
  }

  ticking(): void {
    this.#model.ticking()
    this.#checks.ticking()
    if (this.#pausedAtMs === null) this.#maintenance.look()
  }

  ticked(): void {
    this.#model.ticked()
    this.pushes.ticked()
    this.workers.ticked()
  }

  canaryRead(name: string, passes: boolean): void {
    this.#model.canaryRead(name, passes)
  }

  /** Since then the controller did not run, or did not know how late it was. */
  lagged(fromMs: number): void {
    this.#next.somethingHappened()
    this.#model.lagged(fromMs)
    this.#checks.lagged(fromMs)
  }

  paused(): void {
    this.#next.somethingHappened()
    this.#pausedAtMs ??= this.#scene.clock.trueMs
    this.#checks.paused()
    this.#model.setPaused(true)
    this.pushes.setPaused(true)
  }

  resumed(): void {
    if (this.#pausedAtMs !== null) this.#noteGap(this.#scene.clock.trueMs - this.#pausedAtMs)
    this.#pausedAtMs = null
    this.#checks.resumed()
    this.#model.setPaused(false)
    this.pushes.setPaused(false)
  }

  /** The process was suspended for this long. */
  slept(ms: number): void {
    this.#noteGap(ms)
  }

  /** The process cannot tell a clock that was set ahead from a suspended machine, and may wait for new evidence. */
  clockSet(ms: number): void {
    this.#noteGap(0)
    if (ms > trustedForMs) this.#model.evidenceIsOld()
  }

  /** A turn that began outside of a step has ended. */
  turnEnded(): void {
    if (this.#scene.process !== null && this.#isTakenOver) this.#model.endTurn()
  }

  stepEnded(isAllOnDisk: boolean): void {
    if (this.#scene.process === null) return
    if (!this.#isTakenOver) return this.#statuses.look()
    this.#model.endTurn()
    this.#external.take()
    const troubled = this.#findTroubled()
    this.#starts.stepEnded(troubled)
    this.#incidents.stepEnded(troubled)
    this.#next.look()
    if (!this.#hasNews || !isAllOnDisk) return
    this.#hasNews = false
    this.#log.look()
    this.#statuses.look()
    this.#replay.compare()
  }

  async readOn(): Promise<void> {
    if (this.#isTakenOver && this.#pausedAtMs === null) await this.#next.ask()
    await this.#pages.turn()
  }

  /** All incidents of the log, open and closed. */
  get incidentsOnDisk(): readonly { readonly id: string; readonly monitorId: string }[] {
    return this.#log.incidents
  }

  /** Reads a page of resources from the running process. */
  listOn(listing: Listing): Promise<void> {
    return this.#lists.turn(listing)
  }

  /** Called long after everything has recovered. */
  async ended(): Promise<void> {
    await this.#stories.judge()
    await this.#explanations.judge(this.#scene.clock.trueMs)
    this.#next.judge()
    this.#end.judge()
    this.#writes.ended()
    this.#controls.ended()
    this.#operations.ended()
    this.workers.ended()
  }

  #noteGap(ms: number): void {
    this.#next.somethingHappened()
    this.#maintenance.restart()
    if (ms <= trustedForMs) return
    this.#starts.evidenceIsOld()
    this.#model.evidenceIsOld()
  }

  /** Returns the same set while nothing in it changes, as at nearly every step. */
  #findTroubled(): ReadonlySet<string> {
    let found = 0
    let isAsBefore = true
    for (const [id, row] of this.#scene.rows()) {
      if (!isInTrouble(this.#scene.statusAt(row))) continue
      found++
      isAsBefore &&= this.#troubled.has(id)
    }
    if (!isAsBefore || found !== this.#troubled.size) {
      const rows = [...this.#scene.rows()].filter(([, row]) => isInTrouble(this.#scene.statusAt(row)))
      this.#troubled = new Set(rows.map(([id]) => id))
    }
    return this.#troubled
  }
}
