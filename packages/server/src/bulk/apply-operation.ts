// bulk/apply-operation.ts: applies what was validated, chunk by chunk: the next one is prepared while this
// one is committed. Each chunk is one commit with its outcomes, so after a kill at any point, the next
// process continues after the last chunk in the store. Other work runs between two chunks.

import { changesResources } from '../controls/control-verbs.ts'
import { decideControls } from '../controls/decide-controls.ts'
import type { FrozenRevision } from '../controls/frozen.ts'
import { kindNamed, kindOf } from '../kinds/kind-table.ts'
import { keyText } from '../kinds/references.ts'
import type { Clock } from '../platform/clock.ts'
import type { StoredBulk, StoredControl, StoredOutcome } from '../store/bulk.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { type ApplyOptions, decideChunk } from './apply-chunk.ts'
import { UserJudgements } from './judge-users.ts'
import { earlyState, finalState } from './operation-state.ts'
import type { BulkWork, PreparedChunk } from './work.ts'

export interface OperationRunOptions extends ApplyOptions {
  readonly work: BulkWork
  readonly store: Pick<Store, 'readOutcomes'>
  readonly clock: Clock
  readonly log: Log
  /** Opens the staged values of credentials; a value that cannot be opened is missing. */
  readonly openValues: (number: number, chunk: PreparedChunk) => Map<string, string | null>
  /** Releases the resources of a chunk. */
  readonly unlock: (number: number, place: number) => void
  readonly unlockAll: (number: number) => void
  /** The last change, minus those of this operation: rises with every write by others. */
  readonly foreignWrites: () => number
  readonly changed: (operation: StoredBulk) => void
  /** Items per turn. */
  readonly itemsAtOnce: number
  readonly wait: (ms: number) => Promise<void>
}

const unattemptedAtOnce = 10_000
/** The delay before a failed write is retried. */
const tryAgainMs = 500
/** The pause after each chunk, as a share of the controller time that it took. */
const restShare = 0.25
const outcomesAtOnce = 5_000

export class OperationRun {
  readonly #options: OperationRunOptions
  readonly #failedKeys = new Set<string>()
  #operation: StoredBulk
  #isCancelled = false
  #isStopped = false
  readonly #validatedAt: number | null

  /** `validatedAt`: the last change when validation began; null if no longer known. */
  constructor(operation: StoredBulk, validatedAt: number | null, options: OperationRunOptions) {
    this.#operation = operation
    this.#validatedAt = validatedAt
    this.#options = options
  }

  get operation(): StoredBulk {
    return this.#operation
  }

  /** The remaining items are not attempted; the chunk being written is completed. */
  cancel(): void {
    this.#isCancelled = true
  }

  /** To be called when the service stops; the next process continues. */
  stop(): void {
    this.#isStopped = true
  }

  /** Resolves when the operation has ended, or the service stops. */
  async run(): Promise<void> {
    const { control } = this.#operation
    if (control === null || changesResources(control.verb)) await this.#applyAll()
    else await this.#askAll(control)
    if (this.#isStopped) return
    await this.#end()
  }

  async #applyAll(): Promise<void> {
    const { work, itemsAtOnce } = this.#options
    const { id, itemCount } = this.#operation
    await this.#rememberFailed()
    let next: Promise<PreparedChunk> | null = null
    try {
      while (this.#operation.settled < itemCount && !this.#isCancelled && !this.#isStopped) {
        const place = this.#operation.settled
        const chunk: PreparedChunk = await (next ?? work.prepare(id, place, itemsAtOnce))
        const behind: number = place + chunk.itemIds.length
        next = behind < itemCount ? quiet(work.prepare(id, behind, itemsAtOnce)) : null
        if (chunk.itemIds.length === 0) throw new Error(`the plan of operation ${id} ends at ${place}`)
        await this.#applyWhenPossible(chunk)
      }
    } finally {
      // The chunk that was prepared ahead is not applied.
      await next?.catch(() => {})
      this.#options.unlockAll(id)
      this.#options.path.paySecrets()
    }
  }

