// simulation/simulation.ts: the whole controller in a world that is out to break it. Everything that happens follows from
// the seed: time, checks, answers, commits, crashes. After every step the oracle has the last word; the first violation
// ends the simulation.
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import { recentActionsMs } from '@pulseward/server/internal/engine/engine-settings.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import { FakeClock } from '../engine/fake-clock.ts'
import { Random } from '../random.ts'
import { Agenda } from './agenda.ts'
import type { Defect } from './defects.ts'
import { FaultInjector, type SimulationControls } from './fault-injector.ts'
import { FleetChanges } from './fleet-changes.ts'
import { type FleetPlan, firstPlan } from './fleet-plan.ts'
import { Hazard, moments } from './hazard.ts'
import { StagingDisk } from './operations/staging-disk.ts'
import type { Violation } from './oracle/findings.ts'
import { Oracle } from './oracle/oracle.ts'
import { People } from './people.ts'
import { ProviderMoods } from './provider-moods.ts'
import { ServiceProcess, type World } from './service-process.ts'
import { SimulatedDisk } from './simulated-disk.ts'
import { count, emptyTally, type Tally } from './tally.ts'
import { TargetMoods } from './target-moods.ts'
import { MergedPlan } from './writes/merged-plan.ts'
import { keyOf } from './writes/wanted.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const calmMs = 40 * minuteMs
const crashEveryMs = 100 * minuteMs
const pageEverySteps = 200
const listEverySteps = 40
const loopTurnEverySteps = 1_000

export interface SimulationOptions {
  readonly seed: number
  readonly hours: number
  readonly monitors: number
  /** How many times as much goes wrong as usual. */
  readonly storm: number
  readonly defect: Defect | null
  /** Whether people write through v2 besides; without it, every fourth seed has that, since it costs as much again. */
  readonly writes?: boolean
  /** Whether people acknowledge, dismiss, snooze, recover and so on; they do without this. */
  readonly controls?: boolean
  /** Whether they also do that and write to many at once; without it, in every second seed with writes. */
  readonly operations?: boolean
}

export interface SimulationResult {
  readonly seed: number
  readonly tally: Tally
  readonly violation: Violation | null
}

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const simulation = new Simulation(options)
  await simulation.run()
  return simulation.result
}

