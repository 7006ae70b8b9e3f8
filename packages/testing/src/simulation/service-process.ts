// simulation/service-process.ts: one process of the service, from its start to its end: the engine with everything that
// the service puts around it, in simulated time. After it is killed, its remaining code has no effect.
import type { BulkOperations } from '@pulseward/server/internal/bulk/operations.ts'
import { externalType } from '@pulseward/server/internal/config/external-driver.ts'
import { SourceError } from '@pulseward/server/internal/config/fleet-file/source.ts'
import { pushType } from '@pulseward/server/internal/config/push-check.ts'
import { ControlDesk, ControlError } from '@pulseward/server/internal/controls/control-desk.ts'
import { revisionText } from '@pulseward/server/internal/controls/revision-text.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { type ArrangedBefore, arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { type LoadedArrangement, reloadedFrom } from '@pulseward/server/internal/fleet/load-arrangement.ts'
import type { PushDesk } from '@pulseward/server/internal/pushing/push-desk.ts'
import { PushMonitors } from '@pulseward/server/internal/pushing/push-monitors.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import type { Log } from '@pulseward/server/internal/telemetry/log.ts'
import type { FakeProviders } from '../engine/fake-providers.ts'
import { batchOf, type FakeTargets } from '../engine/fake-targets.ts'
import { observedEngine } from '../engine/observed-engine.ts'
import { definitionOf } from '../fleet/fleet-files.ts'
import { documentsOf, headOf, secretsOf } from './fleet-plan.ts'
import { openOperations } from './operations/open-operations.ts'
import { openProviders, openTargets } from './process-ports.ts'
import { ProcessTicks } from './process-ticks.ts'
import { openPushes } from './pushes/watched-pushes.ts'
import { WorkerDoor } from './workers/worker-door.ts'
import type { World } from './world.ts'
import { WriteDesk } from './writes/write-desk.ts'

/** How long a stopping service waits for answers. */
const answersAwaitedMs = 5_000

const notBeforeTheState = 'nothing before the state is restored'

export class ServiceProcess {
  readonly engine: Engine
  /** For the oracle, which looks inside. */
  readonly parts: EngineParts
  readonly fleet: Fleet
  readonly controls: ControlDesk
  /** Null if nothing is written through v2. */
  readonly writes: WriteDesk | null
  /** Null if there are no operations of many items. */
  readonly operations: BulkOperations | null
  /** Takes the signals of jobs that report by themselves; null if there are none. */
  readonly desk: PushDesk | null
  /** Null if there are no external workers. */
  readonly workers: WorkerDoor | null
  readonly #world: World
  readonly #recovered: Recovered
  readonly #targets: FakeTargets
  readonly #providers: FakeProviders
  readonly #ticks: ProcessTicks
  #isAlive = true
  #isStopping = false

