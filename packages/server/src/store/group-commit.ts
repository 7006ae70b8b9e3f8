// store/group-commit.ts: commits many small decisions in few transactions. Batches are collected for at most 5 ms (12
// under load) or 1,000 entries and committed as one, in order, one commit at a time: a later decision is never on disk
// without the earlier ones. idle → collecting → committing → idle. A transient failure is retried with the same batches
// until it succeeds (the owner stops admission meanwhile, which bounds the queue); any other failure is final.
import { entriesOf, mergeBatches } from './record-types.ts'
import { type BatchKind, type CommitBatch, type Committed, type Liveness, StoreError } from './store.ts'

export interface GroupCommitterOptions {
  readonly store: {
    commit(batch: CommitBatch): Promise<Committed>
    readonly liveness?: Pick<Liveness, 'commitEveryMs' | 'slowAfterMs'>
  }
  /** Writing fails. With `recovers` it is retried automatically; otherwise nothing can be committed any more. */
  readonly onTrouble: (error: StoreError) => void
  /** Writing works again. */
  readonly onRecovered: () => void
}

const longestWaitMs = 5
/** Under load, fewer and larger transactions leave more CPU for everything else: a commit costs more than its content. */
const longestWaitUnderLoadMs = 12
/** This many batches in one transaction count as load. */
const loadFrom = 6
const fullAt = 1_000
/** What queues up behind a slow disk goes into one transaction: its cost is waiting for the disk. */
const groupAtMost = 10_000
const tryAgainAfterMs = 500

interface Waiting {
  readonly batch: CommitBatch
  readonly entries: number
  readonly kind: BatchKind
  readonly since: number
  resolve(committed: Committed): void
  reject(error: StoreError): void
}

export class GroupCommitter {
  readonly #options: GroupCommitterOptions
  #waiting: Waiting[] = []
  #entries = 0
  #waitMs = longestWaitMs
  #timer: NodeJS.Timeout | null = null
  readonly #beat: NodeJS.Timeout | null
  #lastBeganAt = Number.NEGATIVE_INFINITY
  #committing: Promise<void> | null = null
  #inTrouble = false
  /** What was told last of the trouble. */
  #told = ''
  /** The group that may have been written: it is given again, unchanged, until that is known. */
  #inDoubt: readonly Waiting[] | null = null
  #broken: StoreError | null = null

  constructor(options: GroupCommitterOptions) {
    this.#options = options
    const { liveness } = options.store
    this.#beat =
      liveness === undefined
        ? null
        : setInterval(() => this.#commitAnyway(liveness.commitEveryMs), liveness.commitEveryMs).unref()
  }

  /** Batches that are not on disk yet. */
  get depth(): number {
    return this.#waiting.length
  }

  /**
   * Resolves when the batch is on disk, after all earlier batches. A withdrawable batch is rejected as soon
   * as writing fails, and is then never written.
   */
  commit(batch: CommitBatch, kind: BatchKind = 'kept'): Promise<Committed> {
    if (this.#broken !== null) return Promise.reject(this.#broken)
    return new Promise((resolve, reject) => {
      const entries = entriesOf(batch)
      this.#waiting.push({ batch, entries, kind, since: performance.now(), resolve, reject })
      this.#entries += entries
      this.#plan()
    })
  }

  /** Resolves when everything is on disk, or cannot be: it does not wait while writing fails. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#inTrouble && this.#broken === null) await this.#begin()
  }

  /** Rejects pending batches. */
  [Symbol.dispose](): void {
    this.#break(new StoreError('closed', 'The store is closed.'))
  }

  #plan(): void {
    if (this.#committing !== null || this.#inTrouble || this.#broken !== null) return
    if (this.#entries >= fullAt) void this.#begin()
    else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.#begin(), this.#waitMs)
  }

  /** Commits nothing, to show that the process lives. */
  #commitAnyway(everyMs: number): void {
    const isIdle = this.#waiting.length === 0 && this.#committing === null && !this.#inTrouble
    if (isIdle && this.#broken === null && performance.now() - this.#lastBeganAt >= everyMs)
      void this.#begin(true)
  }

  #begin(evenNothing = false): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#committing ??= this.#commitGroup(evenNothing).finally(() => {
      this.#committing = null
      this.#plan()
    })
    return this.#committing
  }

