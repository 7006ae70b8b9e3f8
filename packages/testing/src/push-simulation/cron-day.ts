// push-simulation/cron-day.ts: a day of many cron jobs in five zones whose clocks are changed on it, while the service is
// killed, its machine suspended and its clock set. Afterwards every run is accounted for: each missed one was told once,
// nothing else was, and what fell into the time without a service is said not to be known.
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import { endpoints, push, TestService } from '../engine/test-service.ts'
import { Random } from '../random.ts'
import {
  type CronDayName,
  cronDays,
  type Hazard,
  hazardsOf,
  type Job,
  jobsOf,
  mostErrorMs,
  type Run,
} from './cron-world.ts'

const second = 1_000
const minute = 60 * second

/** The longest step in which the engine does not take itself for stalled. */
const stepMs = 500
/** How exactly a deadline is noticed, by a clock that may be wrong. */
const toleranceMs = mostErrorMs + 2 * second
/** The usual `early` of jobs with at least so much between two runs. */
const earlyMs = minute

export interface CronDay {
  readonly seed: number
  readonly day: CronDayName
  readonly jobs: number
  readonly hours: number
  /** Called with each process before it starts, to plant a defect. */
  readonly look?: NonNullable<Parameters<typeof TestService.start>[0]['look']>
  /** What the service is told about a job, if that is to be wrong. */
  readonly timezoneOf?: (job: Job) => string
}

export interface CronDayEnd {
  readonly runs: number
  /** Runs that were missed and told. */
  readonly told: number
  /** Windows of which the service says that it does not know. */
  readonly unknown: number
  readonly restarts: number
  /** What is wrong, in sentences; empty if nothing is. */
  readonly violations: readonly string[]
}

/** A time without a service, in true time. */
interface Down {
  readonly fromMs: number
  readonly untilMs: number
}

interface Occurrence {
  readonly atMs: number
  happen(): Promise<void>
}

export async function simulateCronDay(options: CronDay): Promise<CronDayEnd> {
  const world = new CronDayWorld(options)
  await world.live()
  return world.account()
}

class CronDayWorld {
  readonly #options: CronDay
  readonly #jobs: readonly Job[]
  readonly #hazards: readonly Hazard[]
  readonly #downs: Down[] = []
  /** When the clock was set forward. The service cannot tell that from a suspended machine. */
  readonly #skips: number[] = []
  /** Runs whose report was acknowledged. */
  readonly #heard = new Set<Run>()
  #service: TestService | null = null
  #told: readonly string[] = []
  #events = new Map<string, readonly StoredEvent[]>()

  constructor(options: CronDay) {
    const { seed, day, jobs, hours } = options
    const random = new Random(seed)
    this.#options = options
    this.#jobs = jobsOf(random, jobs, day, hours)
    this.#hazards = hazardsOf(random, cronDays[day].fromMs, hours)
  }

