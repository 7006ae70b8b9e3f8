// bulk/collection-work.ts: the work on collections: staging, validating, preparing. It holds a file for each operation, and of
// the items nothing but what it is busy with. Calls for one operation are worked off one after the other.
import { createHash, type Hash } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import { readBody } from '../api/v2/read-body.ts'
import { V2Problem } from '../api/v2/v2-problem.ts'
import { KeyedLock } from '../managing/keyed-lock.ts'
import type { ResourceValidator, Surroundings } from '../managing/validate-resource.ts'
import type { DriverSchemas } from '../resources/redact-config.ts'
import { monitorKind } from '../store/sqlite/resource-rows.ts'
import {
  type PlannedStagedItem,
  removeStaging,
  type StagedItem,
  StagingFile,
  type StagingHead,
  stagedNumbers,
} from '../store/staging/staging-file.ts'
import type { CurrentResources } from './current-resources.ts'
import { prepareChunk } from './prepare-chunk.ts'
import { hasReferences } from './references.ts'
import { checkedPrefix, isSameItem, type ReadItem, readItems, secretPart } from './stage-items.ts'
import { validateCollection } from './validate-collection.ts'
import type {
  AroundWork,
  BulkWork,
  Foreseen,
  FrozenItem,
  FrozenRevision,
  Preflighted,
  PreparedChunk,
  Refusal,
  ResourceKey,
  Staged,
  Uploaded,
  Validation,
} from './work.ts'

export interface CollectionWorkOptions {
  /** Null: everything stays in memory. */
  readonly folder: string | null
  /** Which life of which store it belongs to. */
  readonly store: string
  readonly around: AroundWork
  readonly current: CurrentResources
  readonly validator: ResourceValidator
  readonly drivers: Surroundings['drivers']
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  readonly schemas: DriverSchemas
  readonly newUid: () => string
  readonly versionOf: (change: number) => string
}

interface OpenCollection {
  readonly file: StagingFile
  /** Of the lines of all items that were uploaded; null until it is needed after a restart. */
  digest: Hash | null
  /** Where the last prepared chunk ended. */
  last: { readonly place: number; readonly rank: number; readonly ordinal: number } | null
  isDropped: boolean
}

const linesAtOnce = 10_000
/** The number under which the items of a preflight are sealed. */
const preflightNumber = 0

export class CollectionWork implements BulkWork, Disposable {
  readonly #options: CollectionWorkOptions
  readonly #open = new Map<number, OpenCollection>()
  readonly #lock = new KeyedLock()

  constructor(options: CollectionWorkOptions) {
    this.#options = options
  }

