// managing/snapshot-keeper.ts: keeps a snapshot of the arrangement for the next start: now and then when enough has
// changed, and when the service stops. A thread writes it from the memory that it shares with the controller; the
// controller only provides the references. If writing fails, the next start takes longer, and nothing else happens.
import { Worker } from 'node:worker_threads'
import type { Fleet } from '../fleet/fleet.ts'
import { monitorsInWords } from '../fleet/snapshot/packed-monitors.ts'
import { largeNursery } from '../platform/nursery.ts'
import { answerOf } from '../platform/thread-answer.ts'
import type { Log } from '../telemetry/log.ts'
import type { SnapshotSource } from './arrangement-snapshot.ts'
import type { SnapshotPlace } from './own-fleet.ts'

export interface SnapshotKeeperOptions {
  readonly place: SnapshotPlace
  readonly fleet: Fleet
  /** The last change that is committed and in the fleet. */
  readonly change: () => number
  /** The change up to which the existing snapshot goes; null for none. */
  readonly snapshotChange: number | null
  readonly log: Log
  readonly bounds?: SnapshotBounds
}

export interface SnapshotBounds {
  /** Fewer monitors are read from the store just as fast. */
  readonly monitorsAtLeast: number
  /** How many changes justify another snapshot: at least this many, and this share of the monitors. */
  readonly changesAtLeast: number
  readonly changedShare: number
  readonly everyMs: number
}

/** A start reads some ten thousand changes per second. */
const defaultBounds: SnapshotBounds = {
  monitorsAtLeast: 10_000,
  changesAtLeast: 1_000,
  changedShare: 0.01,
  everyMs: 120_000,
}

/** The input of the thread. Values are in chunks of some hundred lines. */
export interface SnapshotTask extends SnapshotSource {
  readonly path: string
}

export class SnapshotKeeper implements AsyncDisposable {
  readonly #options: SnapshotKeeperOptions
  readonly #bounds: SnapshotBounds
  #snapshotChange: number | null
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options
    this.#bounds = options.bounds ?? defaultBounds
    this.#snapshotChange = options.snapshotChange
  }

  /** To be called when the fleet is running. */
  start(): void {
    this.#timer = setInterval(() => void this.keep(), this.#bounds.everyMs).unref()
  }

  /** Writes a snapshot if enough has changed. */
  keep(): Promise<void> {
    if (this.#writing === null && this.#isDue())
      this.#writing = this.#write().finally(() => {
        this.#writing = null
      })
    return this.#writing ?? Promise.resolve()
  }

  /** To be called after the last change. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer === null) return
    clearInterval(this.#timer)
    await this.#writing
    await this.keep()
  }

  #isDue(): boolean {
    const { fleet, change } = this.#options
    const { monitorsAtLeast, changesAtLeast, changedShare } = this.#bounds
    const monitors = fleet.counts.total
    if (monitors < monitorsAtLeast) return false
    const changes = change() - (this.#snapshotChange ?? 0)
    return this.#snapshotChange === null ? changes > 0 : changes >= changesAtLeast + monitors * changedShare
  }

  async #write(): Promise<void> {
    const { log } = this.#options
    try {
      const task = await this.#task()
      if (await writeInThread(task)) this.#snapshotChange = task.change
    } catch (error) {
      log.warn(`the snapshot of the fleet was not written, so the next start takes longer: ${String(error)}`)
    }
  }

  /** Everything as of the same moment. Values that are serialized later are only appended to. */
  async #task(): Promise<SnapshotTask> {
    const { place, fleet, change } = this.#options
    const { definition, present } = fleet
    const ownSource = definition.sources.values.indexOf(null)
    const moment = { ...place, change: change(), present, ownSource }
    return { ...moment, ...(await monitorsInWords(definition)) }
  }
}

function writeInThread(task: SnapshotTask): Promise<boolean> {
  return answerOf(
    new Worker(new URL('snapshot-thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: largeNursery,
      name: 'snapshot',
    }),
  )
}
