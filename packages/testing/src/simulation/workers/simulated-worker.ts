// simulation/workers/simulated-worker.ts: one external worker, which outlives the processes of the service.
// It polls, starts, works, and reports until it has a receipt; but it may let an offer expire, die during its
// work, or report something else afterwards. It never runs what it was not granted.
import type { v2 } from '@pulseward/contract'
import type { Job } from '@pulseward/server/internal/external-workers/job.ts'
import type { Offer } from '@pulseward/server/internal/external-workers/lease-table.ts'
import type { Received, Refusal } from '@pulseward/server/internal/external-workers/receipt.ts'
import type { Random } from '../../random.ts'
import { count, type Tally } from '../tally.ts'
import type { Handlers } from './handlers.ts'
import { misfit } from './job-types.ts'
import type { Call, WorkerLine } from './worker-line.ts'

/** A worker that gets no receipt gives up in the end, so that no seed grows without bound. */
const mostTries = 40

export interface SimulatedWorkerOptions {
  readonly principal: string
  readonly workerId: string
  readonly capacity: number
  readonly jobTypes: readonly string[]
  readonly random: Random
  readonly line: WorkerLine
  readonly handlers: Handlers
  readonly tally: Tally
  readonly isStormy: () => boolean
  /** Causes more trouble around its calls than would happen by chance. */
  readonly disturb: () => void
  readonly nextWord: () => string
}

interface Taken {
  readonly job: Job
  readonly start: v2.StartRequest
}

interface Run extends Taken {
  readonly grantId: string
  /** Null until the job has ended. */
  outcome: v2.Outcome | null
  tries: number
}

export class SimulatedWorker {
  /** Polls and never starts. */
  isIdle = false
  /** None of its calls gets through. */
  isCutOff = false
  readonly options: SimulatedWorkerOptions
  /** The versions that it can run, by job type. */
  readonly versions = new Map<string, readonly string[]>()
  /** Jobs that it is running or has no receipt for, by execution. */
  readonly #runs = new Map<string, Run>()
  #isDead = false
  #isPolling = false

  constructor(options: SimulatedWorkerOptions) {
    this.options = options
  }

  begin(): void {
    this.#pollAfter(this.options.random.whole(1, 2_000))
  }

  /** Dies with everything that it was doing; it may or may not have recorded its grants. */
  die(): void {
    this.#isDead = true
    if (this.options.random.chance(0.4)) this.#runs.clear()
  }

  /** It does not repeat jobs that were running when it died, because it does not know how far they got. */
  revive(): void {
    if (!this.#isDead) return
    this.#isDead = false
    for (const run of this.#runs.values()) {
      run.outcome ??= this.#outcome(run, run.job.kind === 'check' ? 'noData' : 'unknown')
      this.#report(run)
    }
    this.#pollAfter(100)
  }

  get #isStormy(): boolean {
    return this.options.isStormy()
  }

