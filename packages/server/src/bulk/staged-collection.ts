// bulk/staged-collection.ts: the collection of one operation: its file, and in memory only the items in progress.
import { createHash, type Hash } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import type { Surroundings } from '../kinds/surroundings.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import type { PlannedStagedItem, StagedItem, StagedOperation } from '../store/staging.ts'
import { checkedPrefix, isSameItem, type ReadItem, readItems, secretPart } from './stage-items.ts'
import type { AroundWork, Foreseen, Staged } from './work.ts'

interface StageOptions {
  readonly around: AroundWork
  readonly drivers: Surroundings['drivers']
}

const linesAtOnce = 10_000

export class StagedCollection implements Disposable {
  readonly file: StagedOperation
  /** Work in progress ends at its next pause. */
  isDropped = false
  /** Over the lines of all uploaded items; null until it is needed after a restart. */
  #digest: Hash | null
  /** Where the last applied items ended. */
  #last: { readonly place: number; readonly rank: number; readonly ordinal: number } | null = null

  constructor(file: StagedOperation) {
    this.file = file
    this.#digest = file.uploaded === 0 ? newDigest() : null
  }

  get number(): number {
    return this.file.head.number
  }

  /** Adds uploaded items; throws a problem for one that was uploaded before with other content. */
  async stage(items: readonly v2.ApplyItem[], now: number, { around, drivers }: StageOptions): Promise<void> {
    const { file, number } = this
    const { itemCount } = file.head
    const read = readItems(items, drivers)
    const repeatedSecrets = await this.#repeatedSecrets(read, around)
    const secrets = read.flatMap(({ secret }) =>
      secret === null || repeatedSecrets.has(secret.itemId) ? [] : [secret],
    )
    const sealed = secrets.length === 0 ? [] : await around.seal(number, secrets)
    const boxes = new Map(secrets.map(({ itemId }, index) => [itemId, sealed[index] ?? null]))
    const staged = read.map((item) => ({
      ...item.staged,
      sealed: boxes.get(item.staged.itemId) ?? null,
      digestLine: item.digestLine,
    }))
    const before = file.uploaded
    const repeated = (item: (typeof staged)[number]) => {
      const earlier = file.find(item.itemId)
      if (earlier === null || !isSameItem(earlier, item)) throw changed(item.itemId)
    }
    const added = file.add(staged, now, repeated, (count) => {
      if (before + count > itemCount)
        throw conflict(
          `The operation was created for ${itemCount} items, and this upload would make ${before + count}.`,
        )
    })
    for (const { digestLine } of added) this.#digest?.update(digestLine)
  }

  /** Credentials that were uploaded before with the same value; throws a problem for another value. */
  async #repeatedSecrets(read: readonly ReadItem[], around: AroundWork): Promise<ReadonlySet<string>> {
    const { file, number } = this
    const repeated = new Set<string>()
    const fresh = new Map<string, string>()
    for (const { secret } of read) {
      if (secret === null) continue
      const { itemId, text } = secret
      const staged = file.find(itemId)
      const [earlier = null] =
        staged?.sealed == null
          ? [fresh.get(itemId)]
          : await around.open(number, [{ itemId, sealed: staged.sealed }])
      if (staged === null && earlier === null) fresh.set(itemId, text)
      else if (earlier !== text) throw changed(itemId)
      if (staged !== null) repeated.add(itemId)
    }
    return repeated
  }

  /** Adds items that a control has chosen; they need no validation. */
  freeze(items: readonly FrozenStaged[], now: number): Staged {
    const { file } = this
    const from = file.uploaded
    const none = () => {}
    file.add(items, now, none, none)
    file.plan(items.map(({ seen }, index) => ({ rank: 0, ordinal: from + index, seen, outcome: 'updated' })))
    return { uploaded: file.uploaded, touchedAt: now }
  }

  /** Items in the order of application; those right after the last ones are found directly. */
  following(place: number, count: number): PlannedStagedItem[] {
    const { file } = this
    const last = this.#last
    const items =
      last?.place === place ? file.plannedAfter(last.rank, last.ordinal, count) : file.planned(place, count)
    const end = items.at(-1)
    if (end !== undefined) this.#last = { place: place + items.length, rank: end.rank, ordinal: end.ordinal }
    return items
  }

  foreseen(count: number): Foreseen[] {
    const items = this.file.foreseen(count)
    return items.map(({ itemId, outcome, seen }) => ({ itemId, outcome, oldChange: seen }))
  }

  /** The digest in the form in which an operation names it. */
  async digest(around: AroundWork): Promise<string> {
    this.#digest ??= await this.#digestAgain(around)
    return `${checkedPrefix}${this.#digest.copy().digest('hex')}`
  }

  async #digestAgain(around: AroundWork): Promise<Hash> {
    const { file, number } = this
    const digest = newDigest()
    for (let from = 0; from < file.uploaded; from += linesAtOnce) {
      const items = file.digestsFrom(from, linesAtOnce)
      const sealed = items.flatMap(({ itemId, sealed }) => (sealed === null ? [] : [{ itemId, sealed }]))
      const opened = sealed.length === 0 ? [] : await around.open(number, sealed)
      let nextOpened = 0
      for (const { itemId, digest: plain } of items) {
        const text = plain === null ? (opened[nextOpened++] ?? null) : null
        digest.update(`${itemId} ${plain ?? (text === null ? '' : secretPart(text).digest)}\n`)
      }
      await new Promise(setImmediate)
    }
    return digest
  }

  [Symbol.dispose](): void {
    this.file[Symbol.dispose]()
  }
}

type FrozenStaged = Omit<StagedItem, 'ordinal'> & { readonly seen: number }

/** An item that a control has chosen, with its state at that time. */
export function frozenItem(id: string, seen: number): FrozenStaged {
  return {
    itemId: id,
    kind: v2.kindNumber('Monitor'),
    id,
    digest: null,
    source: '',
    expected: null,
    name: null,
    labels: '{}',
    spec: '',
    hasReferences: 0,
    sealed: null,
    seen,
  }
}

function changed(itemId: string): V2Problem {
  return conflict(
    `The item ${itemId} was uploaded before with other content; an item cannot be changed once it is uploaded.`,
  )
}

function newDigest(): Hash {
  return createHash('sha256')
}

function conflict(message: string): V2Problem {
  return new V2Problem('operationConflict', message)
}