  async live(): Promise<void> {
    const { day, look, timezoneOf = ({ timezone }) => timezone } = this.#options
    const { fromMs } = cronDays[day]
    const service = await TestService.start({
      monitors: this.#jobs.map((job) =>
        push(job.id, { cron: job.cron, timezone: timezoneOf(job), grace: `${job.graceMs / second}s` }),
      ),
      head: { ...endpoints('ops'), defaults: { notify: { red: ops(), green: ops() } } },
      wallMs: fromMs,
      stepMs,
      ...(look === undefined ? {} : { look }),
    })
    this.#service = service
    // Each has reported before.
    for (const { id } of this.#jobs) await service.signal(id)
    for (const { atMs, happen } of this.#course()) {
      // What was due while the machine was suspended happens afterwards.
      if (atMs > this.#endMs) break
      if (atMs > this.#nowMs) await service.advance({ ms: atMs - this.#nowMs })
      await happen()
    }
    await service.advance({ ms: this.#endMs - this.#nowMs })
    this.#told = service.told
    for (const { id } of this.#jobs) this.#events.set(id, await service.events(id))
  }

  /** True time: what every clock but the one of the service shows. */
  get #nowMs(): number {
    return cronDays[this.#options.day].fromMs + this.#running.clock.trueMs
  }

  get #endMs(): number {
    const { day, hours } = this.#options
    return cronDays[day].fromMs + hours * 60 * minute
  }

  get #running(): TestService {
    if (this.#service === null) throw new Error('the day has not begun')
    return this.#service
  }

  #course(): Occurrence[] {
    const reports = this.#jobs.flatMap((job) =>
      job.runs
        .filter(({ end }) => end !== 'missed')
        .map((run) => ({ atMs: run.atMs, happen: () => this.#report(job, run) })),
    )
    const hazards = this.#hazards.map((hazard) => ({ atMs: hazard.atMs, happen: () => this.#befall(hazard) }))
    return [...reports, ...hazards].sort((one, other) => one.atMs - other.atMs)
  }

  async #report({ id }: Job, run: Run): Promise<void> {
    // Nobody answered at that time, and the job did not try again.
    if (this.#downs.some(({ fromMs, untilMs }) => fromMs < run.atMs && run.atMs <= untilMs)) return
    const answer = await this.#running.signal(id, run.end === 'reported' ? 'success' : 'fail')
    if (answer === 'taken') this.#heard.add(run)
  }

  async #befall({ kind, ms }: Hazard): Promise<void> {
    const service = this.#running
    if (kind === 'set') {
      if (ms > 0) this.#skips.push(this.#nowMs)
      return service.clock.jumpWall(ms)
    }
    // A notification that is being sent when the process dies has no known outcome, which is told elsewhere.
    for (let before = -1; before !== service.told.length; await service.advance({ seconds: 2 }))
      before = service.told.length
    const wrongMs = service.clock.wallMs() - this.#nowMs
    const beganMs = this.#nowMs
    if (kind === 'suspended') service.clock.suspend(ms)
    else {
      // The next process knows only when the last commit was.
      const { seenAt } = (await service.store.recover(0)).retention
      this.#downs.push({ fromMs: (seenAt ?? beganMs) - wrongMs, untilMs: beganMs })
      await service.restart(undefined, { offSeconds: ms / second })
    }
    this.#downs.push({ fromMs: beganMs, untilMs: this.#nowMs })
  }

  account(): CronDayEnd {
    const ends = this.#jobs.map((job) => this.#accountOf(job))
    return {
      runs: this.#jobs.reduce((sum, { runs }) => sum + runs.length, 0),
      told: ends.reduce((sum, { told }) => sum + told, 0),
      unknown: ends.reduce((sum, { unknown }) => sum + unknown, 0),
      restarts: this.#hazards.filter(({ kind }) => kind === 'off').length,
      violations: ends.flatMap(({ violations }) => violations),
    }
  }

  #accountOf(job: Job) {
    const events = this.#events.get(job.id) ?? []
    const missed = events.filter(({ type }) => type === 'push_missed').map(({ at }) => at)
    const unknown = events.filter(({ type }) => type === 'push_unknown').map(({ at }) => at)
    const violations: string[] = []
    const say = (run: Run, words: string) =>
      violations.push(
        `${job.id} (${job.cron} ${job.timezone}): the run of ${new Date(run.dueMs).toISOString()} ${words}`,
      )
    const told = new Set<number>()
    const colors: string[] = []
    const note = (color: 'red' | 'green') => {
      if ((colors.at(-1) ?? 'green') !== color) colors.push(color)
    }
    const endMs = this.#endMs - toleranceMs
    for (const run of job.runs.filter((one) => this.#heard.has(one) || one.dueMs + job.graceMs < endMs)) {
      const deadlineMs = run.dueMs + job.graceMs
      const at = missed.filter((one) => Math.abs(one - deadlineMs) <= toleranceMs)
      for (const one of at) told.add(one)
      if (this.#heard.has(run)) {
        if (at.length > 0) say(run, 'was told to be missed, but was reported')
        note(run.end === 'reported' ? 'green' : 'red')
        continue
      }
      if (at.length > 1) say(run, `was told to be missed ${at.length} times`)
      if (at.length > 0) note('red')
      const overlap = this.#overlapOf(job, run)
      if (overlap === 'none' && at.length === 0 && !this.#isCovered(job, run))
        say(run, 'was missed, and nobody was told')
      if (overlap === 'sure' && at.length > 0)
        say(run, 'was told to be missed, but the service was not there')
      // Windows that passed together are said once.
      const saidUntilMs = this.#upAfter(deadlineMs) + 2 * toleranceMs
      const isSaid = unknown.some((one) => one >= run.dueMs - toleranceMs && one <= saidUntilMs)
      if (overlap === 'sure' && !isSaid)
        say(run, 'fell into the time without the service, and that is not said')
    }
    for (const one of missed)
      if (!told.has(one))
        violations.push(`${job.id} (${job.cron}): a false alarm at ${new Date(one).toISOString()}`)
    const heard = this.#told.flatMap((words) =>
      words.startsWith(`${job.id} `) ? [words.split(' ')[1]!] : [],
    )
    if (heard.join() !== colors.join())
      violations.push(
        `${job.id} (${job.cron}): told ${heard.join() || 'nothing'} instead of ${colors.join() || 'nothing'}`,
      )
    return { told: told.size, unknown: unknown.length, violations }
  }

  /** How the window of a run lies to the times without a service; `near` if the tolerance decides. */
  #overlapOf({ graceMs }: Job, { dueMs }: Run): 'none' | 'near' | 'sure' {
    const from = dueMs - Math.max(graceMs, earlyMs)
    const until = dueMs + graceMs
    const reaches = (byMs: number) =>
      this.#downs.some((down) => down.fromMs < until + byMs && down.untilMs > from - byMs)
    if (reaches(-toleranceMs)) return 'sure'
    const isSkipped = this.#skips.some((atMs) => atMs > from - toleranceMs && atMs < until + toleranceMs)
    return isSkipped || reaches(toleranceMs) ? 'near' : 'none'
  }

  /** The report of an earlier run came so late that it counted for this one too. */
  #isCovered({ runs, graceMs }: Job, { dueMs }: Run): boolean {
    const counts = ({ atMs }: Run) => atMs >= dueMs - earlyMs - toleranceMs && atMs <= dueMs + graceMs
    return runs.some((other) => this.#heard.has(other) && other.dueMs < dueMs && counts(other))
  }

  /** When the service was there after this instant, and had time to say so. */
  #upAfter(atMs: number): number {
    let upMs = atMs
    for (const { fromMs, untilMs } of this.#downs)
      if (fromMs - toleranceMs <= upMs) upMs = Math.max(upMs, untilMs)
    return upMs
  }
}

function ops() {
  return { endpoints: ['ops'] }
}