  async #askAll(control: StoredControl): Promise<void> {
    const { work, itemsAtOnce } = this.#options
    const { id, itemCount } = this.#operation
    while (this.#operation.settled < itemCount && !this.#isCancelled && !this.#isStopped) {
      const place = this.#operation.settled
      const items = await work.frozen(id, place, itemsAtOnce)
      if (items.length === 0) throw new Error(`the plan of operation ${id} ends at ${place}`)
      await this.#options.roomForWrite()
      if (!(await this.#ask(control, items))) await this.#options.wait(tryAgainMs)
    }
  }

  /** False if nothing can be stored now; then nothing was done. */
  async #ask(control: StoredControl, items: readonly FrozenRevision[]): Promise<boolean> {
    const { engine, clock, changed, log } = this.#options
    const before = this.#operation
    const asked = { control, actor: before.activatedBy ?? before.principal, now: clock.wallMs(), log }
    const beganMs = clock.monotonicMs()
    let next: StoredBulk | null = null
    let tookMs = 0
    const end = await engine.request('awaited', (turn) => {
      const outcomes = decideControls(turn, engine, items, asked)
      next = settledBy(before, outcomes)
      turn.keep({ operation: next, outcomes: { first: before.settled, outcomes } })
      tookMs = clock.monotonicMs() - beganMs
    })
    if (next === null) return false
    // A decision is stored together with its outcomes, or the next process repeats both.
    if (end !== 'stored') this.#isStopped = true
    this.#operation = next
    changed(next)
    await this.#options.wait(Math.min(50, tookMs * restShare))
    return true
  }

