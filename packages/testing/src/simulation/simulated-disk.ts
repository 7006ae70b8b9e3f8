// simulation/simulated-disk.ts: a disk that is slow, fills up and survives crashes. It commits like the
// service's own committer: in order, in groups, with retries while the disk is full. Of the batches in flight
// at a crash, a prefix is on disk; acknowledged batches always are.
import type { Committer } from '@pulseward/server/internal/persistence/journal.ts'
import { MemoryStore } from '@pulseward/server/internal/store/memory-store.ts'
import {
  type BatchKind,
  type CommitBatch,
  type Committed,
  StoreError,
} from '@pulseward/server/internal/store/store.ts'
import type { FakeClock } from '../engine/fake-clock.ts'
import type { Random } from '../random.ts'
import type { Hazard } from './hazard.ts'

const groupWaitMs = 5
const tryAgainAfterMs = 500

/** Ways in which a disk can lie. */
export interface DiskFaults {
  /** Says that a batch is on disk before it is. */
  readonly acknowledgesEarly?: boolean
}

/** Sees what really happens to batches. */
export interface DiskWitness {
  handedOver(batch: CommitBatch): void
  written(batch: CommitBatch): void
  acknowledged(position: number): void
  /** The batch is withdrawn, and never written. */
  withdrawn(batch: CommitBatch): void
}

export interface DiskOwner {
  failed(): void
  works(): void
}

interface Waiting {
  readonly batch: CommitBatch
  readonly kind: BatchKind
  readonly handedOverMs: number
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: StoreError) => void
}

export interface DiskOptions {
  readonly clock: FakeClock
  readonly random: Random
  readonly hazard: Hazard
  readonly witness: DiskWitness
  readonly faults: DiskFaults
}

export class SimulatedDisk {
  readonly store: MemoryStore
  latencyMs = 2
  isFull = false
  readonly #options: DiskOptions
  #owner: DiskOwner | null = null
  #waiting: Waiting[] = []
  #groupSize = 0
  #groupDoneMs = Number.POSITIVE_INFINITY
  #inTrouble = false
  #position = 0

  constructor(options: DiskOptions) {
    this.#options = options
    this.store = new MemoryStore(() => options.clock.wallMs())
  }

  /** When something happens next. */
  get nextAtMs(): number {
    return this.#groupDoneMs
  }

  /** Everything handed over is on disk. */
  get isIdle(): boolean {
    return this.#waiting.length === 0
  }

  /** For one process; what a dead process hands over is discarded. */
  openFor(owner: DiskOwner): Committer {
    this.#owner = owner
    return {
      commit: (batch, kind = 'kept') =>
        new Promise((resolve, reject) => {
          const waiting = { batch, kind, handedOverMs: this.#nowMs, resolve, reject }
          if (this.#owner === owner) this.#take(waiting)
        }),
    }
  }

  advance(): void {
    if (this.#groupDoneMs > this.#nowMs) return
    if (this.isFull) this.#fail()
    else this.#writeGroup()
  }

  /** The process is gone. A prefix of its last group is on disk. */
  crash(): void {
    const { random } = this.#options
    this.#owner = null
    const survivors = this.isFull ? 0 : random.whole(0, this.#groupSize)
    for (const { batch } of this.#waiting.slice(0, survivors)) this.#write(batch)
    this.#waiting = []
    this.#inTrouble = false
    this.#endGroup()
  }

  get #nowMs(): number {
    return this.#options.clock.trueMs
  }

  #take(waiting: Waiting): void {
    const { witness, hazard, faults } = this.#options
    witness.handedOver(waiting.batch)
    this.#waiting.push(waiting)
    if (this.#groupSize === 0) this.#beginGroup()
    if (faults.acknowledgesEarly) this.#acknowledge(waiting, this.#position + waiting.batch.events.length)
    hazard.reached('batch handed over')
  }

  #beginGroup(): void {
    if (this.#waiting.length === 0) return
    this.#groupSize = this.#waiting.length
    const writesMs = this.#options.random.between(0.5, 1.5) * this.latencyMs
    this.#groupDoneMs = Math.round(this.#nowMs + groupWaitMs + writesMs)
  }

  #endGroup(): void {
    this.#groupSize = 0
    this.#groupDoneMs = Number.POSITIVE_INFINITY
  }

  #fail(): void {
    this.#groupDoneMs = this.#nowMs + tryAgainAfterMs
    this.#withdraw()
    if (this.#inTrouble) return
    this.#inTrouble = true
    this.#owner?.failed()
  }

  #withdraw(): void {
    const withdrawn = this.#waiting.filter(({ kind }) => kind === 'withdrawable')
    if (withdrawn.length === 0) return
    this.#waiting = this.#waiting.filter(({ kind }) => kind === 'kept')
    this.#groupSize = this.#waiting.length
    for (const { batch, reject } of withdrawn) {
      this.#options.witness.withdrawn(batch)
      reject(new StoreError('full', 'The disk is full.'))
    }
  }

  #writeGroup(): void {
    const { hazard, faults } = this.#options
    const owner = this.#owner!
    const group = this.#waiting.slice(0, this.#groupSize)
    for (const waiting of group) {
      this.#write(waiting.batch)
      this.#waiting.shift()
      this.#groupSize--
      hazard.reached('batch on disk')
      if (this.#owner !== owner) return
      if (!faults.acknowledgesEarly) this.#acknowledge(waiting, this.#position)
      hazard.reached('commit acknowledged')
      if (this.#owner !== owner) return
    }
    this.#endGroup()
    this.#beginGroup()
    if (!this.#inTrouble) return
    this.#inTrouble = false
    owner.works()
  }

  #write(batch: CommitBatch): void {
    // Writes at once, but answers later.
    void this.store.commit(batch)
    this.#position += batch.events.length
    this.#options.witness.written(batch)
  }

  #acknowledge({ resolve, handedOverMs }: Waiting, position: number): void {
    this.#options.witness.acknowledged(position)
    resolve({ position, latencyMs: this.#nowMs - handedOverMs })
  }
}
