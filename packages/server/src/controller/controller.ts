// controller/controller.ts: the thread that decides. Turns the wheel, applies results, follows changes of the
// fleet, and watches itself: a stall or a jump of the clock is noticed, and canaries tell our own fault from the
// targets'. It never waits for disk, DNS or a slow client.
import type { Settings } from '../config/settings/setting-table.ts'
import { type Arrangement, changedParts } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import { type Canary, OwnFaultDetector } from '../health/own-fault.ts'
import type { Clock } from '../platform/clock.ts'
import { descriptorLimit } from '../platform/descriptor-limit.ts'
import { parseDuration } from '../platform/duration.ts'
import { DEFAULT_BOUNDS, type PoolBounds } from '../pool/sizing.ts'
import { POOL_HISTORY_FIELDS } from '../pool/worker-pool.ts'
import { QUEUE_HISTORY_FIELDS } from '../queue/queue-observer.ts'
import type { Disturbance } from '../schedule/scheduler.ts'
import { type SloReport, SloWindow } from '../slo/slo-window.ts'
import type { Log } from '../telemetry/log.ts'
import type { LoopLagMeter } from '../telemetry/loop-lag.ts'
import { SampleHistory } from '../telemetry/sample-history.ts'
import { SystemMeters } from '../telemetry/system-meter.ts'
import { CheckFlow, type CheckRunner } from './check-flow.ts'
import { DecisionLog } from './decision-log.ts'
import { DependencyGraph } from './dependency-graph.ts'
import type { EngineFigures } from './engine-figures.ts'
import { HealthKeeper } from './health-keeper.ts'
import { ServiceTime } from './service-time.ts'

/** Descriptors that are not for checks: listener, clients, logs, threads. */
const reservedDescriptors = 512

export interface ControllerOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly clock: Clock
  readonly log: Log
  readonly ids: () => string
}

export class Controller {
  readonly flow: CheckFlow
  readonly keeper: HealthKeeper
  readonly slo: SloWindow
  readonly meters: SystemMeters
  readonly ownFault = new OwnFaultDetector()
  readonly queueHistory = new SampleHistory(QUEUE_HISTORY_FIELDS)
  readonly poolHistory = new SampleHistory(POOL_HISTORY_FIELDS)
  readonly time: ServiceTime
  readonly #options: ControllerOptions
  readonly #dependencies: DependencyGraph
  readonly #decisions: DecisionLog
  #admitting = false

  constructor(options: ControllerOptions) {
    this.#options = options
    const { settings, fleet, clock, log } = options
    const queueTargetMs = parseDuration(settings['slo.queue_target'])!
    const resultTargetMs = parseDuration(settings['slo.result_target'])!
    this.time = new ServiceTime(clock)
    this.meters = new SystemMeters(clock.monotonicMs())
    this.slo = new SloWindow(
      { drivers: fleet.types, targets: { queueTargetMs, resultTargetMs } },
      clock.monotonicMs(),
    )
    this.#dependencies = new DependencyGraph(fleet)
    this.#decisions = new DecisionLog(log)
    const transitions = this.meters.add('transitions')
    this.keeper = new HealthKeeper({
      fleet,
      clock,
      time: this.time,
      dependencies: this.#dependencies,
      ownFault: this.ownFault,
      ids: options.ids,
      decided: (slot, { events }) => {
        transitions.begin(clock.monotonicMs())
        if (events.length > 0) {
          const reason = this.keeper.wordsOf(slot)?.lastError ?? null
          this.#decisions.note(fleet.idOf(slot), reason, events)
        }
        transitions.end(clock.monotonicMs(), 1)
      },
    })
    this.flow = new CheckFlow({
      fleet,
      clock,
      keeper: this.keeper,
      slo: this.slo,
      meters: this.meters,
      poolBounds: poolBounds(),
      queueTargetMs,
      disturbed: (disturbance) => this.#disturbed(disturbance),
    })
  }

  /** The fleet is loaded and its schedule armed. */
  get admitting(): boolean {
    return this.#admitting
  }

