// external-workers/roster.ts: the workers that called, as they are seen from here. One that lets an offer pass is in
// doubt until it starts something: it gets one offer at a time, and only what nobody else wanted.
import { v1Limits } from '@pulseward/contract'
import type { WorkerName } from './job.ts'

export interface Worker extends WorkerName {
  capacity: number
  /** Offers that are reserved for it. */
  leased: number
  /** Jobs that it was granted and that have not ended. */
  active: number
  /** By the monotonic clock. */
  lastSeenMs: number
  isInDoubt: boolean
  /** Which of its capabilities comes first in the next offer. */
  turn: number
}

/** An idle worker that is not heard of for so long is forgotten. */
const forgottenAfterMs = v1Limits.workersKeptMinutes * 60_000
const mostWorkers = 10_000

export class Roster {
  /** The one that called last is the last. */
  readonly #workers = new Map<string, Worker>()
  /** Jobs that workers have from an earlier process and that have not called since. */
  readonly #restored = new Map<string, number>()

  get all(): Iterable<Worker> {
    return this.#workers.values()
  }

  find(name: WorkerName): Worker | undefined {
    return this.#workers.get(keyOf(name))
  }

  /** The worker, which has just called. */
  seen({ principal, workerId }: WorkerName, nowMs: number, capacity?: number): Worker {
    const key = keyOf({ principal, workerId })
    const worker: Worker = this.#workers.get(key) ?? {
      principal,
      workerId,
      capacity: 0,
      leased: 0,
      active: this.#restored.get(key) ?? 0,
      lastSeenMs: nowMs,
      isInDoubt: false,
      turn: 0,
    }
    this.#restored.delete(key)
    worker.lastSeenMs = nowMs
    if (capacity !== undefined) worker.capacity = capacity
    this.#workers.delete(key)
    this.#workers.set(key, worker)
    if (this.#workers.size > mostWorkers) this.forget(nowMs, 0)
    return worker
  }

  /** It has a job from an earlier process. */
  restored(name: WorkerName): void {
    const key = keyOf(name)
    this.#restored.set(key, (this.#restored.get(key) ?? 0) + 1)
  }

  /** A job that it was granted has ended. */
  ended(name: WorkerName): void {
    const key = keyOf(name)
    const worker = this.#workers.get(key)
    const restored = this.#restored.get(key) ?? 0
    if (worker !== undefined && worker.active > 0) worker.active--
    else if (restored > 1) this.#restored.set(key, restored - 1)
    else this.#restored.delete(key)
  }

  /** Those that have not called for a while and have nothing to do, the longest silent first. */
  forget(nowMs: number, afterMs: number = forgottenAfterMs): void {
    for (const [key, { lastSeenMs, leased, active }] of this.#workers) {
      const isOld = afterMs > 0 ? nowMs - lastSeenMs > afterMs : this.#workers.size > mostWorkers
      if (!isOld) return
      if (leased + active === 0) this.#workers.delete(key)
    }
  }
}

function keyOf({ principal, workerId }: WorkerName): string {
  return `${principal}\n${workerId}`
}
