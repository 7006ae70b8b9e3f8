// managing/desk.fixture.ts: a desk over an engine, a store in memory and a real key file, for tests of the
// outcomes of writes. The store can be made to fail.
import { temporaryFolder } from '@pulseward/testing'
import { EngineUnderTest } from '@pulseward/testing/engine'
import { driverShapes } from '../config/driver-shapes.ts'
import { noHead } from '../fleet/fleet-change.ts'
import type { ManagedKind, Sent } from '../kinds/kind.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import type { Json } from '../platform/json/json.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { StorageGuard } from '../store/storage-guard.ts'
import { type BatchKind, type CommitBatch, type Committed, StoreError } from '../store/store.ts'
import { silentLog } from '../telemetry/log.ts'
import { SecretText } from '../vault/envelope.ts'
import { Vault } from '../vault/vault.ts'
import { KeyedLock } from './keyed-lock.ts'
import { Registry } from './registry.ts'
import { ResourceDesk } from './resource-desk.ts'
import { WritePath } from './write-path.ts'
import { WriteRefusal } from './write-refusal.ts'

export const http = {
  check: { driver: { type: 'http', config: { url: 'http://shop/' } }, interval: '10s', timeout: '5s' },
} as const satisfies Json

export class DeskUnderTest implements AsyncDisposable {
  readonly desk: ResourceDesk
  readonly registry: Registry
  readonly tested: EngineUnderTest
  readonly store: MemoryStore
  /** The number of monitors in each amendment of the fleet. */
  readonly amendments: number[] = []
  readonly lock = new KeyedLock()
  readonly path: WritePath
  readonly vault: Vault
  readonly #folder: Disposable
  readonly #disk: FailingDisk
  #operations = 0

  private constructor(
    tested: EngineUnderTest,
    store: MemoryStore,
    disk: FailingDisk,
    vault: Vault,
    folder: Disposable,
  ) {
    this.tested = tested
    this.store = store
    this.#disk = disk
    this.vault = vault
    this.#folder = folder
    const reveal = ({ id, sealed }: ManagedResource) => {
      const opened = sealed === null ? null : vault.open(id, String(sealed.change), sealed.value)
      return opened instanceof SecretText ? opened.reveal() : null
    }
    const head = noHead
    this.registry = new Registry(
      { fleet: tested.fleet, drivers: driverShapes, allowsLocalDrivers: false, allowsJobTypes: true, reveal },
      { head, credentials: new Map() },
      0,
    )
    this.path = new WritePath({
      engine: tested.engine,
      registry: this.registry,
      vault,
      clock: { monotonicMs: () => 0 },
      amended: (rows) => void this.amendments.push(rows.length),
    })
    let uids = 0
    this.desk = new ResourceDesk({
      registry: this.registry,
      store,
      vault,
      validator: new ResourceValidator(driverShapes),
      schemas: () => null,
      newUid: () => `uid-${++uids}`,
      versionOf: (change) => `1.${change}`,
      lock: this.lock,
      path: this.path,
    })
  }

  static async start(): Promise<DeskUnderTest> {
    const folder = temporaryFolder({})
    const store = new MemoryStore(() => 0)
    const disk = new FailingDisk(store)
    const clock = { wallMs: () => 0, monotonicMs: () => 0 }
    const guard = new StorageGuard(disk, clock, silentLog)
    const tested = await EngineUnderTest.start([], guard)
    guard.tell(tested.engine)
    const vault = await Vault.open({
      path: folder.path('data.key'),
      keysInUse: new Set(),
      rewrapAll: async () => new Set(),
    })
    return new DeskUnderTest(tested, store, disk, vault, folder)
  }

  /** Makes commits fail, as on a full disk, or work again. */
  set isFull(isFull: boolean) {
    this.#disk.isFull = isFull
  }

  by(principal = 'ann') {
    return { principal, operation: ++this.#operations }
  }

  create(kind: ManagedKind, id: string, spec: Json, metadata: Partial<Sent['metadata']> = {}) {
    return this.desk.create(kind, { metadata: { id, ...metadata }, spec }, this.by())
  }

  monitor(id: string, spec: { readonly [key: string]: Json } = {}) {
    return this.create('Monitor', id, { ...http, ...spec })
  }

  events() {
    const everything = { monitorId: null, order: 'asc', upTo: 1e9, after: null, limit: 500 } as const
    return this.store.readEvents(everything).then(({ events }) => events)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.vault[Symbol.asyncDispose]()
    this.#folder[Symbol.dispose]()
  }
}

class FailingDisk {
  isFull = false
  readonly #store: MemoryStore

  constructor(store: MemoryStore) {
    this.#store = store
  }

  async commit(batch: CommitBatch, _kind?: BatchKind): Promise<Committed> {
    if (this.isFull) throw new StoreError('full', 'The disk is full.')
    return this.#store.commit(batch)
  }
}

/** The code with which a write is refused. */
export async function refusalOf(write: Promise<unknown>): Promise<string> {
  const error = await write.then(
    () => null,
    (error: unknown) => error,
  )
  if (error instanceof WriteRefusal) return error.code
  throw error ?? new Error('the write was made')
}
