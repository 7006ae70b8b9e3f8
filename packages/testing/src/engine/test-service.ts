// engine/test-service.ts: the whole controller in one process under a clock that the test moves, with
// simulated targets and providers and a store that survives a crash. Tests read like a timeline: something
// happens, time passes, something is expected.
import { statuses } from '@pulseward/contract'
import type { CheckSource } from '@pulseward/server/internal/checking/check-source.ts'
import { checks } from '@pulseward/server/internal/checks/registry.ts'
import { externalType } from '@pulseward/server/internal/config/external-driver.ts'
import type { FleetHead, MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { pushType } from '@pulseward/server/internal/config/push-check.ts'
import { pushKeyDigest } from '@pulseward/server/internal/config/push-key.ts'
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import type { Settings } from '@pulseward/server/internal/config/settings/setting-table.ts'
import type { SignalKind } from '@pulseward/server/internal/deciding/push/push-state.ts'
import { startLoop } from '@pulseward/server/internal/engine/controller-loop.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { recentActionsMs } from '@pulseward/server/internal/engine/engine-settings.ts'
import type { Source } from '@pulseward/server/internal/engine/source.ts'
import { ExternalJobs } from '@pulseward/server/internal/external-workers/external-jobs.ts'
import { arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { reloadedFrom } from '@pulseward/server/internal/fleet/load-arrangement.ts'
import type { JobTypeInForce } from '@pulseward/server/internal/kinds/job-type-in-force.ts'
import { RemoteProbes } from '@pulseward/server/internal/locations/remote-probes.ts'
import { LiveIndex } from '@pulseward/server/internal/projection/live-index.ts'
import { PushDesk } from '@pulseward/server/internal/pushing/push-desk.ts'
import { PushMonitors, type Taken } from '@pulseward/server/internal/pushing/push-monitors.ts'
import type { CommitBatch, Committed, Store, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { definitionOf } from '../fleet/fleet-files.ts'
import { openTestStore } from '../store/test-store.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeProviders } from './fake-providers.ts'
import { batchOf, FakeTargets } from './fake-targets.ts'
import { FakeTimers, tickMs } from './fake-timers.ts'
import { type ObservedEngine, observedEngine } from './observed-engine.ts'
import { type Delivery, ScriptedProviders } from './scripted-providers.ts'
import { type ScriptedTarget, ScriptedTargets } from './scripted-targets.ts'

const jobs = ['tick', 'adapt', 'second'] as const

/** Rounds of the microtask queue after which everything that follows from a commit is done. */
const settledAfter = 8

export interface TestFleet {
  readonly monitors: readonly MonitorDocument[]
  readonly head?: FleetHead
}

export interface TestServiceOptions extends TestFleet {
  readonly settings?: Partial<Settings>
  /** What the wall clock shows at the start. */
  readonly wallMs?: number
  /** In steps of how much time passes; a tick of the engine unless given. Long timelines take longer steps. */
  readonly stepMs?: number
  /** The source of checks that no worker runs, made for each process. By default, the scripted targets of the test. */
  readonly checks?: (process: SourceSurroundings) => CheckingSource
  /** Called with each process before it starts: for tests that break a part from inside. */
  readonly look?: (process: Pick<RunningProcess, 'pushes' | 'desk' | 'parts'>) => void
}

export type CheckingSource = Source & {
  readonly checks: CheckSource
  /** Present where checks take real time, in which that of the test stands still: null when none is in flight. */
  settled?(): Promise<void> | null
}

export interface SourceSurroundings {
  readonly clock: FakeClock
  readonly fleet: () => Fleet
  readonly engine: () => Engine
}

/** A monitor for tests: `http('edge', { every: '10s' })`. */
export function http(id: string, { every = '10s' }: { every?: string } = {}): MonitorDocument {
  return { id, name: id, check: { type: 'http', interval: every, config: { url: `http://${id}.test/` } } }
}

/** A job that reports by itself: `push('backup', { every: '1h' })`. Its key is a credential of its own. */
export function push(id: string, timing: object): MonitorDocument {
  return { id, name: id, check: { type: pushType, config: { ...timing, key: { credential: keyName(id) } } } }
}

function keyName(id: string): string {
  return `key-of-${id}`
}

/** The value of that credential. */
export function keyOf(id: string): string {
  return `${keyName(id)}-`.padEnd(22, '0')
}

/** Destinations for tests, by name. */
export function endpoints(...names: string[]): FleetHead {
  return { endpoints: Object.fromEntries(names.map((name) => [name, { type: 'log', config: {} }])) }
}

interface RunningProcess extends ObservedEngine {
  readonly fleet: Fleet
  readonly targets: FakeTargets
  readonly opened: CheckingSource | null
  readonly providers: FakeProviders
  readonly external: ExternalJobs
  readonly pushes: PushMonitors
  readonly remote: RemoteProbes
  readonly desk: PushDesk
}

export class TestService {
  readonly clock: FakeClock
  readonly store: Store
  readonly providers: ScriptedProviders
  readonly #targets = new ScriptedTargets()
  readonly #stepMs: number
  readonly #timers: FakeTimers
  readonly #settings: Settings
  readonly #openChecks: TestServiceOptions['checks']
  readonly #look: TestServiceOptions['look']
  /** The job types in force; set by the test that serves the edition next over this service. */
  jobTypeOf: (id: string) => JobTypeInForce | null = () => null
  #fleetFiles: TestFleet
  #running: RunningProcess | null = null
  #loop: Disposable | null = null
  #processes = 0
  /** While set, commits wait until these are called, or forever if the process crashes first. */
  #heldCommits: (() => void)[] | null = null
  readonly #committing = new Set<Promise<Committed>>()

  private constructor(options: TestServiceOptions, clock: FakeClock, store: Store) {
    this.clock = clock
    this.store = store
    this.providers = new ScriptedProviders(clock)
    const { values } = resolveSettings({ flags: new Map(), environment: {}, file: null })
    const { stepMs = tickMs } = options
    this.#stepMs = stepMs
    this.#timers = new FakeTimers(stepMs)
    this.#settings = { ...values, ...options.settings }
    this.#fleetFiles = options
    this.#openChecks = options.checks
    this.#look = options.look
  }

  static async start(options: TestServiceOptions): Promise<TestService> {
    const { wallMs } = options
    const clock = new FakeClock(wallMs === undefined ? {} : { wallMs })
    const store = await openTestStore(() => clock.wallMs())
    const service = new TestService(options, clock, store)
    await service.#begin()
    return service
  }

  get engine(): Engine {
    return this.#process.engine
  }

  /** For what cannot be observed from outside. */
  get parts(): EngineParts {
    return this.#process.parts
  }

  get external(): ExternalJobs {
    return this.#process.external
  }

  get remote(): RemoteProbes {
    return this.#process.remote
  }

  get pushes(): PushMonitors {
    return this.#process.pushes
  }

  /** A job reports; resolves with the answer when it would get one. */
  async signal(
    id: string,
    kind: SignalKind = 'success',
    { rid = '', words = kind === 'fail' ? 'exit code 1' : '' } = {},
  ): Promise<Taken | 'unavailable' | 'unknown key'> {
    const { desk } = this.#process
    const owner = desk.find(pushKeyDigest(keyOf(id)))
    if (owner === null) return 'unknown key'
    const answer = await desk.take(owner, { kind, rid, words, tookMs: null, exitCode: null, output: '' })
    await this.#settle()
    return answer
  }

  /** Takes the signals of the present process. */
  get desk(): PushDesk {
    return this.#process.desk
  }

  get fleet(): Fleet {
    return this.#process.fleet
  }

  /** Kills the process and starts it again: only what was committed is left. */
  async restart(fleetFiles: TestFleet = this.#fleetFiles, { offSeconds = 0 } = {}): Promise<void> {
    this.#fleetFiles = fleetFiles
    this.#kill()
    this.clock.advance(offSeconds * 1000)
    await this.#begin()
  }

  /** The same on a slow disk: the state of the previous process is not restored before releaseCommits. */
  async restartOnSlowDisk(): Promise<void> {
    this.#kill()
    this.holdCommits()
    const process = await this.#open()
    void this.#start(process)
  }

  /** Changes the content of the fleet files and reloads. */
  async reload(fleetFiles: TestFleet): Promise<void> {
    this.#fleetFiles = fleetFiles
    const { definition, present } = this.fleet
    const before = { definition, present }
    this.engine.applyFleet(reloadedFrom(this.#arranged(before), before))
    await this.#settle()
  }

  target(id: string): ScriptedTarget {
    return this.#targets.of(id)
  }

  async advance({ seconds = 0, ms = seconds * 1000 }: { seconds?: number; ms?: number }): Promise<void> {
    for (let passed = 0; passed < ms; passed += this.#stepMs) await this.#step()
  }

  /** Time passes while nothing of the service runs, as on a suspended machine. */
  sleep({ seconds }: { seconds: number }): void {
    this.clock.advance(seconds * 1000)
  }

  /** Delivers the answers of providers that are due, without a tick. */
  deliverAnswers(): void {
    this.#process.providers.deliver()
  }

  /** A slow disk: no commit completes until releaseCommits. */
  holdCommits(): void {
    this.#heldCommits = []
  }

  async releaseCommits(): Promise<void> {
    const held = this.#heldCommits ?? []
    this.#heldCommits = null
    for (const release of held) release()
    await this.#settle()
  }

  statusOf(id: string): string {
    return statuses[this.fleet.columns.status[this.rowOf(id)]!]!
  }

  overview() {
    const overview = new LiveIndex(this.fleet, this.clock).overview()
    if (!overview.available) throw new Error(overview.reason)
    return overview.value
  }

  /** The notifications sent so far, oldest first: `edge red → ops`. */
  get told(): string[] {
    return this.providers.deliveries.map(inWords)
  }

  async events(monitorId: string | null = null): Promise<readonly StoredEvent[]> {
    const query = {
      monitorId,
      order: 'asc',
      upTo: Number.MAX_SAFE_INTEGER,
      after: null,
      limit: 10_000,
    } as const
    return (await this.store.readEvents(query)).events
  }

  rowOf(id: string): number {
    for (let row = 0; row < this.fleet.rows; row++) {
      if (this.fleet.has(row) && this.fleet.idOf(row) === id) return row
    }
    throw new Error(`there is no monitor ${id}`)
  }

  get #process(): RunningProcess {
    if (this.#running === null) throw new Error('the service has not been started')
    return this.#running
  }

  #kill(): void {
    this.#loop?.[Symbol.dispose]()
    this.#heldCommits = null
  }

  async #begin(): Promise<void> {
    await this.#start(await this.#open())
  }

  async #start({ engine }: RunningProcess): Promise<void> {
    await engine.start(this.#arranged(null))
    this.#loop = startLoop(engine, this.#timers)
  }

  async #open(): Promise<RunningProcess> {
    const { clock } = this
    const number = this.#processes++
    let ids = 0
    const opened = this.#openChecks?.({ clock, fleet: () => fleet, engine: () => engine }) ?? null
    const fleet = new Fleet([...(opened?.checks.types ?? Object.keys(checks)), pushType, externalType])
    const targets = new FakeTargets({ clock, fleet, behaviour: this.#targets })
    const providers = new FakeProviders({ clock, behaviour: this.providers })
    const newId = () => `${number}-${ids++}`
    const jobType = (id: string) => this.jobTypeOf(id)
    const external = new ExternalJobs({ fleet, clock, ids: newId, jobType, mostPolls: 100 })
    const pushes = new PushMonitors({ fleet, clock, signalBytes: 1 << 20 })
    const remote = new RemoteProbes({ fleet, clock, local: opened?.checks ?? targets })
    const left = await this.store.recover(recentActionsMs(this.#settings))
    const recovered = { ...left, identities: this.#readSlowly(left.identities) }
    const { engine, parts } = observedEngine({
      settings: this.#settings,
      fleet,
      clock,
      log: silentLog,
      ids: newId,
      store: { committer: { commit: (batch) => this.#commit(number, batch) }, recovered },
      sources: [opened ?? { checks: targets }, { actions: providers }, pushes, remote, external],
    })
    const desk = new PushDesk({ monitors: pushes, engine, clock })
    this.#look?.({ pushes, desk, parts })
    pushes.tell(engine.reading, recovered)
    remote.tell(engine)
    external.connect(engine.reading, recovered)
    this.#running = { engine, parts, fleet, targets, opened, providers, external, pushes, remote, desk }
    return this.#running
  }

  #arranged(before: Parameters<typeof arrange>[1]) {
    const { monitors, head = {} } = this.#fleetFiles
    const arrangement = arrange(definitionOf(monitors, head), before)
    const credentials = new Map(
      monitors.flatMap(({ id = '', check }) =>
        check.type === pushType ? [[keyName(id), keyOf(id)] as const] : [],
      ),
    )
    return { arrangement, credentials, files: [] }
  }

  async #commit(process: number, batch: CommitBatch): Promise<Committed> {
    await this.#disk()
    // A killed process commits nothing.
    if (process !== this.#processes - 1) return new Promise(() => {})
    const committing = this.store.commit(batch)
    this.#committing.add(committing)
    const forget = () => this.#committing.delete(committing)
    committing.then(forget, forget)
    return committing
  }

  /** Waits until what was committed is in the store, and everything that follows from it is done. */
  async #settle(): Promise<void> {
    do {
      await Promise.allSettled(this.#committing)
      for (let turn = 0; turn < settledAfter; turn++) await null
    } while (this.#committing.size > 0)
  }

  async *#readSlowly<Chunk>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    await this.#disk()
    yield* chunks
  }

  async #disk(): Promise<void> {
    const held = this.#heldCommits
    if (held !== null) await new Promise<void>((resolve) => held.push(resolve))
  }

  async #step(): Promise<void> {
    this.clock.advance(this.#stepMs)
    const { engine, targets, opened, providers } = this.#process
    const ended = targets.takeEnded()
    if (ended.length > 0) engine.takeResults(targets, batchOf(ended))
    const isAnswered = providers.deliver()
    if (ended.length > 0 || isAnswered) await this.#settle()
    this.#timers.runDue(jobs)
    if (this.#timers.isDue('second')) await this.#settle()
    const inFlight = opened?.settled?.() ?? null
    if (inFlight === null) return
    await inFlight
    await this.#settle()
  }
}

function inWords({ endpoint, notification: { monitorId, color } }: Delivery): string {
  return `${monitorId} ${color} → ${endpoint}`
}
