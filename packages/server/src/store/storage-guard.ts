// store/storage-guard.ts: between the engine and the store: commits in groups, and knows whether writing
// works. While it does not, the engine is told to start nothing; when it works again, to resume. A commit counts only
// while no other process can have taken the store over: after a freeze of this one, a further commit has to show that.
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { GroupCommitter } from './group-commit.ts'
import { emptyBatch } from './record-types.ts'
import type { BatchKind, CommitBatch, Committed, Liveness, StoreError } from './store.ts'

/** Is told when writing fails and when it works again: an engine. */
export interface StorageFollower {
  pause(): void
  resume(): void
}

export class StorageGuard {
  readonly #committer: GroupCommitter
  #follower: StorageFollower | null = null
  #error: StoreError | null = null
  #failedAtMs: number | null = null
  readonly #liveness: Liveness | undefined
  /** Everything that was committed before may have its effects. */
  #released: Promise<unknown> = Promise.resolve()

  /** `onFenced`: another process has taken over the store, and this one must exit at once. */
  constructor(
    store: { commit(batch: CommitBatch): Promise<Committed>; readonly liveness?: Liveness },
    clock: Clock,
    log: Log,
    onFenced: () => void = () => {},
  ) {
    this.#liveness = store.liveness
    this.#committer = new GroupCommitter({
      store,
      onTrouble: (error) => {
        this.#error = error
        this.#failedAtMs ??= clock.wallMs()
        const isFenced = error.problem === 'fenced'
        const then = isFenced ? '' : ' Nothing is started until that is mended.'
        log.error({ problem: error.problem }, `${error.message}${then}`)
        this.#follower?.pause()
        if (isFenced) onFenced()
      },
      onRecovered: () => {
        this.#error = null
        this.#failedAtMs = null
        log.info('the store can be written again; checks and actions go on')
        this.#follower?.resume()
      },
    })
  }

  /** To be called before the first commit. */
  tell(follower: StorageFollower): void {
    this.#follower = follower
  }

  /** Why writing fails now; null while it works. */
  get error(): StoreError | null {
    return this.#error
  }

  /** Since when writing fails, by the wall clock; null while it works. */
  get failedAtMs(): number | null {
    return this.#failedAtMs
  }

  commit(batch: CommitBatch, kind: BatchKind = 'kept'): Promise<Committed> {
    const committed = this.#committer.commit(batch, kind)
    return this.#liveness === undefined ? committed : this.#whileHeld(committed, this.#liveness.holds)
  }

  /** Whether anything may be started now: no other process can have taken the store over. */
  holds(): boolean {
    return this.#liveness === undefined || this.#liveness.holds()
  }

  /** In the order of the commits, like the commits themselves. */
  #whileHeld(committing: Promise<Committed>, holds: () => boolean): Promise<Committed> {
    const before = this.#released
    const release = async () => {
      const committed = await committing
      await before
      while (!holds()) await this.#committer.commit(emptyBatch)
      return committed
    }
    const released = release()
    this.#released = released.catch(() => undefined)
    return released
  }

  /** Resolves when everything is on disk, or cannot be. */
  drain(): Promise<void> {
    return this.#committer.drain()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain()
    this.#committer[Symbol.dispose]()
  }
}
