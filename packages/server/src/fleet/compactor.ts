// fleet/compactor.ts: repacks the texts of a fleet when no monitor uses a quarter of their bytes any more. A
// thread copies them while the fleet is checked, changed and read; then all readers switch to the copies.
// Each kind of text is handled separately, so that only those that need it take extra memory.
import { Worker } from 'node:worker_threads'
import { largeNursery } from '../platform/nursery.ts'
import type { Log } from '../telemetry/log.ts'
import type { CompactionBounds, PackedTexts } from './amender.ts'
import type { Compaction, Fleet } from './fleet.ts'

export interface CompactorOptions {
  readonly fleet: Fleet
  readonly apply: (compaction: Compaction, packed: PackedTexts) => void
  readonly log: Log
  readonly bounds?: CompactionBounds
}

const defaultBounds: CompactionBounds = { deadShare: 0.25, deadBytes: 1 << 20 }

/** The input of the thread. */
export type CompactionTask = Pick<Compaction, 'texts' | 'present'>

export class Compactor implements AsyncDisposable {
  readonly #options: CompactorOptions
  #thread: Worker | null = null
  #isStopped = false

  constructor(options: CompactorOptions) {
    this.#options = options
  }

  /** To be called now and then: starts repacking if it is due. */
  look(): void {
    const { fleet, bounds = defaultBounds } = this.#options
    if (this.#thread !== null || this.#isStopped) return
    const compaction = fleet.beginCompaction(bounds)
    if (compaction !== null) this.#begin(compaction)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    await this.#thread?.terminate()
  }

  #begin(compaction: Compaction): void {
    const { log, apply } = this.#options
    const { texts, present } = compaction
    const thread = new Worker(new URL('compaction-thread.ts', import.meta.url), {
      workerData: { texts, present } satisfies CompactionTask,
      resourceLimits: largeNursery,
      name: 'compaction',
    })
    this.#thread = thread
    let isDone = false
    thread.once('message', (packed: PackedTexts) => {
      if (this.#isStopped) return
      isDone = true
      apply(compaction, packed)
    })
    thread.once('error', (error: Error) =>
      log.warn(`the texts of the fleet could not be repacked, which is tried again: ${error.message}`),
    )
    thread.once('exit', () => {
      if (!isDone) compaction.abandon()
      this.#thread = null
    })
  }
}