class Simulation implements SimulationControls {
  readonly #options: SimulationOptions
  readonly #random: Random
  readonly #agenda = new Agenda()
  readonly #tally = emptyTally()
  readonly #changes: FleetChanges
  readonly #merged = new MergedPlan()
  readonly #people: People
  readonly #world: World
  readonly #endMs: number
  readonly #calmFromMs: number
  #planInForce: FleetPlan
  #process: ServiceProcess | null = null
  #processes = 0
  /** When the next process begins, while none runs. */
  #startAtMs = 0
  constructor(options: SimulationOptions) {
    this.#options = options
    const { seed, hours, monitors, defect, writes: hasWrites = seed % 4 === 0, controls = true } = options
    const hasOperations = hasWrites && (options.operations ?? seed % 8 === 0)
    const random = new Random(seed)
    this.#random = random
    this.#endMs = hours * hourMs
    this.#calmFromMs = this.#endMs - Math.min(calmMs, this.#endMs / 3)
    const clock = new FakeClock({
      monotonicMs: 0,
      wallMs: Date.UTC(2026, 0, 1) + random.whole(0, 86_400_000),
    })
    const plan = firstPlan(monitors, random.fork())
    this.#changes = new FleetChanges(plan, random.fork())
    const targets = new TargetMoods(random.fork())
    const providers = new ProviderMoods(random.fork())
    const hazard = new Hazard((moment) => this.#crash(moment))
    const budget = random.whole(1, 4)
    const { values } = resolveSettings({ flags: new Map(), environment: {}, file: null })
    const oracle = new Oracle({
      clock,
      plan,
      random: random.fork(),
      tally: this.#tally,
      seed,
      limits: { interventionsPerMinute: budget, cooldownMs: 300_000 },
      readPage: (query) => disk.store.readEvents(defect?.readsOn ? { ...query, upTo: Infinity } : query),
    })
    const disk = new SimulatedDisk({
      clock,
      hazard,
      random: random.fork(),
      witness: oracle,
      faults: defect?.disk ?? {},
    })
    const settings = { ...values, 'recovery.budget_per_minute': budget * (defect?.budgetTimes ?? 1) }
    this.#planInForce = plan
    const tally = this.#tally
    const applying = (take: () => void, writes: number) => this.#apply(take, writes)
    const staging = hasOperations ? new StagingDisk(disk.store) : null
    const wait = (ms: number) =>
      new Promise<void>((resolve) => this.#agenda.at(clock.trueMs + Math.max(1, ms), resolve))
    const inForce = plan
    this.#world = {
      ...{ clock, targets, providers, disk, hazard, oracle, settings, defect, tally, plan, inForce },
      ...{ hasWrites, applying, staging, wait },
    }
    this.#people = new People({
      ...{ seed, storm: options.storm, agenda: this.#agenda, clock, disk, hazard, oracle, tally },
      who: { writes: hasWrites, controls, operations: hasOperations },
      calmFromMs: this.#calmFromMs,
      process: () => (this.#process?.isTakenOver ? this.#process : null),
      plan: () => this.plan,
    })
  }

  get result(): SimulationResult {
    return { seed: this.#options.seed, tally: this.#tally, violation: this.#world.oracle.findings.first }
  }

  /** What runs, or will. */
  get plan(): FleetPlan {
    return this.#world.inForce
  }

  async run(): Promise<void> {
    const { clock, oracle } = this.#world
    this.#injectFaults()
    this.#planCrash()
    this.#people.begin()
    this.#agenda.at(this.#calmFromMs, () => this.#calm())
    while (clock.trueMs < this.#endMs && oracle.findings.first === null) {
      clock.advanceTo(Math.max(clock.trueMs, Math.min(this.#nextAtMs, this.#endMs)))
      await this.#guarded()
      this.#tally.steps++
      if (this.#tally.steps % pageEverySteps === 0) await oracle.readOn()
      // Whoever shares the thread with the simulation has to be heard.
      if (this.#tally.steps % loopTurnEverySteps === 0) await loopTurn()
      const desk = this.#process?.isTakenOver ? this.#process.writes : null
      if (desk !== null && this.#tally.steps % listEverySteps === 0) await oracle.listOn(desk)
    }
    this.#world.staging?.[Symbol.dispose]()
    this.#tally.simulatedMs = clock.trueMs
    if (oracle.findings.first === null) oracle.ended()
  }

  changeFleet(): void {
    const { plan, word } = this.#changes.next(this.#world.plan, this.#world.clock.wallMs())
    count(this.#tally.faults, `reload: ${word}`)
    this.#adopt(plan)
  }

  paceFleet(intervalSeconds: number | null): void {
    this.#adopt(this.#changes.paced(this.#world.plan, intervalSeconds))
  }

  sleep(ms: number): void {
    const { clock, oracle } = this.#world
    const lastsMs = this.#beforeCalm(ms)
    const fromMs = clock.monotonicMs()
    clock.advanceTo(clock.trueMs + lastsMs)
    if (this.#process === null) return
    oracle.lagged(fromMs)
    this.#process.wake()
    oracle.slept(lastsMs)
  }

  suspend(ms: number): void {
    const { clock, oracle } = this.#world
    const lastsMs = this.#beforeCalm(ms)
    clock.suspend(lastsMs)
    oracle.lagged(clock.monotonicMs())
    if (this.#process !== null) oracle.slept(lastsMs)
  }

  jumpWall(ms: number): void {
    const { clock, oracle } = this.#world
    clock.jumpWall(ms)
    oracle.lagged(clock.monotonicMs())
    if (this.#process !== null) oracle.clockSet(ms)
  }

  loseThread(): void {
    this.#process?.loseThread()
  }

  get #nextAtMs(): number {
    const processAtMs =
      this.#process === null ? this.#startAtMs : Math.min(this.#process.nextAtMs, this.#world.disk.nextAtMs)
    return Math.min(processAtMs, this.#agenda.nextAtMs)
  }

  /** An error that reaches this far would have ended the process. */
  async #guarded(): Promise<void> {
    try {
      await this.#step()
    } catch (error) {
      this.#world.oracle.findings.note('the service goes on', `${(error as Error).stack}`)
    }
  }

  async #step(): Promise<void> {
    const { clock, disk, oracle } = this.#world
    this.#agenda.runUpTo(clock.trueMs)
    this.#reload()
    if (this.#people.takeNews()) await this.#settle()
    if (this.#process === null) {
      if (this.#startAtMs <= clock.trueMs) await this.#start()
      return
    }
    if (disk.nextAtMs <= clock.trueMs) {
      this.#tally.commits++
      disk.advance()
      await this.#settle()
    }
    this.#process?.takeResults()
    if (this.#process?.takeAnswers()) await this.#settle()
    this.#process?.tick()
    if (this.#world.defect?.disk?.acknowledgesEarly) await this.#settle()
    if (this.#process !== null) oracle.stepEnded(disk.isIdle)
  }

  /** The work on operations pauses for the event loop; everything else goes on by promises alone. */
  #settle(): Promise<void> {
    return this.#world.staging === null ? microtasks() : loopTurn()
  }

  async #start(): Promise<void> {
    const { clock, disk, oracle, defect, settings, hazard } = this.#world
    clock.boot(this.#random.whole(1_000, 10_000_000))
    const left = asRead(await disk.store.recover(recentActionsMs(settings)))
    const changed = defect?.recovered?.(left) ?? left
    const monitors = await Array.fromAsync(changed.monitors)
    const recovered = { ...changed, monitors: again(monitors) }
    oracle.storeRead(recovered, monitors.flat())
    this.#takeFiles()
    this.#wantFleet()
    const process = new ServiceProcess(this.#world, this.#processes++, recovered)
    this.#process = process
    oracle.processStarted(
      { number: this.#processes, parts: process.parts, fleet: process.fleet },
      recovered.position,
    )
    if (this.#isStormy && this.#random.chance(0.2))
      hazard.arm(this.#random.pick(moments), this.#random.whole(0, 2))
    process.begin()
    await this.#settle()
  }

  #injectFaults(): void {
    const { targets, providers, disk, clock } = this.#world
    new FaultInjector({
      controls: this,
      agenda: this.#agenda,
      random: this.#random.fork(),
      targets,
      providers,
      disk,
      nowMs: () => clock.trueMs,
      calmFromMs: this.#calmFromMs,
      times: this.#options.storm,
      fault: (kind) => count(this.#tally.faults, kind),
    }).begin()
  }

  #beforeCalm(ms: number): number {
    return Math.max(0, Math.min(Math.round(ms), this.#calmFromMs - this.#world.clock.trueMs))
  }

  get #isStormy(): boolean {
    return this.#world.clock.trueMs < this.#calmFromMs
  }

  /** Somewhere in each stretch of time the process ends: at once, at a moment that matters, or as its owner asks. */
  #planCrash(): void {
    const random = this.#random
    const atMs = this.#world.clock.trueMs + (random.between(0.2, 1.2) * crashEveryMs) / this.#options.storm
    if (atMs >= this.#calmFromMs) return
    this.#agenda.at(atMs, () => {
      if (this.#isStormy) this.#strike()
      this.#planCrash()
    })
  }

  #strike(): void {
    const random = this.#random
    switch (random.weighted({ moment: 6, now: 2, stop: 2 })) {
      case 'moment':
        return this.#world.hazard.arm(random.pick(moments), random.whole(0, 4))
      case 'now':
        return this.#crash('any time')
      case 'stop':
        return random.chance(0.5) ? this.#stop() : this.#stopInFlight(random.whole(0, 4))
    }
  }

  #stop(): void {
    const process = this.#process
    const isStopping = process?.stop(() => this.#process === process && this.#stopped()) ?? false
    if (isStopping) count(this.#tally.faults, 'orderly stop')
    // A disk that is full keeps a service from stopping; its owner loses patience.
    this.#agenda.at(
      this.#world.clock.trueMs + 15_000,
      () => this.#process === process && this.#crash('any time'),
    )
  }

  /** An answer has to be waited for, which seldom happens by chance. */
  #stopInFlight(passes: number): void {
    const { hazard, clock } = this.#world
    hazard.arm('provider called', passes, () => this.#agenda.at(clock.trueMs, () => this.#stop()))
  }

  #stopped(): void {
    this.#world.oracle.stopped()
    this.#end()
  }

  #crash(moment: string): void {
    if (this.#process === null) return
    this.#tally.crashes++
    count(this.#tally.faults, `crash: ${moment}`)
    this.#end()
  }

  #end(): void {
    const { clock, disk, hazard, oracle } = this.#world
    const random = this.#random
    this.#process?.kill()
    disk.crash()
    hazard.disarm()
    oracle.processEnded()
    this.#people.processEnded()
    this.#process = null
    const kind = random.weighted({ short: 7, minutes: 2, hours: 0.4 })
    const downMs = {
      short: random.between(200, 5_000),
      minutes: random.spread(30_000, 600_000),
      hours: hourMs,
    }[kind]
    if (random.chance(0.15)) clock.jumpWall(Math.round(random.between(-2, 2) * hourMs))
    this.#startAtMs = Math.round(clock.trueMs + (this.#isStormy ? downMs : 0))
  }

  #calm(): void {
    const { clock, targets, providers, disk, hazard } = this.#world
    targets.allWell()
    providers.allWell()
    disk.isFull = false
    disk.latencyMs = 2
    hazard.disarm()
    if (this.#process === null) this.#startAtMs = clock.trueMs
    const files = this.#changes.withoutAll(this.#world.plan, this.#clashing(this.#world.plan))
    this.#adopt(this.#changes.paced(this.#changes.settled(files), null))
  }

  #adopt(plan: FleetPlan): void {
    this.#world.plan = plan
    this.#reload()
  }

  /** A process that is being started or stopped does not look at its files. */
  #reload(): void {
    const { plan } = this.#world
    if (plan === this.#planInForce || (this.#process !== null && !this.#process.isTakenOver)) return
    this.#planInForce = plan
    if (this.#process !== null && !this.#mayReload(this.#process)) return
    this.#takeFiles()
    this.#wantFleet(() => this.#process?.reload())
  }

  /** Files with what v2 manages are refused whole while a process runs. */
  #mayReload(process: ServiceProcess): boolean {
    const { oracle, plan, tally } = this.#world
    const clashing = this.#clashing(plan)
    const takes = process.takesFiles()
    if (takes !== (clashing.length === 0))
      oracle.findings.note(
        'files and resources',
        takes ? `files with ${clashing.join(', ')} of v2 are taken` : 'files without any clash are refused',
      )
    if (!takes) count(tally.faults, 'reload: refused')
    return takes
  }

  /** Monitors of a plan under ids that v2 manages, or is about to. */
  #clashing({ monitors }: FleetPlan): readonly string[] {
    const { resources } = this.#world.oracle
    return [...monitors.keys()].filter((id) => resources.isManaged(keyOf({ kind: 'Monitor', id })))
  }

  /** What is in force of the files: at a start, the entries that clash are left out. */
  #takeFiles(): void {
    const { oracle, plan } = this.#world
    const clashing = new Set(this.#clashing(plan))
    oracle.resources.files =
      clashing.size === 0
        ? plan
        : { ...plan, monitors: new Map([...plan.monitors].filter(([id]) => !clashing.has(id))) }
  }

  /** A write is on disk, and the process brings it into the fleet. */
  #apply(take: () => void, writes: number): void {
    this.#world.oracle.resources.apply(writes)
    this.#wantFleet(take)
  }

  #wantFleet(take: () => void = () => {}): void {
    const { oracle } = this.#world
    const { files, applied } = oracle.resources
    this.#world.inForce = this.#merged.of(files, applied)
    oracle.planned(this.#world.inForce, take)
  }
}

/** What was stored comes back as JSON does. */
function asRead(recovered: Recovered): Recovered {
  const { states, actions } = recovered
  return { ...recovered, ...JSON.parse(JSON.stringify({ states, actions })) }
}

/** May be read more than once. */
function again<Chunk>(chunks: readonly Chunk[]): AsyncIterable<Chunk> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* chunks
    },
  }
}

/** Everything that was promised has happened, and what waits for the event loop has gone on. */
function loopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Everything that was promised has happened: ticks come after all promises. Costs a third of a turn of the loop. */
function microtasks(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
