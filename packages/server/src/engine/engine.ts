// engine/engine.ts: the thread that decides. Turns the wheel, applies results, follows changes of the
// fleet, and watches itself: a stall or a jump of the clock is noticed, and canaries tell our own fault from the
// targets'. It never waits for disk, DNS or a slow client. Whatever enters it is one turn: all that the turn decides
// goes to the store as one batch, and nothing of it has an effect outside before that is on disk.

import { ActionFlow, type ActionRunner, trustedForMs } from '../acting/action-flow.ts'
import { Messages } from '../acting/messages.ts'
import { RecoveryAccount } from '../acting/recovery-account.ts'
import { CheckFlow, type CheckRunner } from '../checking/check-flow.ts'
import type { Disturbance } from '../checking/schedule/scheduler.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Decision } from '../deciding/actions/decision.ts'
import { Ledger } from '../deciding/actions/ledger.ts'
import { Consequences } from '../deciding/consequences.ts'
import { DependencyGraph } from '../deciding/dependency-graph.ts'
import { type DecidedStep, HealthKeeper } from '../deciding/health-table.ts'
import { MaintenanceKeeper } from '../deciding/maintenance-keeper.ts'
import { MonitorRules } from '../deciding/monitor-rules.ts'
import { Reminders } from '../deciding/reminders.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import { Checkpoints } from '../persistence/checkpoints.ts'
import { Identities } from '../persistence/identities.ts'
import { Takeover } from '../persistence/restore-from-store.ts'
import type { Clock } from '../platform/clock.ts'
import { type Canary, OwnFaultDetector, type OwnFaultEvent } from '../self-watch/own-fault.ts'
import type { SloReport, SloWindow } from '../slo/slo-window.ts'
import {
  forgetBefore,
  lookAtClock,
  newRetentionClock,
  type RetentionClock,
} from '../store/retention-clock.ts'
import { emptyEvent, type Recovered } from '../store/store.ts'
import { CheckCounts } from '../telemetry/check-counts.ts'
import type { Log } from '../telemetry/log.ts'
import { type SystemMeter, SystemMeters } from '../telemetry/system-meter.ts'
import { FleetFollower } from './apply-fleet-changes.ts'
import { Changes } from './changes.ts'
import { DecisionLog } from './decision-log.ts'
import { EngineFigures } from './engine-figures.ts'
import { ledgerSettings, openSlo, poolBounds, recentActionsMs, sloTargets } from './engine-settings.ts'
import { type Committer, Journal } from './journal.ts'
import { ServiceTime } from './service-time.ts'

/** A store that cannot keep up must not fill the memory with what waits for it. */
const uncommittedAtMost = 50_000

const forgetEveryMs = 60_000

/** An action without an answer by then is unknown to the next run. */
const answersAwaitedMs = 5_000

export interface ControllerOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly clock: Clock
  readonly log: Log
  readonly ids: () => string
  readonly committer: Committer
  /** What another run left; null when nothing is kept. */
  readonly recovered: Recovered | null
}

export class Controller {
  readonly flow: CheckFlow
  readonly actions: ActionFlow
  readonly keeper: HealthKeeper
  readonly identities: Identities
  readonly ledger: Ledger
  readonly journal: Journal
  readonly maintenance: MaintenanceKeeper
  readonly rules: MonitorRules
  readonly dependencies: DependencyGraph
  readonly slo: SloWindow
  readonly figures: EngineFigures
  readonly checkCounts: CheckCounts
  readonly time: ServiceTime
  readonly changes = new Changes()
  readonly ownFault = new OwnFaultDetector()
  readonly #options: ControllerOptions
  readonly #consequences: Consequences
  readonly #checkpoints: Checkpoints
  readonly #follower: FleetFollower
  readonly #recoveries: RecoveryAccount
  readonly #reminders: Reminders
  readonly #decisions: DecisionLog
  readonly #transitions: SystemMeter
  #admitting = false
  #isFinished = false
  #pausedSinceMs: number | null = null
  #forgotMs = 0
  /** A clock that leapt ahead forgets nothing for a day. */
  #retention: RetentionClock