  get checksPerSecond(): number {
    return this.flow.scheduler.checksPerSecond
  }

  attach(runner: CheckRunner): void {
    this.flow.attach(runner)
  }

  /** Brings a loaded fleet into force: unchanged monitors keep state and phase. */
  take({ arrangement, credentials }: LoadedArrangement): void {
    const { fleet } = this.#options
    for (const slot of arrangement.removed) this.keeper.forget(slot)
    fleet.apply(arrangement)
    this.keeper.forgetRules()
    this.#dependencies.rebuild()
    this.#applyChanges(arrangement)
    this.flow.applyArrangement(arrangement, credentials)
    this.#admitting = true
  }

  /** Every few milliseconds. */
  tick(): void {
    this.flow.tick()
  }

  /** Every quarter of a second. */
  adapt(): void {
    this.flow.adaptPool()
  }

  /** Every second. */
  keepHistory(): void {
    const { clock, log } = this.#options
    const nowMs = clock.monotonicMs()
    const wallMs = clock.wallMs()
    this.queueHistory.record(wallMs, this.flow.queue.observe(nowMs, wallMs))
    this.poolHistory.record(wallMs, this.flow.pool.observe(this.flow.queue.depth, nowMs, wallMs))
    this.#decisions.summarise()
    const event = this.ownFault.review(this.time.at(nowMs))
    if (event !== null) log.warn({ phase: event.phase }, event.words)
  }

  sloReport(): SloReport {
    const { clock } = this.#options
    return this.slo.report(clock.monotonicMs(), clock.wallMs())
  }

  readCanary(canary: Canary, passes: boolean): void {
    this.ownFault.readCanary(canary, passes, this.time.at(this.#options.clock.monotonicMs()))
  }

  /** Everything that the engine shows of itself. */
  figures(loopLag: LoopLagMeter): EngineFigures {
    const { clock } = this.#options
    const nowMs = clock.monotonicMs()
    const wallMs = clock.wallMs()
    const { queue, pool } = this.flow
    return {
      queues: { pulse: queue.observe(nowMs, wallMs) },
      pools: { pulse: pool.observe(queue.depth, nowMs, wallMs) },
      systems: this.meters.observe(nowMs, wallMs),
      loopLagP99Ms: loopLag.observe(nowMs)?.p99Ms ?? null,
      queueHistory: { pulse: this.queueHistory.samples() },
      poolHistory: { pulse: this.poolHistory.samples() },
    }
  }

  #applyChanges({ added, changed, changedBits }: Arrangement): void {
    const { fleet } = this.#options
    for (const slot of added) if (!fleet.policyOf(slot).enabled) this.keeper.apply(slot, { kind: 'disabled' })
    for (const [index, slot] of changed.entries()) {
      const parts = changedBits[index]!
      if ((parts & (changedParts.check | changedParts.policy | changedParts.recovery)) === 0) continue
      const { enabled } = fleet.policyOf(slot)
      const wasEnabled = this.keeper.healthOf(slot).lifecycle === 'enabled'
      const check = (parts & changedParts.check) !== 0
      const recovery = (parts & changedParts.recovery) !== 0
      if (check || recovery) this.keeper.configurationChanged(slot, { check, recovery })
      if (enabled !== wasEnabled) this.keeper.apply(slot, { kind: enabled ? 'enabled' : 'disabled' })
    }
  }

  #disturbed({ kind, ms }: Disturbance): void {
    const { clock, log } = this.#options
    if (kind === 'stall') {
      this.ownFault.lagged(ms, this.time.at(clock.monotonicMs()))
      log.warn(
        { ms: Math.round(ms) },
        'the controller stalled; checks that were caught in it do not count against their targets',
      )
    } else log.warn({ ms }, 'the wall clock jumped; the schedule goes on by monotonic time')
  }
}

function poolBounds(): PoolBounds {
  const limit = descriptorLimit()
  return {
    ...DEFAULT_BOUNDS,
    descriptors: limit === null ? null : Math.max(DEFAULT_BOUNDS.min, limit - reservedDescriptors),
  }
}
