// simulation/simulation.ts: the whole controller in a world that tries to break it. Everything that happens
// follows from the seed: time, checks, answers, commits, crashes. After every step the oracle checks its
// rules; the first violation ends the simulation.
import { Random } from '../random.ts'
import { Agenda } from './agenda.ts'
import type { Defect } from './defects.ts'
import { loopTurn } from './event-loop.ts'
import { FaultInjector, type SimulationControls } from './fault-injector.ts'
import { FleetInForce } from './fleet-in-force.ts'
import type { FleetPlan } from './fleet-plan.ts'
import type { Violation } from './oracle/findings.ts'
import { People } from './people.ts'
import { ProcessLife } from './process-life.ts'
import { ReportingJobs } from './pushes/reporting-jobs.ts'
import { count, emptyTally, type Tally } from './tally.ts'
import { WorkForce } from './workers/work-force.ts'
import { makeWorld, type World } from './world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const calmMs = 40 * minuteMs
const onCallChangeMs = 30 * minuteMs
const pageEverySteps = 200
const listEverySteps = 40
const loopTurnEverySteps = 1_000

export interface SimulationOptions {
  readonly seed: number
  readonly hours: number
  readonly monitors: number
  /** Multiplies how much goes wrong. */
  readonly storm: number
  readonly defect: Defect | null
  /** Whether people also write through v2. By default in every fourth seed, since it doubles the cost. */
  readonly writes?: boolean
  /** Whether what they write includes routes. By default it does. */
  readonly routes?: boolean
  /** Whether people acknowledge, dismiss, snooze, recover and so on. By default they do. */
  readonly controls?: boolean
  /** Whether people also add notes to incidents. By default where they control them. */
  readonly notes?: boolean
  /** Whether people also write to and control many at once. By default in every second seed with writes. */
  readonly operations?: boolean
  /** Whether external workers do some of the work. By default in every seventh seed. */
  readonly workers?: boolean
  /** Whether some monitors report by themselves. By default none do. */
  readonly pushes?: boolean
  /** Whether policies page people. By default in all seeds except every fifth. */
  readonly policies?: boolean
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
  readonly #world: World
  readonly #fleet: FleetInForce
  readonly #life: ProcessLife
  readonly #people: People
  readonly #workForce: WorkForce | null
  readonly #jobs: ReportingJobs | null
  readonly #endMs: number
  readonly #calmFromMs: number

