// bulk/collection-work.ts: the work on collections: staging, validating, preparing. Calls for one operation
// are processed one after another.
import { v2 } from '@pulseward/contract'
import type { FrozenItem, FrozenRevision } from '../controls/frozen.ts'
import type { ResourceKey } from '../kinds/kind.ts'
import { kindOf } from '../kinds/kind-table.ts'
import type { DriverSchemas } from '../kinds/redact-config.ts'
import { hasReferences } from '../kinds/references.ts'
import type { Surroundings } from '../kinds/surroundings.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import { KeyedLock } from '../managing/keyed-lock.ts'
import { readBody } from '../requests/read-body.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import type { StoreBeside } from '../store/beside.ts'
import { MemoryStagedOperation } from '../store/memory-staging.ts'
import type { StagedOperation, StagingHead } from '../store/staging.ts'
import { CurrentResources } from './current-resources.ts'
import { fewPlaces } from './few-places.ts'
import { prepareChunk } from './prepare-chunk.ts'
import { silentItems } from './silent-items.ts'
import { checkedPrefix } from './stage-items.ts'
import { frozenItem, StagedCollection } from './staged-collection.ts'
import { lossOf, stagingGone } from './staging-loss.ts'
import { validateCollection } from './validate-collection.ts'
import type {
  AroundWork,
  BulkWork,
  Foreseen,
  Preflighted,
  PreparedChunk,
  Refusal,
  Staged,
  Uploaded,
  Validation,
} from './work.ts'

export interface CollectionWorkOptions {
  readonly beside: StoreBeside
  /** The store, and its epoch, that it belongs to. */
  readonly store: string
  readonly around: AroundWork
  readonly validator: ResourceValidator
  readonly drivers: Surroundings['drivers']
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  readonly schemas: DriverSchemas
  readonly newUid: () => string
  readonly versionOf: (change: number) => string
}

/** The operation number under which the items of a preflight are sealed. */
const preflightNumber = 0

export class CollectionWork implements BulkWork, Disposable {
  readonly #options: CollectionWorkOptions
  readonly #current: CurrentResources
  readonly #open = new Map<number, StagedCollection>()
  readonly #lock = new KeyedLock()
  /** Held while a staged collection is opened. */
  readonly #opening = new KeyedLock()

  constructor(options: CollectionWorkOptions) {
    this.#options = options
    this.#current = new CurrentResources(options.beside.resources)
  }

  async create(head: StagingHead): Promise<Staged> {
    const file = await this.#options.beside.staging.create(head)
    this.#open.set(head.number, new StagedCollection(file))
    return { uploaded: 0, touchedAt: head.touchedAt }
  }

