// checking/pool/worker-pool.ts: how many jobs may run at once, and how that number follows what is observed. A worker
// is a permit to run one job, not a thread. The pool only counts; it runs nothing and has no clock.
//
// Until the first observations the size is the recommended one. After that it at most doubles every 5 s, and shrinks by
// at most a tenth every 30 s. It never goes below its initial size: an idle worker costs nothing, the checks of a growing
// fleet need not wait, and from there growth is fast enough when targets suddenly begin to hang.
//
// It does not grow while the threads that run its jobs are constantly busy: jobs then take long because they
// wait for the threads, and more of them would only wait longer. Jobs that wait for their targets leave the
// threads idle, so hanging targets never prevent the growth that they need.
import { type ServiceObservation, ServiceObserver } from './service-observer.ts'
import { type PoolBounds, type Sizing, type SizingModel, sizePool, upperBound } from './sizing.ts'

const GROWTH_EVERY_MS = 5_000
const GROWTH_FACTOR = 2
const SHRINK_EVERY_MS = 30_000
const SHRINK_FACTOR = 0.9
/** Above this fraction of busy time, a thread has no capacity to spare. */
const BUSY_THREADS = 0.9
/** How much of a drop in load counts at once: a short pause within seconds of work is not spare capacity. */
const LOAD_FALL = 1 / 8

export interface PoolSettings {
  readonly bounds: PoolBounds
  /** The mean wait for a worker that the size aims for. */
  readonly waitTargetMs: number
}

export interface PoolObservation {
  readonly min: number
  readonly max: number
  readonly capacity: number
  readonly busy: number
  readonly waiting: number
  /** The size that the capacity moves towards. */
  readonly target: number
  readonly submitted: number
  readonly completed: number
  readonly scalingEvents: number
  /** Epoch milliseconds. */
  readonly lastScale: number | null
  readonly serviceTimeMs: number | null
  readonly serviceCv: number | null
  readonly serviceSamples: number
  readonly sizingModel: SizingModel
  /** What the model recommends, within the bounds. */
  readonly recommended: number
  readonly reason: string
  /** Jobs per second. */
  readonly arrivalRate: number | null
  readonly arrivalCv: number | null
  readonly targetMs: number
}

/** The fields of an observation that the history keeps. */
export const POOL_HISTORY_FIELDS = [
  'capacity',
  'busy',
  'waiting',
  'target',
  'recommended',
  'submitted',
  'completed',
  'serviceTimeMs',
  'arrivalRate',
] as const satisfies readonly (keyof PoolObservation)[]

export class WorkerPool {
  readonly #settings: PoolSettings
  readonly #service: ServiceObserver
  #sizing: Sizing
  #capacity: number
  #target: number
  #busy = 0
  #submitted = 0
  #completed = 0
  #scalingEvents = 0
  #lastScaleMs: number
  #lastGrowthMs = Number.NEGATIVE_INFINITY
  #everObserved = false
  #threadLoad = 0
  #observed: ServiceObservation | null = null
  #arrivalRate: number | null = null
  #arrivalCv: number | null = null

  constructor(settings: PoolSettings, nowMs: number) {
    this.#settings = settings
    this.#service = new ServiceObserver(nowMs)
    this.#sizing = this.#size(null, null, null)
    this.#capacity = this.#target = this.#sizing.recommended
    this.#lastScaleMs = nowMs
  }