  async create(head: StagingHead): Promise<Staged> {
    const file = StagingFile.create(this.#options.folder, head)
    this.#open.set(head.number, { file, digest: newDigest(), last: null, isDropped: false })
    return { uploaded: 0, touchedAt: head.touchedAt }
  }

  async resume(number: number): Promise<Staged | null> {
    const { folder, store } = this.#options
    const file = folder === null ? null : StagingFile.open(folder, number, store)
    if (file === null) return null
    this.#open.set(number, { file, digest: null, last: null, isDropped: false })
    return { uploaded: file.uploaded, touchedAt: file.head.touchedAt }
  }

  async upload(
    number: number,
    contentType: string | undefined,
    bytes: Uint8Array,
    now: number,
  ): Promise<Uploaded> {
    using _ = await this.#lock.take(String(number))
    return await refusing(async () => {
      const { items } = readBody(v2.operations.UploadOperation, contentType, bytes)
      await this.#stage(number, this.#collection(number), items, now)
      return { uploaded: this.#collection(number).file.uploaded, touchedAt: now }
    })
  }

  async freeze(number: number, items: readonly FrozenItem[], now: number): Promise<Staged> {
    const staged = items.map(({ id, name, labels, spec, change }) => ({
      ...frozenItem(id, change),
      name,
      labels,
      spec,
      hasReferences: hasReferences(
        { kind: 'Monitor', spec: JSON.parse(spec) } as v2.Resource,
        this.#options.drivers,
      )
        ? 1
        : 0,
    }))
    return this.#freeze(number, staged, now)
  }

  async freezeRevisions(number: number, items: readonly FrozenRevision[], now: number): Promise<Staged> {
    const staged = items.map(({ id, revision, incidentId }) => ({
      ...frozenItem(id, revision),
      spec: incidentId ?? '',
    }))
    return this.#freeze(number, staged, now)
  }

  #freeze(number: number, items: readonly FrozenStaged[], now: number): Staged {
    const { file } = this.#collection(number)
    const from = file.uploaded
    const none = () => {}
    file.add(items, now, none, none)
    file.plan(items.map(({ seen }, index) => ({ rank: 0, ordinal: from + index, seen, outcome: 'updated' })))
    return { uploaded: file.uploaded, touchedAt: now }
  }

  async settle(number: number): Promise<void> {
    if (this.#options.folder !== null) this.#collection(number).file.settle()
  }

  async frozen(number: number, place: number, count: number): Promise<readonly FrozenRevision[]> {
    return this.#following(this.#collection(number), place, count).map(({ id, seen, spec }) => ({
      id,
      revision: seen ?? 0,
      incidentId: spec === '' ? null : spec,
    }))
  }

  async touch(number: number, now: number): Promise<void> {
    this.#collection(number).file.touch(now)
  }

  async incomplete(number: number): Promise<string | null> {
    using _ = await this.#lock.take(String(number))
    const collection = this.#collection(number)
    const { itemCount, contentDigest } = collection.file.head
    const { uploaded } = collection.file
    if (uploaded < itemCount)
      return `Of the ${itemCount} items of the collection ${uploaded} are uploaded; upload the rest first.`
    if (contentDigest === null || !contentDigest.startsWith(checkedPrefix)) return null
    const digest = await this.#digestOf(number, collection)
    if (`${checkedPrefix}${digest}` === contentDigest) return null
    return 'The items that were uploaded are not the collection that the operation was created for: its digest is another. Cancel it and create another one.'
  }

  async validate(number: number): Promise<Validation> {
    using _ = await this.#lock.take(String(number))
    const collection = this.#collection(number)
    const validation = await this.#validate(number, collection)
    if (this.#options.folder !== null) collection.file.settle()
    return validation
  }

  async foresee(number: number, count: number): Promise<readonly Foreseen[]> {
    return foreseen(this.#collection(number).file, count)
  }

  async prepare(number: number, place: number, count: number): Promise<PreparedChunk> {
    const { around, current } = this.#options
    const items = this.#following(this.#collection(number), place, count)
    const keys = items.map(({ kind, id }): ResourceKey => [kind, id])
    await around.lock(number, place, keys)
    return prepareChunk(place, items, await current.read(keys), this.#options)
  }

  /** Items in the order in which they are applied; those behind the last ones are found at once. */
  #following(collection: OpenCollection, place: number, count: number): PlannedStagedItem[] {
    const { last, file } = collection
    const items =
      last?.place === place ? file.plannedAfter(last.rank, last.ordinal, count) : file.planned(place, count)
    const end = items.at(-1)
    if (end !== undefined)
      collection.last = { place: place + items.length, rank: end.rank, ordinal: end.ordinal }
    return items
  }

  async itemIds(number: number, place: number, count: number): Promise<readonly string[]> {
    return this.#collection(number)
      .file.planned(place, count)
      .map(({ itemId }) => itemId)
  }

  async resourcesOf(number: number, itemIds: readonly string[]): Promise<readonly ResourceKey[]> {
    const { file } = this.#collection(number)
    return itemIds.flatMap((itemId): ResourceKey[] => {
      const item = file.find(itemId)
      return item === null ? [] : [[item.kind, item.id]]
    })
  }

  async preflight(
    contentType: string | undefined,
    bytes: Uint8Array,
  ): Promise<Preflighted | { readonly refusal: Refusal }> {
    return await refusing(async () => {
      const { items } = readBody(v2.operations.PreflightCollection, contentType, bytes)
      const { store, around } = this.#options
      const head = {
        number: preflightNumber,
        store,
        itemCount: items.length,
        contentDigest: null,
        touchedAt: 0,
      }
      using file = StagingFile.create(null, head)
      const digest = newDigest()
      const collection = { file, digest, last: null, isDropped: false }
      const kept = inMemory(around)
      await this.#stage(preflightNumber, collection, items, 0, kept)
      const validation = await this.#validate(preflightNumber, collection, kept)
      return {
        ...validation,
        contentDigest: `${checkedPrefix}${digest.digest('hex')}`,
        foreseen: foreseen(file, v2.limits.preflightItems),
      }
    })
  }

  async drop(number: number): Promise<void> {
    const { folder } = this.#options
    const collection = this.#open.get(number)
    // Work that goes on with it ends at its next pause, and only then the file is closed.
    if (collection !== undefined) collection.isDropped = true
    this.#open.delete(number)
    using _ = await this.#lock.take(String(number))
    collection?.file[Symbol.dispose]()
    if (folder !== null) removeStaging(folder, number)
  }

  async dropAllBut(numbers: readonly number[]): Promise<void> {
    const { folder } = this.#options
    if (folder === null) return
    for (const number of stagedNumbers(folder)) if (!numbers.includes(number)) removeStaging(folder, number)
  }

  [Symbol.dispose](): void {
    for (const { file } of this.#open.values()) file[Symbol.dispose]()
    this.#open.clear()
  }

  async #stage(
    number: number,
    collection: OpenCollection,
    items: readonly v2.ApplyItem[],
    now: number,
    around = this.#options.around,
  ): Promise<void> {
    const { file } = collection
    const { itemCount } = file.head
    const read = readItems(items, this.#options.drivers)
    const repeatedSecrets = await this.#repeatedSecrets(number, file, read, around)
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
    for (const { digestLine } of added) collection.digest?.update(digestLine)
  }

  /** Credentials that were uploaded before with the same value; throws a problem for another value. */
  async #repeatedSecrets(
    number: number,
    file: StagingFile,
    read: readonly ReadItem[],
    around: AroundWork,
  ): Promise<ReadonlySet<string>> {
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

  #validate(number: number, collection: OpenCollection, around = this.#options.around): Promise<Validation> {
    return validateCollection({
      ...this.#options,
      around,
      number,
      file: collection.file,
      async pause() {
        await new Promise(setImmediate)
        if (collection.isDropped) throw new Error('the operation was dropped')
      },
    })
  }

  async #digestOf(number: number, collection: OpenCollection): Promise<string> {
    collection.digest ??= await this.#digestAgain(number, collection.file)
    return collection.digest.copy().digest('hex')
  }

  async #digestAgain(number: number, file: StagingFile): Promise<Hash> {
    const digest = newDigest()
    for (let from = 0; from < file.uploaded; from += linesAtOnce) {
      const items = file.digestsFrom(from, linesAtOnce)
      const sealed = items.flatMap(({ itemId, sealed }) => (sealed === null ? [] : [{ itemId, sealed }]))
      const opened = sealed.length === 0 ? [] : await this.#options.around.open(number, sealed)
      let nextOpened = 0
      for (const { itemId, digest: plain } of items) {
        const text = plain === null ? (opened[nextOpened++] ?? null) : null
        digest.update(`${itemId} ${plain ?? (text === null ? '' : secretPart(text).digest)}\n`)
      }
      await new Promise(setImmediate)
    }
    return digest
  }

  #collection(number: number): OpenCollection {
    const collection = this.#open.get(number)
    if (collection === undefined) throw new Error(`nothing is staged for the operation ${number}`)
    return collection
  }
}

