// bulk/open-bulk.ts: assembles bulk operations, for a store that other threads can open or for one in memory.
import { setTimeout as after } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Engine } from '../engine/engine.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { DriverSchemas } from '../kinds/redact-config.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import type { KeyedLock } from '../managing/keyed-lock.ts'
import type { Registry } from '../managing/registry.ts'
import type { WritePath } from '../managing/write-path.ts'
import type { Clock } from '../platform/clock.ts'
import type { BesideAddress } from '../store/beside.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Vault } from '../vault/vault.ts'
import { ControllerSide } from './around-work.ts'
import { CollectionWork } from './collection-work.ts'
import { BulkOperations } from './operations.ts'
import type { BulkThreadSetup } from './serve-work.ts'
import { ThreadedWork } from './threaded-work.ts'
import type { BulkWork } from './work.ts'

const itemsAtOnce = 500

export interface BulkOptions {
  readonly engine: Engine
  readonly fleet: Fleet
  readonly registry: Registry
  readonly store: Store
  readonly vault: Pick<Vault, 'prepare' | 'seal' | 'open' | 'trouble'>
  readonly validator: ResourceValidator
  readonly schemas: DriverSchemas
  readonly newUid: () => string
  readonly versionOf: (change: number) => string
  readonly path: WritePath
  readonly roomForWrite: () => Promise<void> | null
  /** Shared with single writes. */
  readonly lock: KeyedLock
  readonly epoch: number
  /** The last committed change. */
  readonly lastChange: () => number
  /** For a store that other threads can open. */
  readonly startThread: (setup: BulkThreadSetup) => Worker
  readonly clock: Clock
  readonly log: Log
}

export interface BulkService extends AsyncDisposable {
  readonly operations: BulkOperations
  /** Continues what the previous process left. */
  start(): void
}

export function openBulk(options: BulkOptions): BulkService {
  const { engine, registry, store, vault, lock, epoch } = options
  const side = new ControllerSide({
    registry,
    vault,
    lock,
    routeTells: ({ labels, tags }) => engine.reading.routeTells(labels, tags),
  })
  const storeName = `${store.identity.id} ${epoch}`
  const address = store.besideAddress
  const opened =
    address === null ? inPlace(options, side, storeName) : inThread(options, side, storeName, address)
  const operations = new BulkOperations({
    ...options,
    work: opened.work,
    side,
    storeName,
    healthOf: (row) => engine.reading.healthOf(row),
    itemsAtOnce,
    wait: (ms) => after(ms, undefined, { ref: false }),
  })
  return {
    operations,
    start: () => operations.start(),
    async [Symbol.asyncDispose]() {
      await operations[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}

interface OpenedWork extends AsyncDisposable {
  readonly work: BulkWork
}

function inThread(
  { startThread, epoch, registry }: BulkOptions,
  side: ControllerSide,
  store: string,
  address: BesideAddress,
): OpenedWork {
  const { allowsLocalDrivers, allowsJobTypes } = registry
  const setup = { address, store, epoch, allowsLocalDrivers, allowsJobTypes }
  return new ThreadedWork(() => startThread(setup), side)
}

/** A store in memory is small, and needs no thread. */
function inPlace(options: BulkOptions, side: ControllerSide, store: string): OpenedWork {
  const { drivers, allowsLocalDrivers, allowsJobTypes } = options.registry
  const work = new CollectionWork({
    ...options,
    beside: options.store.openBeside(),
    store,
    around: side,
    drivers,
    allowsLocalDrivers,
    allowsJobTypes,
  })
  return { work, [Symbol.asyncDispose]: async () => work[Symbol.dispose]() }
}
