// simulation/service-process.ts: one process of the service, from its start to its end: the engine and its loop in
// simulated time. Ticks at which nothing is due are skipped, but never so many that it would be a stall.

import { ControllerSide } from '@pulseward/server/internal/bulk/around-work.ts'
import { BulkOperations } from '@pulseward/server/internal/bulk/operations.ts'
import { SourceError } from '@pulseward/server/internal/config/fleet-file/source.ts'
import type { Settings } from '@pulseward/server/internal/config/settings/setting-table.ts'
import { ControlDesk } from '@pulseward/server/internal/controls/control-desk.ts'
import { startLoop } from '@pulseward/server/internal/engine/controller-loop.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { type ArrangedBefore, arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { type LoadedArrangement, reloadedFrom } from '@pulseward/server/internal/fleet/load-arrangement.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import type { Log } from '@pulseward/server/internal/telemetry/log.ts'
import type { FakeClock } from '../engine/fake-clock.ts'
import { FakeProviders } from '../engine/fake-providers.ts'
import { batchOf, FakeTargets } from '../engine/fake-targets.ts'
import { FakeTimers } from '../engine/fake-timers.ts'
import { observedEngine } from '../engine/observed-engine.ts'
import { definitionOf } from '../fleet/fleet-files.ts'
import type { Defect } from './defects.ts'
import { documentsOf, type FleetPlan, headOf, secretsOf } from './fleet-plan.ts'
import type { Hazard } from './hazard.ts'
import type { StagingDisk } from './operations/staging-disk.ts'
import type { Oracle } from './oracle/oracle.ts'
import { ProcessCalls } from './process-calls.ts'
import type { ProviderMoods } from './provider-moods.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import { count, type Tally } from './tally.ts'
import type { TargetMoods } from './target-moods.ts'
import { vault, WriteDesk } from './writes/write-desk.ts'

/** As the loop of a small fleet asks for. */
const tickMs = 100
/** A tick that comes later than a second after the last is a stall. */
const longestPauseMs = 900
const canaryMs = 2_000
/** Less often than the loop asks for: what these jobs keep is hardly looked at here, and costs. */
const secondMs = 3_000
const adaptMs = 20_000
/** Of an operation: few, so that many turns lie between its first item and its last. */
const itemsAtOnce = 2
/** How long a service that stops waits for answers. */
const answersAwaitedMs = 5_000

export interface World {
  readonly clock: FakeClock
  readonly targets: TargetMoods
  readonly providers: ProviderMoods
  readonly disk: SimulatedDisk
  readonly hazard: Hazard
  readonly oracle: Oracle
  readonly settings: Settings
  readonly defect: Defect | null
  readonly tally: Tally
  /** Whether resources are written through v2 besides. */
  readonly hasWrites: boolean
  /** A write that is on disk is about to be brought into the fleet. */
  readonly applying: (take: () => void, writes: number) => void
  /** What is staged for operations of many items; null where there are none. */
  readonly staging: StagingDisk | null
  /** Resolves in simulated time. */
  readonly wait: (ms: number) => Promise<void>
  /** What the fleet files say. */
  plan: FleetPlan
  /** What runs: files and resources. */
  inForce: FleetPlan
}

export class ServiceProcess {
  readonly engine: Engine
  /** For the oracle, which looks inside. */
  readonly parts: EngineParts
  /** The only type there is: every type costs a window of its own in every checkpoint. */
  readonly fleet = new Fleet(['http'])
  readonly controls: ControlDesk
  /** Null where nothing is written through v2. */
  readonly writes: WriteDesk | null
  /** Null where nothing is written to many things at once. */
  readonly operations: BulkOperations | null
  readonly #world: World
  readonly #recovered: Recovered
  readonly #targets: FakeTargets
  readonly #providers: FakeProviders
  readonly #timers = new FakeTimers()
  /** From the moment the process has taken over until it stops or dies. */
  #loop: Disposable | null = null
  #isAlive = true
  #isStopping = false
  #lastTickMs = 0
  #nextDueMs = 0
  #secondAtMs = 0
  #canaryAtMs = 0
  #adaptAtMs = 0