type FrozenStaged = Omit<StagedItem, 'ordinal'> & { readonly seen: number }

/** An item that a control has chosen, with what it was like then. */
function frozenItem(id: string, seen: number): FrozenStaged {
  return {
    itemId: id,
    kind: monitorKind,
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

/** What a preflight reads is never on disk, and is not encrypted for it. */
function inMemory(around: AroundWork): AroundWork {
  return {
    presence: (keys) => around.presence(keys),
    credentialValues: (ids) => around.credentialValues(ids),
    misfits: (values) => around.misfits(values),
    jobTypes: (ids) => around.jobTypes(ids),
    jobTypeMisfits: (jobTypes) => around.jobTypeMisfits(jobTypes),
    seal: async (_, secrets) => secrets.map(({ text }) => Uint8Array.from(Buffer.from(text))),
    open: async (_, sealed) => sealed.map(({ sealed: bytes }) => Buffer.from(bytes).toString()),
    lock: async () => {},
  }
}

function changed(itemId: string): V2Problem {
  return conflict(
    `The item ${itemId} was uploaded before with other content; an item cannot be changed once it is uploaded.`,
  )
}

function foreseen(file: StagingFile, count: number): Foreseen[] {
  return file.foreseen(count).map(({ itemId, outcome, seen }) => ({ itemId, outcome, oldChange: seen }))
}

function newDigest(): Hash {
  return createHash('sha256')
}

function conflict(message: string): V2Problem {
  return new V2Problem('operationConflict', message)
}

/** Problems lose their class between threads. */
async function refusing<Result>(
  work: () => Promise<Result>,
): Promise<Result | { readonly refusal: Refusal }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof V2Problem)) throw error
    const { code, message, errors } = error
    return { refusal: { code: code as Refusal['code'], message, errors: [...errors] } }
  }
}