  constructor(options: ControllerOptions) {
    this.#options = options
    this.#retention = options.recovered?.retention ?? newRetentionClock
    const { settings, fleet, clock, log, ids, committer } = options
    const targets = sloTargets(settings)
    const { queueTargetMs } = targets
    const meters = new SystemMeters(clock.monotonicMs())
    this.checkCounts = new CheckCounts(fleet.types)
    this.time = new ServiceTime(clock)
    this.slo = openSlo({ drivers: fleet.types, targets }, options.recovered?.slo ?? null, clock)
    this.dependencies = new DependencyGraph(fleet)
    this.#reminders = new Reminders(this.dependencies)
    this.identities = new Identities(fleet)
    this.rules = new MonitorRules(fleet)
    this.ledger = new Ledger({ settings: ledgerSettings(settings), destinations: [], newId: ids })
    this.#decisions = new DecisionLog(log)
    this.#transitions = meters.add('transitions')
    this.#recoveries = new RecoveryAccount(this.slo, this.time)
    const { slo, identities, time, rules, dependencies, ledger, ownFault } = this
    this.keeper = new HealthKeeper({
      fleet,
      time,
      rules,
      dependencies,
      ownFault,
      ids,
      decided: (step) => this.#decided(step),
    })
    const { keeper } = this
    this.flow = new CheckFlow({
      fleet,
      clock,
      keeper,
      slo,
      meters,
      queueTargetMs,
      counts: this.checkCounts,
      poolBounds: poolBounds(),
      disturbed: (disturbance) => this.#disturbed(disturbance),
      checked: (row) => this.#reminders.checked(row),
    })
    const actionMeter = meters.add('actions')
    this.journal = new Journal(committer, clock, meters.add('commit'))
    const { journal } = this
    this.#consequences = new Consequences({
      fleet,
      ledger,
      journal,
      identities,
      recoveries: this.#recoveries,
      report: (row, report) =>
        keeper.apply(
          row,
          report.kind === 'action-ended' ? { ...report, context: keeper.contextOf(row) } : report,
        ),
      observed: (decision: Decision) => {
        this.actions.observe(decision)
        this.#decisions.noteActions(decision)
      },
    })
    this.actions = new ActionFlow({
      fleet,
      clock,
      time,
      keeper,
      dependencies,
      ledger,
      journal,
      consequences: this.#consequences,
      messages: new Messages({
        fleet,
        keeper,
        identities,
        ledger,
        publicUrl: settings.public_url,
        rowOf: (monitorId) => this.#consequences.rowOf(monitorId),
      }),
      meter: actionMeter,
      turn: () => this.flow.turn(),
    })
    this.maintenance = new MaintenanceKeeper(fleet, keeper)
    this.#checkpoints = new Checkpoints({ fleet, identities, journal, slo, clock })
    this.#follower = new FleetFollower({
      fleet,
      keeper,
      identities,
      rules,
      dependencies,
      ledger,
      journal,
      time,
      consequences: this.#consequences,
      reminders: this.#reminders,
      ledgerSettings: ledgerSettings(settings),
    })
    this.figures = new EngineFigures({
      fleet,
      clock,
      time,
      ledger,
      meters,
      flow: this.flow,
      pipelines: this.actions.pipelines,
    })
  }

  get lastActions() {
    return this.#consequences.lastActions
  }

  /** The fleet is loaded, the store taken over and the schedule armed. */
  get admitting(): boolean {
    return this.#admitting
  }

  /** Writing fails, so nothing is started. */
  get isPaused(): boolean {
    return this.#pausedSinceMs !== null
  }

  get checksPerSecond(): number {
    return this.flow.scheduler.checksPerSecond
  }

  attach(checks: CheckRunner, actions: ActionRunner): void {
    this.flow.attach(checks)
    this.actions.attach(actions)
  }

  /** Brings the first fleet into force over what another run left. Nothing is checked before that is on disk. */
  async begin(loaded: LoadedArrangement): Promise<void> {
    const { fleet, recovered, settings } = this.#options
    this.#follower.begin(loaded)
    if (recovered === null) this.#follower.admitAll(loaded.arrangement)
    else {
      const recentMs = recentActionsMs(settings)
      const { time, identities, keeper, ledger, journal } = this
      const consequences = this.#consequences
      await new Takeover({
        fleet,
        time,
        identities,
        keeper,
        ledger,
        journal,
        consequences,
        recentMs,
      }).run(recovered)
    }
    this.maintenance.fleetChanged(this.#options.clock.wallMs())
    if (!(await this.#checkpoints.writeIdentities())) return
    this.flow.applyArrangement(loaded.arrangement, loaded.credentials)
    this.#admitting = true
  }

  /** Brings a changed fleet into force: unchanged monitors keep state and phase. */
  take(loaded: LoadedArrangement): void {
    this.#follower.follow(loaded)
    this.maintenance.fleetChanged(this.#options.clock.wallMs())
    this.flow.applyArrangement(loaded.arrangement, loaded.credentials)
    void this.journal.flush()
  }

  /** Every few milliseconds. */
  tick(): void {
    if (!this.isPaused) {
      this.flow.tick(this.journal.uncommitted < uncommittedAtMost)
      this.maintenance.advance(this.#options.clock.wallMs())
      this.actions.advance()
      this.#checkpoints.advance()
    } else this.flow.tick(false)
    void this.journal.flush()
  }

  takeResults(batch: Parameters<CheckFlow['takeResults']>[0]): void {
    this.flow.takeResults(batch)
    for (const row of this.#reminders.takeChildrenOfChecked()) this.#remind('parent', row)
    this.actions.advance()
    void this.journal.flush()
  }

  takeLost(rows: Uint32Array, words: string): void {
    this.flow.takeLost(rows, words)
    void this.journal.flush()
  }

  /** Every quarter of a second. */
  adapt(): void {
    const { clock } = this.#options
    this.flow.adaptPool()
    for (const pipeline of Object.values(this.actions.pipelines))
      pipeline.adapt(clock.monotonicMs(), clock.wallMs())
  }

  /** Every second. */
  keepHistory(): void {
    this.figures.keepHistory()
    this.#decisions.summarise()
    const event = this.ownFault.review(this.time.now())
    if (event !== null) this.#reportOwnFault(event)
    this.#reminders.askDue(this.time.now(), (topic, row) => this.#remind(topic, row))
    this.#recoveries.noteHeld(this.ledger.view, this.time.now())
    this.#forget()
    void this.journal.flush()
  }

  /** Writing fails: nothing is started until it works again, and nobody is judged for what is missed meanwhile. */
  pause(): void {
    if (this.#pausedSinceMs !== null) return
    this.#pausedSinceMs = this.#options.clock.monotonicMs()
    this.slo.beginGap(this.#pausedSinceMs)
    this.flow.setAdmission(false)
    this.actions.setAdmission(false)
  }

  resume(): void {
    if (this.#pausedSinceMs === null || this.#isFinished) return
    const nowMs = this.#options.clock.monotonicMs()
    if (nowMs - this.#pausedSinceMs > trustedForMs) this.ledger.gapEnded(this.time.at(nowMs))
    this.#pausedSinceMs = null
    this.slo.endGap(nowMs)
    this.flow.setAdmission(true)
    this.actions.setAdmission(true)
  }

  /** The last turn: nothing more is started, answers that are near are awaited, and what is known is written down. */
  async finish(): Promise<void> {
    this.#isFinished = true
    this.pause()
    void this.journal.flush()
    await this.actions.drain(answersAwaitedMs)
    if (this.#admitting) this.#checkpoints.writeAll()
    await this.journal.flush()
  }

  sloReport(): SloReport {
    const { clock } = this.#options
    return this.slo.report(clock.monotonicMs(), clock.wallMs())
  }

  readCanary(canary: Canary, passes: boolean): void {
    this.ownFault.readCanary(canary, passes, this.time.now())
  }

  #decided({ row, before, step, kept, rules, now }: DecidedStep): void {
    const { fleet, clock } = this.#options
    this.#transitions.begin(clock.monotonicMs())
    this.#reminders.note(row, step.state, rules)
    this.#consequences.ofStep(row, before, step, kept, now)
    this.#transitions.end(clock.monotonicMs(), 1)
    if (this.changes.isWatched) this.journal.afterCommit(() => this.changes.note(row, step.events))
    if (step.events.length === 0) return
    this.#decisions.note(fleet.idOf(row), this.keeper.wordsOf(row)?.lastError ?? null, step.events)
  }

  #remind(topic: 'parent' | 'repeat', row: number): void {
    const context = this.keeper.contextOf(row)
    if (topic === 'parent') this.keeper.apply(row, { kind: 'ancestor-checked', context })
    else this.keeper.apply(row, { kind: 'repeat-due', attended: false, context })
  }

  /** What history goes back no further for is not kept in memory either; looked at once a minute. */
  #forget(): void {
    const nowMs = this.#options.clock.monotonicMs()
    if (nowMs - this.#forgotMs < forgetEveryMs) return
    this.#forgotMs = nowMs
    const now = this.time.now()
    this.#consequences.ofDecision(this.ledger.expire(now))
    this.#retention = lookAtClock(this.#retention, now)
    const before = forgetBefore(this.#retention, now)
    if (before === null) return
    this.ledger.forgetBefore(before)
    this.identities.forgetDeparted(now)
  }

  #reportOwnFault({ phase, words }: OwnFaultEvent): void {
    this.#options.log.warn({ phase }, words)
    const detail = { phase, words }
    this.journal.addEvent({ ...emptyEvent, at: this.time.now(), type: 'own_fault', detail })
  }

  #disturbed({ kind, ms, sinceMs }: Disturbance): void {
    if (kind === 'wall_jump') this.#clockJumped(ms, sinceMs)
    else this.#stalled(ms)
    if (ms > trustedForMs) this.ledger.gapEnded(this.time.now())
  }

  /** The clock was set, or the machine was suspended: nobody can tell which, so checks that were in flight say nothing. */
  #clockJumped(ms: number, sinceMs: number): void {
    const { fleet, log } = this.#options
    const { time, ledger, keeper, journal, identities, ownFault } = this
    const stepMs = time.anchorAgain()
    fleet.moveTimes(stepMs)
    keeper.move(stepMs, (row, state) => journal.keepState(identities.numberOf(row), state))
    this.#consequences.ofDecision(ledger.move(stepMs))
    this.#recoveries.move(stepMs)
    this.#reminders.move(stepMs)
    ownFault.move(stepMs)
    ownFault.jumped(ms, time.at(sinceMs), time.now())
    log.warn(
      { ms },
      'the wall clock jumped; the schedule goes on by monotonic time, and checks that were in flight do not count against their targets',
    )
  }

  #stalled(ms: number): void {
    this.ownFault.lagged(ms, this.time.now())
    this.#options.log.warn(
      { ms: Math.round(ms) },
      'the controller stalled; checks that were caught in it do not count against their targets',
    )
  }
}