  constructor(world: World, number: number, recovered: Recovered) {
    this.#world = world
    this.#recovered = recovered
    const { clock, targets, providers, oracle, hazard, settings, defect } = world
    const secrets = () => secretsOf(world.inForce)
    let ids = 0
    this.#targets = new FakeTargets({
      clock,
      fleet: this.fleet,
      behaviour: targets,
      isAlive: () => this.#isAlive,
      started: (check) => {
        world.tally.checks++
        oracle.checkStarted(check)
        hazard.reached('check started')
      },
    })
    const faults = defect?.calls ?? {}
    const called = (name: string, tell: () => void) => {
      count(world.tally.actions, name)
      tell()
      hazard.reached('provider called')
    }
    const times = faults.callsTwice ? 2 : 1
    this.#providers = new FakeProviders({
      clock,
      behaviour: new ProcessCalls({ providers, targets, faults, secrets }),
      isAlive: () => this.#isAlive,
      witness: {
        notified: (endpoint, notification) => {
          for (let call = 0; call < times; call++)
            called(notification.color, () => oracle.notified(endpoint, notification))
        },
        recovered: (target, intervention) => {
          for (let call = 0; call < times; call++)
            called('recovery', () => oracle.recovered(target, intervention))
        },
        answered: (actionId, answer) => {
          oracle.answered(actionId, answer)
          hazard.reached('answer given')
        },
      },
    })
    const log = this.#log()
    const { engine, parts } = observedEngine(
      {
        settings,
        fleet: this.fleet,
        clock,
        log,
        ids: () => `${number}-${ids++}`,
        store: {
          committer: world.disk.openFor({ failed: () => this.#pause(), works: () => this.#resume() }),
          recovered,
        },
        checks: this.#targets,
        actions: this.#providers,
      },
      defect?.engine,
    )
    this.engine = engine
    this.parts = parts
    const asked = {
      control: (work: Parameters<Engine['control']>[0]) => engine.control(work),
      applyControl: (...[turn, control]: Parameters<Engine['applyControl']>) =>
        engine.applyControl(turn, control),
    }
    defect?.controls?.({ engine: asked, fleet: this.fleet, health: parts.health })
    const wallMs = () => clock.wallMs()
    this.controls = new ControlDesk({ engine: asked, store: world.disk.store, wallMs })
    this.writes = world.hasWrites
      ? new WriteDesk({
          number,
          engine,
          fleet: this.fleet,
          settings,
          recovered,
          store: world.disk.store,
          log,
          applying: (take, writes) => this.#apply(take, writes),
          defect: defect?.writes,
        })
      : null
    this.operations = this.#openBulk(log)
  }

  #openBulk(log: Log): BulkOperations | null {
    const { staging, wait, disk, clock, defect } = this.#world
    const { writes, engine } = this
    if (staging === null || writes === null) return null
    const { registry } = writes.managing
    const side = new ControllerSide({ registry, vault, lock: writes.lock })
    const options = {
      engine: {
        write: (work: Parameters<Engine['write']>[0]) => engine.write(work),
        controlMany: (work: Parameters<Engine['controlMany']>[0]) => engine.controlMany(work),
        applyControl: (...[turn, control]: Parameters<Engine['applyControl']>) =>
          engine.applyControl(turn, control),
      },
      work: staging.openFor(side, () => this.#isAlive),
    }
    defect?.operations?.(options)
    return new BulkOperations({
      ...options,
      side,
      registry,
      validator: writes.validator,
      versionOf: (change) => `1.${change}`,
      seal: (id, change, value) => vault.seal(id, String(change), value),
      committed: writes.committed,
      roomForWrite: () => null,
      fleet: this.fleet,
      healthOf: (row) => engine.reading.healthOf(row),
      store: disk.store,
      lastChange: () => writes.position,
      storeName: 'simulated',
      clock,
      itemsAtOnce,
      wait: (ms) => wait(ms).then(() => (this.#isAlive ? undefined : new Promise<void>(() => {}))),
      log,
    })
  }

  /** Goes on in simulated time: taking over takes commits. */
  begin(): void {
    const { oracle } = this.#world
    this.#start().then(
      () => {
        if (!this.#isAlive || !this.engine.reading.isAdmitting) return
        this.#loop = startLoop(this.engine, this.#timers)
        this.#lastTickMs = this.#nowMs
        oracle.takenOver()
        this.operations?.start()
        this.#planChecks()
      },
      (error: unknown) =>
        oracle.findings.note(
          'the service goes on',
          `what the previous process left could not be restored: ${inWords(error)}`,
        ),
    )
  }

  async #start(): Promise<void> {
    const loaded = this.#arranged(null)
    const { writes } = this
    const whole = writes === null ? loaded : await writes.managing.fleetWith(loaded, this.#recovered)
    await this.engine.start(whole)
  }

  /** The process is gone: whatever its code still does has no effect. */
  kill(): void {
    this.#isAlive = false
    if (this.writes !== null) this.writes.isAlive = false
    void this.operations?.[Symbol.asyncDispose]()
    this.#endLoop()
  }

  /** Ends as asked by its owner; false when that would take too long. */
  stop(ended: () => void): boolean {
    if (!this.isTakenOver || this.#providers.lastMs > this.#nowMs + answersAwaitedMs) return false
    this.#endLoop()
    this.#isStopping = true
    if (this.writes !== null) this.writes.isStopping = true
    void this.operations?.[Symbol.asyncDispose]()
    void this.engine.stop().then(ended)
    return true
  }

  reload(): void {
    if (!this.isTakenOver) return
    const { definition, present } = this.fleet
    const before = { definition, present }
    const reloaded = reloadedFrom(this.#arranged(before), before)
    this.engine.applyFleet(this.writes === null ? reloaded : this.writes.managing.reloaded(reloaded))
    this.#planChecks()
  }

  /** Whether it would take the files as they are now. */
  takesFiles(): boolean {
    if (this.writes === null) return true
    const { definition, present } = this.fleet
    const before = { definition, present }
    try {
      this.writes.managing.refuseClashes(reloadedFrom(this.#arranged(before), before))
      return true
    } catch (error) {
      if (error instanceof SourceError) return false
      throw error
    }
  }

  #apply(take: () => void, writes: number): void {
    if (!this.#isAlive) return
    this.#world.applying(take, writes)
    if (this.#isAlive) this.#planChecks()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Nothing can be stored now. */
  get isPaused(): boolean {
    return this.engine.isPaused
  }

  get isTakenOver(): boolean {
    return this.#loop !== null
  }

  /** A probe thread dies with all that it was doing. */
  loseThread(): void {
    const lost = this.#targets.loseAll()
    if (lost.length === 0) return
    this.#world.oracle.checksLost(lost)
    this.engine.takeLost(
      Uint32Array.from(lost, ({ row }) => row),
      'the probe thread ended',
    )
  }

  wake(): void {
    this.#targets.wake()
  }

  /** When something happens next, in true time. */
  get nextAtMs(): number {
    const nextMs = Math.min(this.#targets.nextMs, this.#providers.nextMs, this.#nextTickMs())
    return this.#world.clock.trueMsOf(nextMs)
  }

  takeResults(): void {
    const ended = this.#targets.takeEnded()
    if (ended.length === 0) return
    const { oracle, hazard } = this.#world
    oracle.checksEnding(ended)
    this.engine.takeResults(batchOf(ended))
    if (!this.#isAlive) return
    oracle.checksEnded(ended)
    hazard.reached('results taken')
  }

  /** True when there were any: the service hears of them in its next microtasks. */
  takeAnswers(): boolean {
    return this.#providers.deliver()
  }

  tick(): void {
    if (!this.isTakenOver || this.#nextTickMs() > this.#nowMs) return
    const { engine } = this
    const { oracle, targets, hazard } = this.#world
    oracle.ticking()
    this.#timers.run('tick')
    if (!this.#isAlive) return
    oracle.ticked()
    this.#lastTickMs = this.#nowMs
    if (this.#nowMs >= this.#secondAtMs) {
      this.#secondAtMs = this.#nowMs + secondMs
      this.#timers.run('second')
    }
    if (this.#nowMs >= this.#adaptAtMs) {
      this.#adaptAtMs = this.#nowMs + adaptMs
      this.#timers.run('adapt')
    }
    if (this.#nowMs >= this.#canaryAtMs) {
      this.#canaryAtMs = this.#nowMs + canaryMs
      oracle.canaryRead('loopback', true)
      oracle.canaryRead('resolver', !targets.isNetworkGone)
      engine.readCanary('loopback', true)
      engine.readCanary('resolver', !targets.isNetworkGone)
    }
    this.#planChecks()
    hazard.reached('turn ended')
  }

  #endLoop(): void {
    this.#loop?.[Symbol.dispose]()
    this.#loop = null
  }

  get #nowMs(): number {
    return this.#world.clock.monotonicMs()
  }

  /** On the grid of the ticks: where something is due, or where a pause would be too long. */
  #nextTickMs(): number {
    if (!this.isTakenOver) return Number.POSITIVE_INFINITY
    const { ledger, time, checks } = this.parts
    let dueMs = checks.queue.depth > 0 ? this.#lastTickMs : this.#nextDueMs
    const startAt = ledger.nextStartAt(time.now())
    if (startAt !== null) dueMs = Math.min(dueMs, time.monotonicMs(startAt))
    const ticks = Math.ceil((dueMs - this.#lastTickMs) / tickMs)
    return this.#lastTickMs + Math.min(longestPauseMs, Math.max(1, ticks) * tickMs)
  }

  #planChecks(): void {
    const { scheduler } = this.parts.checks
    this.#nextDueMs = Number.POSITIVE_INFINITY
    for (let row = 0; row < this.fleet.rows; row++) {
      const dueMs = scheduler.nextDueMs(row)
      if (dueMs !== null && dueMs < this.#nextDueMs) this.#nextDueMs = dueMs
    }
  }

  #pause(): void {
    this.#world.oracle.paused()
    this.engine.pause()
  }

  #resume(): void {
    this.engine.resume()
    this.#world.oracle.resumed()
  }

  #arranged(before: ArrangedBefore | null): LoadedArrangement {
    const { plan } = this.#world
    const arrangement = arrange(definitionOf(documentsOf(plan), headOf(plan)), before)
    return { arrangement, credentials: secretsOf(plan), files: [] }
  }

  #log(): Log {
    const write = (...line: unknown[]) => {
      if (this.#isAlive) this.#world.oracle.logged(line)
    }
    return { info: write, warn: write, error: write, debug: write } as unknown as Log
  }
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
