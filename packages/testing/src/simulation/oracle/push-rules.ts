// simulation/oracle/push-rules.ts: compares jobs that report by themselves with their model. What the service says of a
// silence is taken from it, because it may choose the turn, and checked: it must be due, once, and soon. Every result of
// a job belongs to a signal, to such a silence, or is a failure that its monitor was owed. What was acknowledged is on disk.
import type { CommitBatch, Recovered, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { CheckEnd } from '../../engine/fake-targets.ts'
import { PushModel, type Verdict } from '../../push-simulation/push-model.ts'
import type { PlannedMonitor } from '../fleet-plan.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import type { JobSignal } from '../pushes/job-signal.ts'
import { timingOf } from '../pushes/push-jobs.ts'
import { count, type Tally } from '../tally.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

/** The names of the rules. */
const rules = {
  silence: 'silence is told once, and in time',
  signals: 'signals count as what they are',
  kept: 'acknowledged signals are kept',
  known: 'what is known of jobs',
} as const

/** A deadline may be noticed this much later, and a time be this much off. */
const noticedMs = 3_000
/** Service time is measured again at each turn. */
const roundingMs = 1_200
const longestTurnMs = 1_000
/** A shorter pause may pass unnoticed between two turns. */
const shortestStallMs = 1_000

const anyTiming = { everyMs: null, graceMs: 0, earlyMs: 0 }

export interface PushRulesOptions {
  readonly scene: Scene
  readonly findings: Findings
  readonly tally: Tally
  readonly model: ReferenceModel
}

interface Job {
  readonly model: PushModel
  /** The last signal that was taken. */
  heard: number
  /** What the service has yet to pass on to the monitor. */
  owed: CheckEnd['status'][]
  /** Its monitor waits for one more failure: since when, by the running time of the process. */
  awaitsFailureMs: number | null
  /** Since when it should have said that something is over. */
  overdueMs: number | null
  /** Its monitor is in maintenance, or snoozed. */
  quiet: { readonly byWindow: boolean; readonly bySnooze: boolean }
}

interface Stored {
  readonly model: PushModel
  readonly heard: number
}

type Silence = 'window' | 'run'

type ToldEvent = Pick<StoredEvent, 'type' | 'monitorId' | 'because' | 'detail'>

export class PushRules {
  readonly #options: PushRulesOptions
  #jobs = new Map<string, Job>()
  /** A job that never reports: it knows only of when nobody could. */
  #silent = new PushModel(anyTiming)
  /** What is on disk, and what the batches on their way bring. */
  #stored = new Map<string, Stored>()
  readonly #coming = new WeakMap<CommitBatch, ReadonlyMap<string, Stored | null>>()
  /** The service handles in its next turn that a monitor is watched again, or by other rules. */
  readonly #changing = new Set<string>()
  readonly #idOf = new Map<number, string>()
  /** Jobs of which this process has yet to say that it does not know what it missed. */
  readonly #atStart = new Map<string, 'unknown' | 'perhaps'>()
  #seenAt = 0
  #isResumed = false
  #aheadMs = 0
  #lastTickMs = 0
  #runningMs = 0
  #isPaused = false
  #pausedAtMs = 0
  /** Until when the service knows that nobody could report, by its monotonic clock. */
  #unheardUntilMs = 0

  constructor(options: PushRulesOptions) {
    this.#options = options
  }

  storeRead({ retention }: Recovered): void {
    this.#seenAt = retention.seenAt ?? Number.POSITIVE_INFINITY
  }

  processStarted(): void {
    this.#jobs = new Map(
      Array.from(this.#stored, ([id, { model, heard }]) => [id, newJob(model.stored(), heard)] as const),
    )
    this.#silent = new PushModel(anyTiming)
    this.#isResumed = false
    this.#isPaused = false
    this.#unheardUntilMs = 0
    this.#atStart.clear()
    this.#changing.clear()
  }

  /** The schedule is armed, or something of a job shows that it is. */
  resume(): void {
    if (this.#isResumed) return
    this.#isResumed = true
    const { now, nowMs } = this
    this.#aheadMs = now - nowMs
    this.#lastTickMs = nowMs
    if (this.#seenAt < now) this.#silent.resume(this.#seenAt, now, roundingMs)
    const { monitors } = this.#options.scene.plan
    for (const id of this.#jobs.keys()) if (monitors.get(id)?.job === undefined) this.#jobs.delete(id)
    for (const monitor of monitors.values()) {
      const { job } = monitor
      if (job === undefined) continue
      const known = this.#jobs.get(monitor.id)
      const model = known?.model ?? this.#silent.another(timingOf(job))
      model.timing = timingOf(job)
      model.isDisabled = !this.#isWatched(monitor)
      const resumed = known ?? newJob(model, 0)
      resumed.quiet = this.#quietOf(monitor.id)
      this.#jobs.set(monitor.id, resumed)
      if (known === undefined) continue
      const said = model.resume(Math.min(this.#seenAt, now), now, roundingMs)
      if (said !== null) this.#atStart.set(monitor.id, said)
      if (!model.isDisabled && model.hasFailed) this.#awaitFailure(known)
    }
  }

  /** Another fleet is in force; `before` are the previous monitors. */
  reloaded(before: ReadonlyMap<string, PlannedMonitor>): void {
    if (!this.#isResumed) return
    this.#follow()
    const { monitors } = this.#options.scene.plan
    for (const id of this.#jobs.keys()) if (monitors.get(id)?.job === undefined) this.#jobs.delete(id)
    for (const monitor of monitors.values()) {
      const { id, job } = monitor
      if (job === undefined) continue
      const known = this.#jobs.get(id)
      const last = before.get(id)
      if (known === undefined || last?.job === undefined)
        this.#jobs.set(id, newJob(this.#silent.another(timingOf(job)), 0))
      this.#watch(monitor)
      const { model } = this.#jobs.get(id)!
      if (last?.job !== undefined && last.job !== job) model.change(timingOf(job), this.now)
    }
  }

  /** A monitor was snoozed, or its snooze has ended. */
  silenced(id: string): void {
    const monitor = this.#options.scene.monitor(id)
    if (monitor?.job === undefined || !this.#isResumed) return
    this.#follow()
    this.#watch(monitor)
  }

  /** A signal was taken in this turn, and whether it counts. */
  taken(id: string, { kind, rid, number }: JobSignal, counts: boolean): void {
    this.resume()
    this.#follow()
    const job = this.#jobs.get(id)
    if (job === undefined)
      return this.#note('signals', `a signal of ${id} is taken, which does not report by itself`)
    count(this.#options.tally.compared, 'signals')
    if (counts === job.model.isDisabled)
      this.#note('signals', `a signal of ${id} ${counts ? 'counts' : 'does not count'}`)
    job.heard = number
    job.overdueMs = null
    job.model.signal(kind, rid, this.now)
    if (counts && kind === 'success') job.owed.push('success')
    if (counts && kind === 'fail') job.owed.push('failure')
    if (kind === 'success') job.awaitsFailureMs = null
  }

  /** The job was told that its signal is stored. */
  acknowledged(id: string, number: number): void {
    if (!this.#jobs.has(id)) return
    if ((this.#stored.get(id)?.heard ?? 0) < number)
      this.#note('kept', `a signal of ${id} is acknowledged before it is on disk`)
  }

  /** The service adds an event about a job to the history. */
  told({ type, monitorId, because, detail }: ToldEvent): void {
    if (!type.startsWith('push_') || type === 'push_log' || monitorId === null) return
    this.resume()
    this.#follow()
    const job = this.#jobs.get(monitorId)
    if (job === undefined)
      return this.#note('silence', `${monitorId} has ${type} and does not report by itself`)
    count(this.#options.tally.compared, 'silences')
    job.overdueMs = null
    if (because?.kind !== reasonOf[type])
      this.#note('silence', `${monitorId} has ${type} because of ${because?.kind}`)
    if (type === 'push_late') return this.#late(monitorId, job.model)
    if (type === 'push_unknown' && this.#takesUnknown(monitorId)) return
    const wanted: Verdict = type === 'push_unknown' ? 'unknown' : 'failure'
    const verdict = this.#judge(job.model, aboutOf(type, detail), wanted)
    if (verdict !== wanted)
      return this.#note(
        'silence',
        `${monitorId} has ${type}, the model says ${verdict ?? 'that nothing is over'}: ${this.#words(monitorId)}`,
      )
    job.owed.push(wanted === 'unknown' ? 'no_data' : 'failure')
  }

  /** The monitor of the job gets a result. */
  passedOn(id: string, status: CheckEnd['status']): void {
    this.resume()
    const job = this.#jobs.get(id)
    if (job === undefined) return this.#note('signals', `${id} gets ${status} of a job and has none`)
    count(this.#options.tally.compared, 'results of jobs')
    this.#noticeEnds(id, job)
    const [owed] = job.owed
    if (owed === status) return void job.owed.shift()
    // A job that is down has no next check: where its monitor waits for a failure, it gets one.
    const mayBeOwed = job.awaitsFailureMs !== null || this.#isFree(id)
    if (status === 'failure' && job.model.hasFailed && mayBeOwed) job.awaitsFailureMs = null
    else
      this.#note('signals', `${id} gets ${status}, the model says ${owed ?? 'nothing'}: ${this.#words(id)}`)
  }

  handedOver(batch: CommitBatch): void {
    if (batch.pushes.length === 0) return
    this.#nameRows()
    // A clock that was set moves what is stored in the turn that notices it.
    if (this.#isResumed) this.#follow()
    const coming = new Map<string, Stored | null>()
    for (const { numericId, push } of batch.pushes) {
      const id = this.#idOf.get(numericId)
      if (id === undefined) continue
      const job = this.#jobs.get(id)
      coming.set(
        id,
        push === null || job === undefined ? null : { model: job.model.stored(), heard: job.heard },
      )
    }
    this.#coming.set(batch, coming)
  }

  written(batch: CommitBatch): void {
    for (const [id, stored] of this.#coming.get(batch) ?? []) {
      if (stored === null) this.#stored.delete(id)
      else this.#stored.set(id, stored)
    }
  }

  /** Nothing can be stored from now on, so nobody can report; or again. */
  setPaused(isPaused: boolean): void {
    const { nowMs } = this
    if (isPaused && !this.#isPaused) this.#pausedAtMs = nowMs
    if (!isPaused && this.#isPaused) this.#judgeStall(nowMs - this.#pausedAtMs)
    this.#isPaused = isPaused
    this.#forgetDue()
  }

  /** The service says that nobody could report in this time, by its monotonic clock. */
  unheard(fromMs: number, untilMs: number | null): void {
    if (untilMs === null) return
    this.#unheardUntilMs = untilMs
    if (!this.#isResumed) return
    this.#follow()
    for (const model of this.#models()) model.stalled(fromMs + this.#aheadMs, untilMs + this.#aheadMs)
  }

  /** The service has just run a turn. */
  ticked(): void {
    if (this.#jobs.size === 0 || !this.#isResumed) return
    this.#follow()
    const sinceMs = this.nowMs - this.#lastTickMs
    this.#lastTickMs = this.nowMs
    if (sinceMs > longestTurnMs || this.#isPaused) this.#forgetDue()
    this.#runningMs += sinceMs
    for (const [id, job] of this.#jobs) {
      this.#noticeEnds(id, job)
      this.#judgeOverdue(id, job)
      this.#judgeOwed(id, job)
      if (!this.#changing.has(id)) this.#compare(id, job.model)
    }
    this.#changing.clear()
  }

  get now(): number {
    return this.#options.scene.running.parts.time.now()
  }

  get nowMs(): number {
    return this.#options.scene.clock.monotonicMs()
  }

  #late(id: string, { dueMs, deadlineMs, isDueKnown }: PushModel): void {
    const { now } = this
    if (!isDueKnown) return
    if (dueMs === null || deadlineMs === null || now < dueMs - roundingMs || now > deadlineMs + noticedMs)
      this.#note('silence', `${id} is told to be late: ${this.#words(id)}`)
  }

  #judge(model: PushModel, about: Silence, said: Verdict): Verdict | null {
    const { now } = this
    return about === 'run' ? model.endRun(now, roundingMs) : model.pass(now, roundingMs, said)
  }

  /** The first thing that a process says of a job with `every`. */
  #takesUnknown(id: string): boolean {
    if (!this.#atStart.delete(id)) return false
    this.#jobs.get(id)!.owed.push('no_data')
    return true
  }

  #judgeOverdue(id: string, job: Job): void {
    const { model } = job
    const isOver =
      this.#atStart.get(id) === 'unknown' ||
      (!model.isDisabled && model.isDueKnown && (model.deadlineMs ?? Number.POSITIVE_INFINITY) <= this.now)
    job.overdueMs = isOver && !this.#isPaused ? (job.overdueMs ?? this.#runningMs) : null
    if (job.overdueMs !== null && this.#runningMs - job.overdueMs > noticedMs)
      this.#note('silence', `the silence of ${id} is not told: ${this.#words(id)}`)
  }

  #judgeOwed(id: string, job: Job): void {
    const [left] = job.owed
    if (left !== undefined) this.#note('signals', `${id} does not get ${left}: ${this.#words(id)}`)
    if (this.#isPaused) return
    const { episode } = this.#options.model.monitor(id) ?? { episode: null }
    const isAwaited = job.awaitsFailureMs !== null || this.#isFree(id)
    const isOwed = isAwaited && job.model.hasFailed && episode !== null && !job.model.isDisabled
    job.awaitsFailureMs = isOwed ? (job.awaitsFailureMs ?? this.#runningMs) : null
    if (job.awaitsFailureMs !== null && this.#runningMs - job.awaitsFailureMs > noticedMs)
      this.#note('silence', `${id} is down, and its monitor is not told again: ${this.#words(id)}`)
  }

  #judgeStall(lastedMs: number): void {
    if (!this.#isResumed || this.#jobs.size === 0 || lastedMs <= shortestStallMs) return
    if (this.#unheardUntilMs < this.nowMs - roundingMs)
      this.#note('silence', `nobody could report for ${lastedMs} ms, and that is not heeded`)
  }

  /** No ancestor keeps the monitor quiet any more. */
  #isFree(id: string): boolean {
    const { model } = this.#options
    return model.monitor(id)?.episode?.withheld === 'ancestor' && model.speaks(id)
  }

  #compare(id: string, model: PushModel): void {
    const { scene } = this.#options
    const row = scene.rowOf(id)
    const seen = row < 0 ? undefined : this.#reportOf(row)
    if (seen === undefined) return this.#note('known', `nothing is known of ${id}`)
    const runs = [...seen.runs.keys()].sort().join()
    const expected = [...model.runs.keys()].sort().join()
    if (runs !== expected) this.#note('known', `${id} has the open runs "${runs}" instead of "${expected}"`)
    if (seen.hasFailed !== model.hasFailed)
      this.#note('known', `${id} is ${seen.hasFailed ? '' : 'not '}known to have failed: ${this.#words(id)}`)
    const offMs = Math.abs((seen.dueAt ?? 0) - (model.dueMs ?? 0))
    if (model.isDueKnown && offMs > 2 * roundingMs)
      this.#note('known', `${id} is due ${offMs} ms away from where it should be: ${this.#words(id)}`)
  }

  #reportOf(row: number) {
    for (const source of this.#options.scene.running.parts.sources) {
      const report = source.reportOf?.(row)
      if (report != null) return report.state
    }
    return undefined
  }

  #watch(monitor: PlannedMonitor): void {
    const job = this.#jobs.get(monitor.id)
    if (job === undefined) return
    const isWatched = this.#isWatched(monitor)
    this.#changing.add(monitor.id)
    if (isWatched && job.model.isDisabled) job.model.enable(this.now)
    else if (!isWatched) job.model.isDisabled = true
  }

  #isWatched({ id, enabled }: PlannedMonitor): boolean {
    return enabled && !this.#options.scene.isSnoozed(id)
  }

  /** A window or a snooze that ends with the job down. */
  #noticeEnds(id: string, job: Job): void {
    const before = job.quiet
    job.quiet = this.#quietOf(id)
    const hasEnded = (before.byWindow && !job.quiet.byWindow) || (before.bySnooze && !job.quiet.bySnooze)
    if (hasEnded && job.model.hasFailed) this.#awaitFailure(job)
  }

  #quietOf(id: string): Job['quiet'] {
    const monitor = this.#options.model.monitor(id)
    return { byWindow: monitor?.maintenance != null, bySnooze: monitor?.snooze != null }
  }

  #awaitFailure(job: Job): void {
    job.awaitsFailureMs = this.#runningMs
  }

  #forgetDue(): void {
    for (const job of this.#jobs.values()) {
      job.overdueMs = null
      if (job.awaitsFailureMs !== null) job.awaitsFailureMs = this.#runningMs
    }
  }

  /** Service time is set with the wall clock. */
  #follow(): void {
    const aheadMs = this.now - this.nowMs
    const stepMs = aheadMs - this.#aheadMs
    if (stepMs === 0) return
    this.#aheadMs = aheadMs
    for (const model of this.#models()) model.moveClock(stepMs, this.now)
  }

  *#models(): Iterable<PushModel> {
    yield this.#silent
    for (const { model } of this.#jobs.values()) yield model
  }

  #nameRows(): void {
    const { scene } = this.#options
    const { identities } = scene.running.parts
    for (const [id, row] of scene.heldRows()) this.#idOf.set(identities.numberOf(row), id)
  }

  #words(id: string): string {
    const job = this.#jobs.get(id)
    if (job === undefined) return 'gone'
    const { model, ...rest } = job
    const { dueMs, deadlineMs, hasFailed, isDisabled, isDueKnown, runs, timing } = model
    const row = this.#options.scene.rowOf(id)
    const seen = row < 0 ? null : this.#reportOf(row)
    const { episode } = this.#options.model.monitor(id) ?? { episode: null }
    return JSON.stringify({
      now: this.now,
      withheld: episode?.withheld,
      dueMs,
      deadlineMs,
      hasFailed,
      isDisabled,
      isDueKnown,
      runs: [...runs],
      timing,
      ...rest,
      seen,
    })
  }

  #note(rule: keyof typeof rules, words: string): void {
    this.#options.findings.note(rules[rule], words)
  }
}

const reasonOf: Readonly<Record<string, string>> = {
  push_late: 'push_overdue',
  push_missed: 'push_silent',
  push_not_ended: 'push_not_ended',
  push_unknown: 'push_unreachable',
}

function newJob(model: PushModel, heard: number): Job {
  const quiet = { byWindow: false, bySnooze: false }
  return { model, heard, owed: [], awaitsFailureMs: null, overdueMs: null, quiet }
}

/** What is unknown may be whether a job ran, or whether its run has ended. */
function aboutOf(type: string, detail: unknown): Silence {
  if (type === 'push_not_ended') return 'run'
  const { reason } = detail as { readonly reason: string }
  return type === 'push_unknown' && reason.startsWith('whether the run of') ? 'run' : 'window'
}