  get #threadsAreBusy(): boolean {
    return this.#threadLoad > BUSY_THREADS
  }

  get capacity(): number {
    return this.#capacity
  }

  get busy(): number {
    return this.#busy
  }

  /** How many jobs may start now; 0 if more jobs are running than a shrunk pool allows. */
  get free(): number {
    return Math.max(0, this.#capacity - this.#busy)
  }

  /** Occupies a worker; false if none is free. timeoutMs: how long the job may last. */
  start(nowMs: number, timeoutMs: number): boolean {
    if (this.#busy >= this.#capacity) return false
    this.#busy++
    this.#submitted++
    this.#service.noteStarted(nowMs, timeoutMs)
    return true
  }

  /** Frees the worker of a job, given the same two numbers as at its start. */
  finish(startedMs: number, timeoutMs: number, nowMs: number): void {
    if (this.#busy === 0) throw new Error('a job ended in a pool in which none runs')
    this.#busy--
    this.#completed++
    this.#service.noteEnded(startedMs, timeoutMs, nowMs)
  }

  /**
   * Follows the observations. Call it a few times per second: hanging targets are detected that fast. threadLoad: the
   * fraction of time since the last call in which the jobs' threads were busy; 0 if the jobs run elsewhere.
   */
  adapt(arrivalRate: number | null, arrivalCv: number | null, nowMs: number, threadLoad = 0): void {
    this.#threadLoad = Math.max(threadLoad, this.#threadLoad + (threadLoad - this.#threadLoad) * LOAD_FALL)
    this.#arrivalRate = arrivalRate
    this.#arrivalCv = arrivalCv
    const service = this.#service.observe(nowMs)
    this.#observed = service
    if (service !== null) this.#everObserved = true
    const starting = this.#size(arrivalRate, null, null)
    this.#sizing = service === null ? starting : this.#size(arrivalRate, arrivalCv, service)
    this.#target = Math.max(this.#sizing.recommended, starting.recommended)
    this.#approachTarget(nowMs)
    if (this.#capacity < starting.recommended && !this.#threadsAreBusy)
      this.#resize(starting.recommended, nowMs)
  }

  observe(waiting: number, nowMs: number, wallMs: number): PoolObservation {
    const service = this.#observed
    return {
      min: this.#settings.bounds.min,
      max: upperBound(this.#settings.bounds),
      capacity: this.#capacity,
      busy: this.#busy,
      waiting,
      target: this.#target,
      submitted: this.#submitted,
      completed: this.#completed,
      scalingEvents: this.#scalingEvents,
      lastScale: this.#scalingEvents === 0 ? null : wallMs - (nowMs - this.#lastScaleMs),
      serviceTimeMs: service?.meanMs ?? null,
      serviceCv: service?.cv ?? null,
      serviceSamples: service?.samples ?? 0,
      sizingModel: this.#sizing.model,
      recommended: this.#sizing.recommended,
      reason: this.#reason(),
      arrivalRate: this.#arrivalRate,
      arrivalCv: this.#arrivalCv,
      targetMs: this.#settings.waitTargetMs,
    }
  }

  #size(arrivalRate: number | null, arrivalCv: number | null, service: ServiceObservation | null) {
    const { bounds, waitTargetMs } = this.#settings
    return sizePool({ arrivalRate, arrivalCv, service }, waitTargetMs, bounds)
  }

  #approachTarget(nowMs: number): void {
    if (!this.#everObserved) {
      this.#resize(this.#target, nowMs)
    } else if (this.#target > this.#capacity) {
      if (this.#threadsAreBusy || nowMs - this.#lastGrowthMs < GROWTH_EVERY_MS) return
      this.#lastGrowthMs = nowMs
      this.#resize(Math.min(this.#target, this.#capacity * GROWTH_FACTOR), nowMs)
    } else if (nowMs - this.#lastScaleMs >= SHRINK_EVERY_MS) {
      // A step smaller than a tenth would only follow noise.
      const tenthLess = Math.floor(this.#capacity * SHRINK_FACTOR)
      if (this.#target <= tenthLess) this.#resize(Math.max(this.#target, tenthLess), nowMs)
    }
  }

  #resize(capacity: number, nowMs: number): void {
    if (capacity === this.#capacity) return
    this.#capacity = capacity
    this.#scalingEvents++
    this.#lastScaleMs = nowMs
  }

  #reason(): string {
    const { recommended, reason } = this.#sizing
    const reserve =
      this.#target > recommended ? ` The starting size of ${this.#target} is kept as a reserve.` : ''
    const held =
      this.#threadsAreBusy && this.#target > this.#capacity
        ? ' The threads are busy all the time, so that more workers would only wait for them.'
        : ''
    return reason + reserve + held
  }
}