  #mishap(share: number): boolean {
    return this.#isStormy && this.options.random.chance(share)
  }

  #pollAfter(ms: number): void {
    if (this.#isPolling) return
    this.#isPolling = true
    this.options.line.later(ms, () => {
      this.#isPolling = false
      if (!this.#isDead) this.#poll()
    })
  }

  #poll(): void {
    const { random, principal, workerId, capacity } = this.options
    const free = capacity - this.#runs.size
    if (free <= 0) return this.#pollAfter(1_000)
    // Some ask for more than they have room for.
    const limit = random.chance(0.8) ? Math.min(16, free) : 16
    const waitMs = random.chance(0.1) ? 0 : random.whole(5, 25) * 1_000
    const worker = { principal, workerId }
    const capabilities = this.#capabilities()
    this.#isPolling = true
    const pollAgain = (ms: number) => {
      this.#isPolling = false
      this.#pollAfter(ms)
    }
    this.#send({
      name: 'poll',
      ask: async (door) => {
        const offers = await door.poll({ worker, digest: principal, capabilities, capacity, limit }, waitMs)
        return offers.map(takenOf)
      },
      answered: (taken) => {
        for (const one of taken) this.#take(one)
        pollAgain(taken.length > 0 ? 20 : waitMs === 0 ? random.whole(500, 3_000) : 1)
      },
      unanswered: (why) => pollAgain(why === 'revoked' ? 20_000 : random.whole(1_000, 4_000)),
    })
  }

  #capabilities() {
    const { jobTypes, handlers } = this.options
    return jobTypes.flatMap((jobType) =>
      (this.versions.get(jobType) ?? []).map((version) => ({
        kind: handlers.kindOf(jobType),
        jobType,
        version,
      })),
    )
  }

  #take(taken: Taken): void {
    const { random, line } = this.options
    if (this.#isDead || this.isIdle || this.#mishap(0.02)) return
    // The lease may have expired when it starts the job.
    if (this.#mishap(0.04)) line.later(random.spread(500, 9_000), () => this.#start(taken, 2))
    else this.#start(taken, 2)
  }

  #start(taken: Taken, triesLeft: number): void {
    const { random, line, principal, disturb } = this.options
    if (this.#isDead) return
    disturb()
    const again = () => {
      if (triesLeft > 0) line.later(random.spread(200, 5_000), () => this.#start(taken, triesLeft - 1))
    }
    this.#send({
      name: 'start',
      ask: (door) => door.start(principal, taken.start),
      answered: (answer) => {
        if ('kind' in answer) return answer.kind === 'unavailable' ? again() : undefined
        count(this.options.tally.workers, `start ${answer.disposition}`)
        if (answer.disposition === 'granted') this.#run(taken, answer.grantId)
        // Some ask once more, which must not grant anything.
        if (this.#mishap(0.03)) again()
      },
      unanswered: again,
    })
  }

  #run(taken: Taken, grantId: string): void {
    const { random, line, handlers } = this.options
    // The answer may come long after the worker gave up.
    if (this.#isDead || this.#runs.has(taken.job.executionId)) return
    const run: Run = { ...taken, grantId, outcome: null, tries: 0 }
    this.#runs.set(taken.job.executionId, run)
    const { status, lastsMs, rejectionCode } = handlers.run(taken.job)
    const isLate = this.#mishap(0.02)
    const tookMs = isLate ? taken.job.timeoutMs + random.spread(10, 120_000) : lastsMs
    if (this.#mishap(0.1)) line.later(tookMs / 2, () => this.#beat(run))
    line.later(tookMs, () => {
      if (this.#isDead || this.#runs.get(run.job.executionId) !== run) return
      const code = rejectionCode === null ? {} : { rejectionCode }
      run.outcome = { ...this.#outcome(run, status), ...code, data: { latencyMs: Math.round(tookMs) } }
      if (this.#mishap(0.01))
        this.#report({ ...run, outcome: { ...this.#outcome(run, status), data: misfit } })
      this.#report(run)
    })
  }

  #outcome({ job, grantId }: Pick<Run, 'job' | 'grantId'>, status: v2.Outcome['status']): v2.Outcome {
    const { executionId: executionID, kind } = job
    return { executionID, grantID: grantId, kind, status, diagnostic: this.options.nextWord() }
  }

  #beat({ job, grantId }: Run): void {
    const { principal, workerId } = this.options
    if (this.#isDead) return
    const asked = { workerID: workerId, executionID: job.executionId, grantID: grantId }
    this.#send({
      name: 'heartbeat',
      ask: (door) => door.heartbeat(principal, asked),
      answered: () => {},
      unanswered: () => {},
    })
  }

  /** Reports until it has a receipt, or knows that there will be none. */
  #report(run: Run): void {
    const { random, line, principal, disturb } = this.options
    const { outcome } = run
    if (this.#isDead || outcome === null) return
    if (++run.tries > mostTries) return this.#forget(run)
    disturb()
    const again = (ms: number) => line.later(ms, () => this.#report(run))
    this.#send({
      name: 'result',
      ask: (door) => door.result(principal, outcome),
      answered: (answer) => {
        if (!('kind' in answer)) return this.#received(run, outcome, answer)
        count(this.options.tally.workers, `result ${answer.kind}`)
        if (answer.kind === 'unavailable') again(random.spread(500, 10_000))
        else if (answer.kind !== 'wrong') this.#forget(run)
      },
      unanswered: (why) => again(why === 'revoked' ? 30_000 : random.spread(500, 10_000)),
    })
  }

  #forget(run: Run): void {
    const { executionId } = run.job
    if (this.#runs.get(executionId) === run) this.#runs.delete(executionId)
  }

  /** Some report the same again, others something else or something additional. */
  #received(run: Run, outcome: v2.Outcome, { receiptId, disposition }: Received): void {
    const { random, line, tally } = this.options
    count(tally.workers, `receipt ${disposition}`)
    this.#forget(run)
    const afterwards = (happen: () => void) => line.later(random.spread(5, 600_000), happen)
    if (this.#mishap(0.03)) afterwards(() => this.#say(outcome))
    if (this.#mishap(0.02)) {
      const status = this.options.handlers.otherThan(outcome)
      const other = { ...outcome, status, diagnostic: this.options.nextWord() }
      // Only a rejection has a code.
      const { rejectionCode: _code, ...plain } = other
      afterwards(() => this.#say(plain))
    }
    if (this.#mishap(0.02)) afterwards(() => this.#add(outcome, receiptId))
  }

  #say(outcome: v2.Outcome): void {
    const { principal, tally } = this.options
    this.#send({
      name: 'result afterwards',
      ask: (door) => door.result(principal, outcome),
      answered: (answer) => count(tally.workers, `afterwards: ${wordFor(answer)}`),
      unanswered: () => {},
    })
  }

  #add({ executionID }: v2.Outcome, originalReceiptID: string): void {
    const { random, principal, tally } = this.options
    const evidenceID = `e${random.whole(1, 2)}`
    const diagnostic = random.chance(0.8) ? evidenceID : this.options.nextWord()
    const asked = { executionID, evidenceID, originalReceiptID, diagnostic }
    this.#send({
      name: 'evidence',
      ask: (door) => door.evidence(principal, asked),
      answered: (answer) => count(tally.workers, `evidence: ${wordFor(answer)}`),
      unanswered: () => {},
    })
    if (random.chance(0.5))
      this.options.line.later(2_000, () => this.#add({ executionID } as v2.Outcome, originalReceiptID))
  }

  #send<Answer>(call: Omit<Call<Answer>, 'isCutOff'>): void {
    this.options.line.send({ ...call, isCutOff: () => this.isCutOff })
  }
}

/** A copy of the offer: the service's state of the job keeps changing. */
function takenOf({ open: { job }, lease, revision }: Offer): Taken {
  const { executionId: executionID } = job
  return { job, start: { executionID, leaseID: lease.id, executionRevision: String(revision) } }
}

function wordFor(answer: Received | Refusal): string {
  return 'kind' in answer ? answer.kind : `receipt ${answer.disposition}`
}
