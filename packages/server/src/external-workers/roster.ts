// external-workers/roster.ts: the workers that have called. A worker that lets an offer expire is in doubt
// until it starts a job: it gets one offer at a time, and only jobs that no other worker took.
import { v1Limits } from '@pulseward/contract'
import type { WorkerName } from './job.ts'

export interface Worker extends WorkerName {
  capacity: number
  /** Offers that are reserved for it. */
  leased: number
  /** Jobs that were granted to it and have not ended. */
  active: number
  /** A monotonic time. */
  lastSeenMs: number
  isInDoubt: boolean
  /** Rotates which of its capabilities comes first in the next offer. */
  turn: number
}

/** An idle worker is forgotten after this long without a call. */
const forgottenAfterMs = v1Limits.workersKeptMinutes * 60_000
const mostWorkers = 10_000

export class Roster {
  /** In the order of their last call, the most recent last. */
  readonly #workers = new Map<string, Worker>()
  /** How many jobs of previous processes each worker still has. Workers that have called since are not listed. */
  readonly #restored = new Map<string, number>()

  get all(): Iterable<Worker> {
    return this.#workers.values()
  }

  find(name: WorkerName): Worker | undefined {
    return this.#workers.get(keyOf(name))
  }

  /** Registers a call of the worker. */
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

  /** The worker has a job that a previous process granted. */
  restored(name: WorkerName): void {
    const key = keyOf(name)
    this.#restored.set(key, (this.#restored.get(key) ?? 0) + 1)
  }

  /** A job of the worker has ended. */
  ended(name: WorkerName): void {
    const key = keyOf(name)
    const worker = this.#workers.get(key)
    const restored = this.#restored.get(key) ?? 0
    if (worker !== undefined && worker.active > 0) worker.active--
    else if (restored > 1) this.#restored.set(key, restored - 1)
    else this.#restored.delete(key)
  }

  /** Removes idle workers that have not called for a while, longest silent first. */
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
