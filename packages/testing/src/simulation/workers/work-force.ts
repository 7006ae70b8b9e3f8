// simulation/workers/work-force.ts: all workers of a simulation, and what happens to them: they die and come back, sleep,
// are cut off, lose their tokens and get new ones, and follow new versions of job types one by one. They have a separate
// random stream, so that seeds without workers keep their course. When the calm phase begins all are well and up to date.
import { Random } from '../../random.ts'
import type { Agenda } from '../agenda.ts'
import { type Hazard, moments } from '../hazard.ts'
import { count, type Tally } from '../tally.ts'
import type { World } from '../world.ts'
import { Handlers } from './handlers.ts'
import { jobTypeIds } from './job-types.ts'
import { SimulatedWorker } from './simulated-worker.ts'
import { type CalledProcess, WorkerLine } from './worker-line.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

export interface WorkForceOptions {
  readonly seed: number
  /** Multiplies how much happens to them. */
  readonly storm: number
  readonly world: World
  readonly agenda: Agenda
  readonly calmFromMs: number
  /** Null while no process runs. */
  readonly process: () => CalledProcess | null
}

export class WorkForce {
  readonly line: WorkerLine
  readonly #options: WorkForceOptions
  readonly #external: NonNullable<World['external']>
  readonly #random: Random
  readonly #workers: readonly SimulatedWorker[]

  constructor(options: WorkForceOptions, external: NonNullable<World['external']>) {
    this.#options = options
    this.#external = external
    const { seed, world, agenda, process } = options
    const { clock, tally, oracle, targets, providers } = world
    const random = new Random(seed + 0x70b5)
    this.#random = random
    const isStormy = () => this.#isStormy
    this.line = new WorkerLine({
      ...{ random: random.fork(), agenda, clock, tally, process, isStormy },
      findings: oracle.findings,
    })
    const handlers = new Handlers(random.fork(), targets, providers, external.jobTypes)
    const principals = random.whole(1, 3)
    let words = 0
    this.#workers = Array.from({ length: random.whole(2, 5) }, (_, number) => {
      // At least one worker can run each job type.
      const some = jobTypeIds.filter(() => random.chance(0.7))
      const worker = new SimulatedWorker({
        principal: `site-${number % principals}`,
        workerId: `worker-${number}`,
        capacity: number === 0 ? 12 : random.whole(1, 6),
        jobTypes: number === 0 || some.length === 0 ? jobTypeIds : some,
        random: random.fork(),
        line: this.line,
        ...{ handlers, tally, isStormy },
        disturb: () => this.#disturb(),
        nextWord: () => `word ${++words}`,
      })
      for (const id of jobTypeIds) worker.versions.set(id, [external.jobTypes.versionOf(id)])
      return worker
    })
  }

  begin(): void {
    for (const worker of this.#workers) worker.begin()
    const { agenda, calmFromMs } = this.#options
    const workers = this.#workers.length
    this.#every((2 * hourMs) / workers, () => this.#dies(this.#random.pick(this.#workers)))
    this.#every((3 * hourMs) / workers, () => this.#idles(this.#random.pick(this.#workers)))
    this.#every((3 * hourMs) / workers, () => this.#isCutOff(this.#random.pick(this.#workers)))
    this.#every(3 * hourMs, () => this.#loseToken())
    this.#every(3 * hourMs, () => this.#revise())
    agenda.at(calmFromMs, () => this.#calm())
  }

  /** Whether the service was called in this step. */
  takeNews(): boolean {
    return this.line.takeNews()
  }

  processEnded(): void {
    this.line.processEnded()
  }

  get #isStormy(): boolean {
    return this.#options.world.clock.trueMs < this.#options.calmFromMs
  }

  #dies(worker: SimulatedWorker): void {
    const lastsMs = this.#random.spread(5 * secondMs, 10 * minuteMs)
    this.#for(
      'worker dies',
      lastsMs,
      () => worker.die(),
      () => worker.revive(),
    )
  }

  #idles(worker: SimulatedWorker): void {
    const set = (isIdle: boolean) => {
      worker.isIdle = isIdle
    }
    this.#for(
      'worker never starts',
      this.#random.spread(10 * secondMs, 10 * minuteMs),
      () => set(true),
      () => set(false),
    )
  }

  #isCutOff(worker: SimulatedWorker): void {
    const set = (isCutOff: boolean) => {
      worker.isCutOff = isCutOff
    }
    this.#for(
      'worker cut off',
      this.#random.spread(2 * secondMs, 10 * minuteMs),
      () => set(true),
      () => set(false),
    )
  }

  #loseToken(): void {
    const { principal } = this.#random.pick(this.#workers).options
    const { revoked } = this.#external
    this.#for(
      'token revoked',
      this.#random.spread(10 * secondMs, 20 * minuteMs),
      () => {
        revoked.add(principal)
        this.#options.process()?.workers?.revoke(principal)
      },
      () => revoked.delete(principal),
    )
  }

  /** Running jobs keep their version; workers learn of the new one when it is in force, or some time before. */
  #revise(): void {
    const { jobTypes } = this.#external
    const id = this.#random.pick(jobTypeIds)
    this.#named('job type revised')
    const before = jobTypes.versionOf(id)
    jobTypes.revise(id)
    const after = jobTypes.versionOf(id)
    for (const worker of this.#workers) {
      const keepsOld = this.#random.chance(0.5)
      this.line.later(this.#random.spread(secondMs, 5 * minuteMs), () =>
        worker.versions.set(id, keepsOld ? [before, after] : [after]),
      )
    }
  }

  #calm(): void {
    const { jobTypes, revoked } = this.#external
    revoked.clear()
    for (const worker of this.#workers) {
      worker.isCutOff = false
      worker.isIdle = false
      worker.revive()
      for (const id of jobTypeIds) worker.versions.set(id, [jobTypes.versionOf(id)])
    }
  }

  #disturb(): void {
    const { storm, world } = this.#options
    if (!this.#isStormy) return
    if (this.#random.chance(0.0004 * storm)) this.#strike(world.hazard)
    if (this.#random.chance(0.0004 * storm)) this.#fillDisk()
  }

  /** Strikes between the call and its answer. */
  #strike(hazard: Hazard): void {
    hazard.arm(this.#random.pick(moments.slice(0, 3)), this.#random.whole(0, 2))
  }

  #fillDisk(): void {
    const { disk } = this.#options.world
    if (disk.isFull) return
    const set = (isFull: boolean) => {
      disk.isFull = isFull
    }
    this.#for(
      'full disk under what workers ask',
      this.#random.spread(secondMs, 8 * secondMs),
      () => set(true),
      () => set(false),
    )
  }

  #named(kind: string): void {
    const { tally }: { tally: Tally } = this.#options.world
    count(tally.faults, kind)
  }

  /** Something begins now and ends later, at the latest when the calm phase begins. */
  #for(kind: string, ms: number, begin: () => void, end: () => void): void {
    const { agenda, world, calmFromMs } = this.#options
    this.#named(kind)
    begin()
    agenda.at(Math.min(world.clock.trueMs + ms, calmFromMs), end)
  }

  #every(meanMs: number, happen: () => void): void {
    const { agenda, storm, world, calmFromMs } = this.#options
    const atMs = world.clock.trueMs - (Math.log(1 - this.#random.next()) * meanMs) / storm
    if (atMs >= calmFromMs) return
    agenda.at(atMs, () => {
      if (this.#isStormy) happen()
      this.#every(meanMs, happen)
    })
  }
}