  async #applyWhenPossible(chunk: PreparedChunk): Promise<void> {
    const { unlock } = this.#options
    try {
      await this.#options.roomForWrite()
      while (!(await this.#apply(chunk))) {
        if (this.#isStopped || this.#isCancelled) return
        await this.#options.wait(tryAgainMs)
      }
    } finally {
      unlock(this.#operation.id, chunk.place)
    }
  }

  /** False if it cannot be stored now; then nothing of it was written. */
  async #apply(chunk: PreparedChunk): Promise<boolean> {
    const { path, openValues, changed } = this.#options
    const before = this.#operation
    const values = openValues(before.id, chunk)
    using users = this.#hasForeignWrites ? await this.#judgeUsers(chunk, values) : null
    const applying = {
      actor: before.activatedBy ?? before.principal,
      failedKeys: this.#failedKeys,
      values,
      hasForeignWrites: this.#hasForeignWrites,
      users,
    }
    const turnMs = await path.write((turn) => {
      const { outcomes, failedKeys, writes, packed } = decideChunk(turn, chunk, applying, this.#options)
      const next = settledBy(before, outcomes)
      return {
        writes,
        packed,
        record: { operation: next, outcomes: { first: chunk.place, outcomes } },
        isAmongSecrets: hasSecret(chunk.kinds.at(-1)),
        // What is on disk must not be applied again.
        stored: () => {
          this.#operation = next
          for (const key of failedKeys) this.#failedKeys.add(key)
          changed(next)
        },
      }
    })
    if (turnMs === null) return false
    await this.#options.wait(Math.min(50, turnMs * restShare))
    return true
  }

  get #hasForeignWrites(): boolean {
    return this.#options.foreignWrites() !== this.#validatedAt
  }

  #judgeUsers(chunk: PreparedChunk, values: ReadonlyMap<string, string | null>): Promise<UserJudgements> {
    const { registry, work } = this.#options
    const { id: number } = this.#operation
    return UserJudgements.of(chunk, { number, values, registry, work, validatedAt: this.#validatedAt })
  }

  async #end(): Promise<void> {
    const { clock } = this.#options
    const { itemCount, counts, settled } = this.#operation
    const isWhole = settled === itemCount
    const state = isWhole ? finalState(counts, itemCount) : 'cancelled'
    await this.#keep({
      ...this.#operation,
      state,
      reason: reasonOf(state, counts, itemCount - settled),
      endedAt: isWhole ? clock.wallMs() : null,
    })
    if (!isWhole) await this.listUnattempted()
  }

  /** The operation cannot continue: the remaining items are not attempted. */
  async giveUp(reason: string): Promise<void> {
    await this.#keep({ ...this.#operation, state: earlyState(this.#operation), reason })
    await this.listUnattempted()
  }

  /** Lists the remaining items when it ends early, so that their outcomes can be read. */
  async listUnattempted(): Promise<void> {
    const { work, clock } = this.#options
    const { id, itemCount } = this.#operation
    while (this.#operation.settled < itemCount && !this.#isStopped) {
      const first = this.#operation.settled
      const ids = await work.itemIds(id, first, unattemptedAtOnce)
      if (ids.length === 0) break
      const outcomes = ids.map((itemId) => ({ ...unattempted, id: itemId }))
      const next = settledBy(this.#operation, outcomes)
      const endedAt = next.settled === itemCount ? clock.wallMs() : null
      await this.#keep({ ...next, endedAt }, { first, outcomes })
    }
    if (this.#operation.endedAt === null && !this.#isStopped)
      await this.#keep({ ...this.#operation, endedAt: clock.wallMs() })
  }

  async #keep(operation: StoredBulk, outcomes: { first: number; outcomes: StoredOutcome[] } | null = null) {
    const { engine, changed } = this.#options
    const keep = () => engine.request('withdrawn', (turn) => turn.keep({ operation, outcomes }))
    while ((await keep()) !== 'stored') {
      if (this.#isStopped) return
      await this.#options.wait(tryAgainMs)
    }
    this.#operation = operation
    changed(operation)
  }

  /** After a restart: earlier failures block the items that name them. */
  async #rememberFailed(): Promise<void> {
    const { store, work } = this.#options
    const { id, settled } = this.#operation
    for (let from = 0; from < settled; from += outcomesAtOnce) {
      const { outcomes } = await store.readOutcomes(id, from, outcomesAtOnce)
      const failed = outcomes.filter(({ outcome }) => !successes.has(outcome)).map(({ id: itemId }) => itemId)
      if (failed.length === 0) continue
      for (const key of await work.resourcesOf(id, failed)) this.#failedKeys.add(keyText(key))
    }
  }
}

const successes: ReadonlySet<string> = new Set(['created', 'updated', 'unchanged'])
const unattempted = { outcome: 'notAttempted', oldVersion: null, newVersion: null, message: null }

function settledBy(operation: StoredBulk, outcomes: readonly StoredOutcome[]): StoredBulk {
  const counts: Record<string, number> = { ...operation.counts }
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return { ...operation, settled: operation.settled + outcomes.length, counts }
}

function reasonOf(state: string, counts: Readonly<Record<string, number>>, left: number): string | null {
  if (state === 'cancelled')
    return `It was cancelled; ${left} items were not attempted, and nothing was undone.`
  const parts = ['conflict', 'dependencyBlocked', 'failed'].flatMap((outcome) =>
    counts[outcome] === undefined ? [] : [`${counts[outcome]} ${words[outcome]}`],
  )
  return parts.length === 0 ? null : `Of its items, ${parts.join(', ')}.`
}

const words: Readonly<Record<string, string>> = {
  conflict: 'met another version',
  dependencyBlocked: 'name something that was not written',
  failed: 'failed',
}

/** By the number of a kind. */
function hasSecret(kind: number | undefined): boolean {
  return kind !== undefined && kindOf(kindNamed(kind)).secret !== null
}

/** The promise is awaited later: until then a rejection must not count as unhandled. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}