  async #commitGroup(evenNothing: boolean): Promise<void> {
    const group = this.#inDoubt ?? this.#nextGroup()
    this.#waitMs = group.length >= loadFrom ? longestWaitUnderLoadMs : longestWaitMs
    // While writing fails, an empty commit tests whether it works again, even if no batch is queued.
    if (group.length === 0 && !this.#inTrouble && !evenNothing) return
    this.#lastBeganAt = performance.now()
    const slow = this.#watchForSlowness()
    try {
      const { position } = await this.#options.store.commit(mergeBatches(group.map(({ batch }) => batch)))
      this.#inDoubt = null
      this.#done(group, position)
    } catch (error) {
      const known = asStoreError(error)
      this.#inDoubt = known.inDoubt ? group : null
      this.#failed(known)
    } finally {
      clearTimeout(slow)
    }
  }

  /** Nothing is started while an answer is overdue: another machine may take the store over meanwhile. */
  #watchForSlowness(): NodeJS.Timeout | undefined {
    const { liveness } = this.#options.store
    if (liveness === undefined) return undefined
    return setTimeout(() => {
      if (this.#inTrouble || this.#broken !== null) return
      const seconds = liveness.slowAfterMs / 1_000
      const sentence = `The store has not answered a commit for ${seconds} s.`
      this.#tell(new StoreError('io', sentence, { told: 'the store does not answer' }))
    }, liveness.slowAfterMs)
  }

  /** The next batches up to the entry limit, at least one; they stay queued until they are committed. */
  #nextGroup(): readonly Waiting[] {
    let entries = 0
    const end = this.#waiting.findIndex((waiting) => {
      entries += waiting.entries
      return entries >= groupAtMost
    })
    return this.#waiting.slice(0, end === -1 ? this.#waiting.length : end + 1)
  }

  #done(group: readonly Waiting[], lastPosition: number): void {
    if (this.#broken !== null) return
    this.#waiting = this.#waiting.slice(group.length)
    let position = lastPosition
    for (const { batch, entries } of group) {
      this.#entries -= entries
      position -= batch.events.length
    }
    const now = performance.now()
    for (const { batch, since, resolve } of group) {
      position += batch.events.length
      resolve({ position, latencyMs: now - since })
    }
    if (!this.#inTrouble) return
    this.#inTrouble = false
    this.#options.onRecovered()
  }

  #failed(error: StoreError): void {
    if (this.#broken !== null) return
    if (!error.recovers) {
      this.#break(error)
      this.#options.onTrouble(error)
      return
    }
    this.#withdraw(error)
    this.#timer = setTimeout(() => void this.#begin(), tryAgainAfterMs)
    // The way to a store may be lost first for one reason and then for another, which is what can be mended.
    if (!this.#inTrouble || this.#told !== error.message) this.#tell(error)
  }

  #tell(error: StoreError): void {
    this.#inTrouble = true
    this.#told = error.message
    this.#options.onTrouble(error)
  }

  #withdraw(error: StoreError): void {
    const isWithdrawn = (waiting: Waiting) =>
      waiting.kind === 'withdrawable' && this.#inDoubt?.includes(waiting) !== true
    const withdrawn = this.#waiting.filter(isWithdrawn)
    if (withdrawn.length === 0) return
    this.#waiting = this.#waiting.filter((waiting) => !isWithdrawn(waiting))
    for (const { entries, reject } of withdrawn) {
      this.#entries -= entries
      reject(error)
    }
  }

  #break(error: StoreError): void {
    if (this.#broken !== null) return
    this.#broken = error
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#beat !== null) clearInterval(this.#beat)
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

/** Any other error is a mistake of ours, and final. */
function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  return new StoreError('closed', `The store failed: ${(error as Error).message}`, { cause: error })
}