  constructor(world: World, number: number, recovered: Recovered) {
    this.#world = world
    this.#recovered = recovered
    const { clock, settings, defect } = world
    const isAlive = () => this.#isAlive
    let count = 0
    const ids = () => `${number}-${count++}`
    // Only the types in use: each costs a window in every checkpoint.
    this.fleet = new Fleet([
      'http',
      ...(world.hasPushes ? [pushType] : []),
      ...(world.external === null ? [] : [externalType]),
    ])
    const pushes = world.hasPushes
      ? new PushMonitors({ fleet: this.fleet, clock, signalBytes: 1 << 20 })
      : null
    this.workers = world.external === null ? null : new WorkerDoor({ world, fleet: this.fleet, ids, isAlive })
    this.#targets = openTargets(world, this.fleet, isAlive)
    this.#providers = openProviders(world, isAlive)
    const log = this.#log()
    const { engine, parts } = observedEngine(
      {
        settings,
        fleet: this.fleet,
        clock,
        log,
        ids,
        store: {
          committer: world.disk.openFor({ failed: () => this.#pause(), works: () => this.#resume() }),
          recovered,
        },
        sources: [
          { checks: this.#targets },
          { actions: this.#providers },
          ...(this.workers === null ? [] : [this.workers.jobs]),
          ...(pushes === null ? [] : [pushes]),
        ],
      },
      defect?.engine,
    )
    this.engine = engine
    this.parts = parts
    this.workers?.connect(engine, recovered, number)
    this.desk = pushes === null ? null : openPushes({ world, pushes, engine, parts, recovered, isAlive })
    const asked = {
      reading: engine.reading,
      turn: (work: Parameters<Engine['turn']>[0]) => engine.turn(work),
      request: (...[unstored, work]: Parameters<Engine['request']>) => engine.request(unstored, work),
      applyControl: (...[turn, control]: Parameters<Engine['applyControl']>) =>
        engine.applyControl(turn, control),
    }
    defect?.controls?.({ engine: asked, fleet: this.fleet, health: parts.health })
    const wallMs = () => clock.wallMs()
    this.controls = new ControlDesk({
      ...{ engine: { ...asked, request: (unstored, work) => asked.request(unstored, this.#notEarly(work)) } },
      ...{ store: world.disk.store, wallMs },
      mayStillRun: (actionId) => this.workers?.jobs.mayStillRun(actionId) ?? false,
    })
    this.writes = world.hasWrites
      ? new WriteDesk({
          number,
          engine,
          fleet: this.fleet,
          settings,
          recovered,
          store: world.disk.store,
          log,
          keyFile: world.keyFile,
          applying: (take, writes) => this.#apply(take, writes),
          defect: defect?.writes,
        })
      : null
    const { fleet, writes } = this
    this.operations = openOperations({ world, engine, fleet, writes, log, isAlive })
    this.#ticks = new ProcessTicks({ world, engine, parts, fleet, isAlive })
  }

  /** Continues in simulated time, because restoring the state needs commits. */
  begin(): void {
    const { oracle } = this.#world
    const started = this.#start()
    this.#askEarly()
    started.then(
      () => {
        if (!this.#isAlive || !this.engine.reading.isAdmitting) return
        this.#ticks.begin()
        oracle.takenOver()
        this.operations?.start()
        this.#ticks.planChecks()
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

  /** The listener is open before the state is restored, so clients call early. */
  #askEarly(): void {
    const [monitorId] = this.#world.plan.monitors.keys()
    if (monitorId === undefined) return
    const words = { revision: revisionText('Monitor', monitorId, 1), reason: 'too early', note: null }
    const snooze = { verb: 'snooze', forMs: 60_000 } as const
    const by = { principal: 'dan', operation: 0 }
    this.controls.monitor(monitorId, snooze, words, by).catch((error: unknown) => {
      if (!(error instanceof ControlError && error.code === 'unavailable'))
        this.#world.oracle.findings.note(notBeforeTheState, `a snooze met ${inWords(error)}`)
    })
  }

  #notEarly<Turn>(work: (turn: Turn) => void): (turn: Turn) => void {
    return (turn) => {
      if (!this.engine.reading.isAdmitting)
        this.#world.oracle.findings.note(notBeforeTheState, 'a control was judged on a state that was not')
      work(turn)
    }
  }

  /** Kills the process: its remaining code has no effect. */
  kill(): void {
    this.#isAlive = false
    if (this.writes !== null) this.writes.isAlive = false
    void this.operations?.[Symbol.asyncDispose]()
    this.#ticks.end()
  }

  /** Stops as its owner asks; false if that would take too long. */
  stop(ended: () => void): boolean {
    if (!this.isTakenOver || this.#providers.lastMs > this.#nowMs + answersAwaitedMs) return false
    this.#ticks.end()
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
    this.#ticks.planChecks()
  }

  /** Whether it would accept the present files. */
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
    if (this.#isAlive) this.#ticks.planChecks()
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

  /** Values of credentials can be sealed. */
  get hasKeys(): boolean {
    return this.#world.keyFile.isThere
  }

  get isTakenOver(): boolean {
    return this.#ticks.isRunning
  }

  /** A probe thread dies with all its checks in flight. */
  loseThread(): void {
    const lost = this.#targets.loseAll()
    if (lost.length === 0) return
    this.#world.oracle.checksLost(lost)
    this.engine.takeLost(
      this.#targets,
      Uint32Array.from(lost, ({ row }) => row),
      'the probe thread ended',
    )
  }

  wake(): void {
    this.#targets.wake()
  }

  /** When something happens next, in true time. */
  get nextAtMs(): number {
    const nextMs = Math.min(this.#targets.nextMs, this.#providers.nextMs, this.#ticks.nextMs)
    return this.#world.clock.trueMsOf(nextMs)
  }

  takeResults(): void {
    const ended = this.#targets.takeEnded()
    if (ended.length === 0) return
    const { oracle, hazard } = this.#world
    oracle.checksEnding(ended)
    this.engine.takeResults(this.#targets, batchOf(ended))
    if (!this.#isAlive) return
    oracle.checksEnded(ended)
    hazard.reached('results taken')
  }

  /** True if there were any: the service handles them in its next microtasks. */
  takeAnswers(): boolean {
    return this.#providers.deliver()
  }

  tick(): void {
    this.#ticks.tick()
  }

  get #nowMs(): number {
    return this.#world.clock.monotonicMs()
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
