// fleet/snapshot/fleet-snapshot-keeper.ts: keeps a snapshot of the fleet files that a start has read, for the next one. A
// thread writes it out of the memory of the running fleet, a minute after the start, or when the service stops. Rows that
// hold something else than the files say by then (files that were read again, a monitor of v2 under the same id) make it
// give up: a reload writes its own (load-arrangement.ts). If writing fails, the next start takes longer, and nothing else.
import { Worker } from 'node:worker_threads'
import { largeNursery } from '../../platform/nursery.ts'
import { answerOf } from '../../platform/thread-answer.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Fleet } from '../fleet.ts'
import { type FleetHead, headOf } from '../fleet-change.ts'
import type { FirstLoad } from '../load-arrangement.ts'
import { type FleetFacts, type FleetSource, unwritten } from './fleet-snapshot.ts'
import { monitorsInWords } from './packed-monitors.ts'

export interface FleetSnapshotKeeperOptions {
  readonly path: string
  readonly fleet: Fleet
  readonly facts: FleetFacts
  /** What the files say, without what v2 manages beside it. */
  readonly head: FleetHead
  readonly count: number
  readonly log: Log
  readonly afterMs?: number
}

/** What the thread is given. */
export interface FleetSnapshotTask extends Omit<FleetSource, 'isChanged'> {
  readonly path: string
  readonly present: Uint8Array
  /** The number of the source that monitors of v2 have; -1 when there are none. */
  readonly ownSource: number
  /** In shared memory: 1 as soon as the fleet is about to hold other files. */
  readonly replaced: Int32Array
}

/** First checks are over by then. */
const defaultAfterMs = 60_000

export class FleetSnapshotKeeper implements AsyncDisposable {
  readonly #options: FleetSnapshotKeeperOptions
  readonly #replaced = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null

  constructor(options: FleetSnapshotKeeperOptions) {
    this.#options = options
  }

  /** The fleet runs. */
  start(): void {
    this.#timer = setTimeout(() => void this.#keep(), this.#options.afterMs ?? defaultAfterMs).unref()
  }

  /** Before the fleet holds files that were read again. */
  filesChange(): void {
    Atomics.store(this.#replaced, 0, 1)
  }

  /** After the last change. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    await this.#keep()
  }

  /** Once. */
  #keep(): Promise<void> {
    this.#writing ??= this.#write()
    return this.#writing
  }

  async #write(): Promise<void> {
    if (this.#replaced[0] === 1) return
    try {
      const task = await this.#task()
      await answerOf(
        new Worker(new URL('fleet-snapshot-thread.ts', import.meta.url), {
          workerData: task,
          resourceLimits: largeNursery,
          name: 'fleet snapshot',
        }),
      )
    } catch (error) {
      this.#options.log.warn(unwritten(error))
    }
  }

  async #task(): Promise<FleetSnapshotTask> {
    const { path, fleet, facts, head, count } = this.#options
    const { definition, present, searchNames } = fleet
    const ownSource = definition.sources.values.indexOf(null)
    const moment = { path, facts, head, count, searchNames, present, ownSource, replaced: this.#replaced }
    return { ...moment, monitors: await monitorsInWords(definition) }
  }
}

/** Null where there is a snapshot of the files, or none is kept. */
export function keeperOfFirst(
  path: string | null,
  { arrangement: { definition }, unkept }: FirstLoad,
  fleet: Fleet,
  log: Log,
): FleetSnapshotKeeper | null {
  if (path === null || unkept === null) return null
  const { count } = definition
  return new FleetSnapshotKeeper({ path, fleet, facts: unkept, head: headOf(definition), count, log })
}
