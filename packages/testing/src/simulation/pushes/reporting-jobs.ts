// simulation/pushes/reporting-jobs.ts: the jobs of a simulation that report by themselves: they start, end, fail and log, each
// with the ids of its runs, and are silent at times. They have a separate random stream, so that seeds without them keep
// their course. When the calm phase begins all report success.
import { pushKeyDigest } from '@pulseward/server/internal/config/push-key.ts'
import type { PushDesk } from '@pulseward/server/internal/pushing/push-desk.ts'
import { Random } from '../../random.ts'
import type { Agenda } from '../agenda.ts'
import { type FleetPlan, type PlannedMonitor, pushKeyOf } from '../fleet-plan.ts'
import { moments } from '../hazard.ts'
import { count } from '../tally.ts'
import type { World } from '../world.ts'
import type { JobSignal } from './job-signal.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs

/** The process that gets the signals. */
export interface ReportedProcess {
  readonly desk: PushDesk | null
  readonly isAlive: boolean
}

export interface ReportingJobsOptions {
  readonly seed: number
  /** Multiplies how often the service dies with a signal on its way. */
  readonly storm: number
  readonly world: World
  readonly agenda: Agenda
  readonly calmFromMs: number
  /** Null while no process can be asked. */
  readonly process: () => ReportedProcess | null
  readonly plan: () => FleetPlan
}

export class ReportingJobs {
  readonly #options: ReportingJobsOptions
  readonly #random: Random
  readonly #silentUntilMs = new Map<string, number>()
  #signals = 0
  #hasNews = false

  constructor(options: ReportingJobsOptions) {
    this.#options = options
    this.#random = new Random(options.seed + 0x0506)
  }

  begin(): void {
    this.#plan()
  }

  /** Whether the service was called in this step. */
  takeNews(): boolean {
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  /** Each job reports about as often as it is expected to: one after the other, or all at once when all is calm. */
  #plan(): void {
    const { agenda, plan } = this.#options
    const jobs = [...plan().monitors.values()].filter(({ job }) => job !== undefined)
    const waitMs = this.#random.between(5, 40) * secondMs
    const isOne = jobs.length > 0 && this.#isStormy
    agenda.at(this.#nowMs + (isOne ? waitMs / jobs.length : waitMs), () => {
      if (isOne) this.#act(this.#random.pick(jobs))
      else for (const one of jobs) this.#send(one, 'success', '')
      this.#plan()
    })
  }

  #act(monitor: PlannedMonitor): void {
    const random = this.#random
    const { world, storm } = this.#options
    if (this.#isSilent(monitor.id)) return
    if (random.chance(0.05)) return this.#silence(monitor.id)
    if (random.chance(0.002 * storm)) world.hazard.arm(random.pick(moments.slice(0, 3)), random.whole(0, 2))
    const kind = random.weighted({ success: 6, fail: 2, start: 3, log: 1 })
    const times = random.chance(0.1) ? 2 : 1
    for (let time = 0; time < times; time++) this.#send(monitor, kind, random.pick(['', 'a', 'b']))
  }

  #silence(id: string): void {
    count(this.#options.world.tally.faults, 'job silent')
    this.#silentUntilMs.set(id, this.#nowMs + this.#random.spread(minuteMs, 20 * minuteMs))
  }

  #isSilent(id: string): boolean {
    return (this.#silentUntilMs.get(id) ?? 0) > this.#nowMs
  }

  #send({ id }: PlannedMonitor, kind: JobSignal['kind'], rid: string): void {
    const { world, process } = this.#options
    const called = process()
    const owner = called?.desk?.find(pushKeyDigest(pushKeyOf(id))) ?? null
    if (called?.desk == null || owner === null) return
    const signal = { kind, rid, number: ++this.#signals, words: '', tookMs: null, exitCode: null, output: '' }
    this.#hasNews = true
    count(world.tally.signals, kind)
    void called.desk.take(owner, signal).then((taken) => {
      if (!called.isAlive) return
      count(world.tally.signals, taken)
      if (taken !== 'unavailable' && taken !== 'gone') world.oracle.pushes.acknowledged(id, signal.number)
    })
  }

  get #nowMs(): number {
    return this.#options.world.clock.trueMs
  }

  get #isStormy(): boolean {
    return this.#nowMs < this.#options.calmFromMs
  }
}