  async resume(number: number): Promise<Staged | null> {
    try {
      const { file } = await this.#collection(number)
      return { uploaded: file.uploaded, touchedAt: file.head.touchedAt }
    } catch (error) {
      if (lossOf(error) === null) throw error
      return null
    }
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
      return await this.#staged(number, async (collection) => {
        await collection.stage(items, now, this.#options)
        await this.#options.beside.staging.share(collection.file, false)
        return { uploaded: collection.file.uploaded, touchedAt: now }
      })
    })
  }

  async freeze(number: number, items: readonly FrozenItem[], now: number): Promise<Staged> {
    const staged = items.map(({ id, name, labels, spec, change }) => ({
      ...frozenItem(id, change),
      name,
      labels,
      spec,
      hasReferences: hasReferences(kindOf('Monitor'), JSON.parse(spec), this.#options.drivers) ? 1 : 0,
    }))
    return await this.#staged(number, (collection) => collection.freeze(staged, now))
  }

  async freezeRevisions(number: number, items: readonly FrozenRevision[], now: number): Promise<Staged> {
    const staged = items.map(({ id, revision, incidentId }) => ({
      ...frozenItem(id, revision),
      spec: incidentId ?? '',
    }))
    return await this.#staged(number, (collection) => collection.freeze(staged, now))
  }

  async settle(number: number): Promise<void> {
    await this.#staged(number, ({ file }) => this.#settle(file))
  }

  async frozen(number: number, place: number, count: number): Promise<readonly FrozenRevision[]> {
    const items = await this.#staged(number, (collection) => collection.following(place, count))
    return items.map(({ id, seen, spec }) => ({
      id,
      revision: seen ?? 0,
      incidentId: spec === '' ? null : spec,
    }))
  }

  async touch(number: number, now: number): Promise<void> {
    await this.#staged(number, async ({ file }) => {
      file.touch(now)
      await this.#options.beside.staging.share(file, false)
    })
  }

  async incomplete(number: number): Promise<string | null> {
    using _ = await this.#lock.take(String(number))
    return await this.#staged(number, async (collection) => {
      const { itemCount, contentDigest } = collection.file.head
      const { uploaded } = collection.file
      if (uploaded < itemCount)
        return `Of the ${itemCount} items of the collection ${uploaded} are uploaded; upload the rest first.`
      if (contentDigest === null || !contentDigest.startsWith(checkedPrefix)) return null
      if ((await collection.digest(this.#options.around)) === contentDigest) return null
      return 'The items that were uploaded are not the collection that the operation was created for: its digest is another. Cancel it and create another one.'
    })
  }

  async validate(number: number): Promise<Validation> {
    using _ = await this.#lock.take(String(number))
    return await this.#staged(number, async (collection) => {
      const validation = await this.#validate(collection)
      await this.#settle(collection.file)
      return validation
    })
  }

  async foresee(number: number, count: number): Promise<readonly Foreseen[]> {
    return await this.#staged(number, (collection) => collection.foreseen(count))
  }

  async prepare(number: number, place: number, count: number): Promise<PreparedChunk> {
    const { around } = this.#options
    const items = await this.#staged(number, (collection) => collection.following(place, count))
    const keys = items.map(({ kind, id }): ResourceKey => [kind, id])
    await around.lock(number, place, keys)
    return prepareChunk(place, items, await this.#current.read(keys), this.#options)
  }

  async itemIds(number: number, place: number, count: number): Promise<readonly string[]> {
    const items = await this.#staged(number, ({ file }) => file.planned(place, count))
    return items.map(({ itemId }) => itemId)
  }

  async resourcesOf(number: number, itemIds: readonly string[]): Promise<readonly ResourceKey[]> {
    return await this.#staged(number, ({ file }) =>
      itemIds.flatMap((itemId): ResourceKey[] => {
        const item = file.find(itemId)
        return item === null ? [] : [[item.kind, item.id]]
      }),
    )
  }

  async stillToCome(
    number: number,
    keys: readonly ResourceKey[],
    unchangedSince: number | null,
  ): Promise<readonly boolean[]> {
    const found = await this.#current.read(keys)
    const isUnchanged = (index: number) =>
      unchangedSince === null || (found[index]?.change ?? 0) <= unchangedSince
    return await this.#staged(number, ({ file }) =>
      keys.map((key, index) => file.ordinalOf(...key) !== -1 && isUnchanged(index)),
    )
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
      using collection = new StagedCollection(new MemoryStagedOperation(head))
      const kept = inMemory(around)
      await collection.stage(items, 0, { ...this.#options, around: kept })
      const validation = await this.#validate(collection, kept)
      return {
        ...validation,
        contentDigest: await collection.digest(kept),
        foreseen: collection.foreseen(v2.limits.preflightItems),
        silent: validation.failedCount === 0 ? await silentItems(items, kept) : [],
        fewPlaces: validation.failedCount === 0 ? fewPlaces(items) : [],
      }
    })
  }

  async drop(number: number): Promise<void> {
    const collection = this.#open.get(number)
    // Work in progress ends at its next pause; only then is the file closed.
    if (collection !== undefined) collection.isDropped = true
    this.#open.delete(number)
    using _lock = await this.#lock.take(String(number))
    using _opening = await this.#opening.take(String(number))
    collection?.[Symbol.dispose]()
    // A waiting call may have opened it again.
    this.#open.get(number)?.[Symbol.dispose]()
    this.#open.delete(number)
    await this.#options.beside.staging.remove(number)
  }

  async dropAllBut(numbers: readonly number[]): Promise<void> {
    const { staging } = this.#options.beside
    for (const number of await staging.numbers()) if (!numbers.includes(number)) await staging.remove(number)
  }

  [Symbol.dispose](): void {
    for (const collection of this.#open.values()) collection[Symbol.dispose]()
    this.#open.clear()
    this.#options.beside[Symbol.dispose]()
  }

  async #settle(file: StagedOperation): Promise<void> {
    await file.settle()
    await this.#options.beside.staging.share(file, true)
  }

  #validate(collection: StagedCollection, around = this.#options.around): Promise<Validation> {
    return validateCollection({
      ...this.#options,
      current: this.#current,
      around,
      number: collection.number,
      file: collection.file,
      async pause() {
        await new Promise(setImmediate)
        if (collection.isDropped) throw new Error('the operation was dropped')
      },
    })
  }

  async #staged<Result>(
    number: number,
    work: (collection: StagedCollection) => Result | Promise<Result>,
  ): Promise<Result> {
    return await work(await this.#collection(number))
  }

  /** After a restart, of the process or of its thread, the first call that needs a collection opens it. */
  async #collection(number: number): Promise<StagedCollection> {
    const { beside, store } = this.#options
    const known = this.#open.get(number)
    if (known !== undefined) return known
    using _ = await this.#opening.take(String(number))
    const meanwhile = this.#open.get(number)
    if (meanwhile !== undefined) return meanwhile
    const file = await beside.staging.open(number, store)
    if (file === null) throw stagingGone(number)
    const collection = new StagedCollection(file)
    this.#open.set(number, collection)
    return collection
  }
}

/** The items of a preflight never reach the disk, so they are not encrypted. */
function inMemory(around: AroundWork): AroundWork {
  return {
    presence: (keys) => around.presence(keys),
    someIds: (kind) => around.someIds(kind),
    credentialValues: (ids) => around.credentialValues(ids),
    misfits: (values) => around.misfits(values),
    keyOwners: (keys) => around.keyOwners(keys),
    hostsOfPages: () => around.hostsOfPages(),
    jobTypes: (ids) => around.jobTypes(ids),
    jobTypeMisfits: (jobTypes) => around.jobTypeMisfits(jobTypes),
    routesTell: (monitors) => around.routesTell(monitors),
    seal: async (_, secrets) => secrets.map(({ text }) => Uint8Array.from(Buffer.from(text))),
    open: async (_, sealed) => sealed.map(({ sealed: bytes }) => Buffer.from(bytes).toString()),
    lock: async () => {},
  }
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
