// fleet/snapshot/fleet-snapshot-keeper.ts: keeps a snapshot of the fleet files that a start has read, for the next one. A
// thread writes it from the memory of the running fleet, a minute after the start, or when the service stops. It gives up
// if rows no longer hold what the files said (files were reread, or v2 has a monitor under the same id): a reload writes
// its own (load-arrangement.ts). If writing fails, the next start takes longer, and nothing else happens.
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
  /** What the files say, without what v2 manages. */
  readonly head: FleetHead
  readonly count: number
  readonly log: Log
  readonly afterMs?: number
}

/** The input of the thread. */
export interface FleetSnapshotTask extends Omit<FleetSource, 'isChanged'> {
  readonly path: string
  readonly present: Uint8Array
  /** The source number of monitors of v2; -1 if there are none. */
  readonly ownSource: number
  /** In shared memory: 1 as soon as the fleet is about to hold other files. */
  readonly replaced: Int32Array
}

/** By then the first checks are over. */
const defaultAfterMs = 60_000

export class FleetSnapshotKeeper implements AsyncDisposable {
  readonly #options: FleetSnapshotKeeperOptions
  readonly #replaced = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null

  constructor(options: FleetSnapshotKeeperOptions) {
    this.#options = options
  }

  /** To be called when the fleet is running. */
  start(): void {
    this.#timer = setTimeout(() => void this.#keep(), this.#options.afterMs ?? defaultAfterMs).unref()
  }

  /** To be called before the fleet holds reread files. */
  filesChange(): void {
    Atomics.store(this.#replaced, 0, 1)
  }

  /** To be called after the last change. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    await this.#keep()
  }

  /** Only once. */
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

/** Null if there already is a snapshot of the files, or none is kept. */
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