  constructor(options: SimulationOptions) {
    this.#options = options
    const { seed, hours, storm, monitors, defect, controls = true } = options
    const hasWrites = options.writes ?? seed % 4 === 0
    const hasOperations = hasWrites && (options.operations ?? seed % 8 === 0)
    const hasWorkers = options.workers ?? seed % 7 === 3
    const hasPushes = options.pushes ?? false
    const hasPolicies = options.policies ?? seed % 5 !== 0
    const random = new Random(seed)
    const agenda = this.#agenda
    const tally = this.#tally
    this.#random = random
    this.#endMs = hours * hourMs
    this.#calmFromMs = this.#endMs - Math.min(calmMs, this.#endMs / 3)
    const calmFromMs = this.#calmFromMs
    const { world, changes } = makeWorld({
      ...{ seed, monitors, defect, tally, random, agenda },
      ...{ hasWrites, hasOperations, hasWorkers, hasPushes, hasPolicies },
      crash: (moment) => this.#life.crash(moment),
      applying: (take, writes) => this.#fleet.apply(take, writes),
    })
    this.#world = world
    this.#fleet = new FleetInForce(world, changes, () => this.#life.process)
    this.#life = new ProcessLife({
      ...{ world, fleet: this.#fleet, random, agenda, storm, calmFromMs },
      ended: () => {
        this.#people.processEnded()
        this.#workForce?.processEnded()
      },
    })
    const { clock, disk, hazard, oracle } = world
    const process = () => this.#life.process
    this.#workForce =
      world.external === null
        ? null
        : new WorkForce({ seed, storm, world, agenda, calmFromMs, process }, world.external)
    const plan = () => this.plan
    this.#jobs = hasPushes
      ? new ReportingJobs({
          ...{ seed, storm, world, agenda, calmFromMs, plan },
          process: () => this.#life.serving,
        })
      : null
    this.#people = new People({
      ...{ seed, storm, agenda, clock, disk, hazard, oracle, tally, calmFromMs },
      who: {
        ...{ writes: hasWrites, routes: options.routes ?? true, operations: hasOperations },
        ...{ controls, notes: options.notes ?? controls },
      },
      process: () => this.#life.serving,
      plan,
    })
  }

  get result(): SimulationResult {
    return { seed: this.#options.seed, tally: this.#tally, violation: this.#world.oracle.findings.first }
  }

  /** The fleet that runs, or will. */
  get plan(): FleetPlan {
    return this.#world.inForce
  }

  async run(): Promise<void> {
    const { clock, oracle, staging } = this.#world
    this.#injectFaults()
    if (this.#world.staging !== null) this.#troubleKeys()
    if (this.#world.onCall !== null) this.#changeOnCall(new Random(~this.#options.seed - 2))
    this.#life.planCrash()
    this.#people.begin()
    this.#workForce?.begin()
    this.#jobs?.begin()
    this.#agenda.at(this.#calmFromMs, () => this.#calm())
    while (clock.trueMs < this.#endMs && oracle.findings.first === null) {
      const nextAtMs = Math.min(this.#life.nextAtMs, this.#agenda.nextAtMs, this.#endMs)
      clock.advanceTo(Math.max(clock.trueMs, nextAtMs))
      await this.#guarded()
      this.#tally.steps++
      await this.#readAlong()
    }
    staging?.[Symbol.dispose]()
    this.#tally.simulatedMs = clock.trueMs
    if (oracle.findings.first === null) await oracle.ended()
  }

  changeFleet(): void {
    this.#fleet.change()
  }

  paceFleet(intervalSeconds: number | null): void {
    this.#fleet.pace(intervalSeconds)
  }

  sleep(ms: number): void {
    const { clock, oracle } = this.#world
    const { process } = this.#life
    const lastsMs = this.#beforeCalm(ms)
    const fromMs = clock.monotonicMs()
    clock.advanceTo(clock.trueMs + lastsMs)
    if (process === null) return
    oracle.lagged(fromMs)
    process.wake()
    oracle.slept(lastsMs)
  }

  suspend(ms: number): void {
    const { clock, oracle } = this.#world
    const lastsMs = this.#beforeCalm(ms)
    clock.suspend(lastsMs)
    oracle.lagged(clock.monotonicMs())
    if (this.#life.process !== null) oracle.slept(lastsMs)
  }

  jumpWall(ms: number): void {
    const { clock, oracle } = this.#world
    clock.jumpWall(ms)
    oracle.lagged(clock.monotonicMs())
    if (this.#life.process !== null) oracle.clockSet(ms)
  }

  loseThread(): void {
    this.#life.process?.loseThread()
  }

  /** An error that reaches this far would have ended the process. */
  async #guarded(): Promise<void> {
    try {
      await this.#step()
    } catch (error) {
      this.#world.oracle.findings.note('the service goes on', `${(error as Error).stack}`)
    }
  }

  /** Any part of a step may end the process. */
  async #step(): Promise<void> {
    const { clock, disk, oracle, defect, settled } = this.#world
    const life = this.#life
    this.#agenda.runUpTo(clock.trueMs)
    this.#fleet.reload()
    if (this.#people.takeNews()) await settled()
    // Calls of workers in the same moment are stored together, in the next turn of the event loop.
    if (this.#workForce?.takeNews()) await loopTurn()
    if (this.#jobs?.takeNews()) {
      await loopTurn()
      oracle.turnEnded()
    }
    if (life.process === null) return life.startIfDue()
    if (disk.nextAtMs <= clock.trueMs) {
      this.#tally.commits++
      disk.advance()
      await settled()
    }
    life.process?.takeResults()
    if (life.process?.takeAnswers()) await settled()
    life.process?.tick()
    if (defect?.disk?.acknowledgesEarly) await settled()
    if (life.process !== null) oracle.stepEnded(disk.isIdle)
  }

  /** Clients read page by page, whatever happens meanwhile. */
  async #readAlong(): Promise<void> {
    const { oracle } = this.#world
    const { steps } = this.#tally
    if (steps % pageEverySteps === 0) await oracle.readOn()
    // Lets other code on this thread run.
    if (steps % loopTurnEverySteps === 0) await loopTurn()
    const desk = this.#life.serving?.writes ?? null
    if (desk !== null && steps % listEverySteps === 0) await oracle.listOn(desk)
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

  /** People change their schedules and policies at this interval on average. */
  #changeOnCall(random: Random): void {
    const atMs =
      this.#world.clock.trueMs - (Math.log(1 - random.next()) * onCallChangeMs) / this.#options.storm
    if (atMs >= this.#calmFromMs) return
    this.#agenda.at(atMs, () => {
      this.#fleet.changeOnCall()
      this.#changeOnCall(random)
    })
  }

  #troubleKeys(): void {
    const { clock, keyFile } = this.#world
    keyFile.planTrouble({
      ...{ seed: this.#options.seed, storm: this.#options.storm, agenda: this.#agenda },
      nowMs: () => clock.trueMs,
      calmFromMs: this.#calmFromMs,
      fault: (kind) => count(this.#tally.faults, kind),
    })
  }

  #beforeCalm(ms: number): number {
    return Math.max(0, Math.min(Math.round(ms), this.#calmFromMs - this.#world.clock.trueMs))
  }

  #calm(): void {
    const { targets, providers, disk, hazard } = this.#world
    targets.allWell()
    providers.allWell()
    disk.isFull = false
    disk.latencyMs = 2
    hazard.disarm()
    this.#life.calm()
    this.#fleet.settle()
  }
}
