// store/storage-guard.ts: between the engine and the store: commits in groups, and knows whether writing
// works. While it does not, the engine is told to start nothing; when it works again, to resume.
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { GroupCommitter, type GroupCommitterOptions } from './group-commit.ts'
import type { BatchKind, CommitBatch, Committed, StoreError } from './store.ts'

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

  /** `onFenced`: another process has taken over the store, and this one must exit at once. */
  constructor(
    store: GroupCommitterOptions['store'],
    clock: Clock,
    log: Log,
    onFenced: () => void = () => {},
  ) {
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
    return this.#committer.commit(batch, kind)
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
