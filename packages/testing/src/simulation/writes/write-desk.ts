// simulation/writes/write-desk.ts: the part of one process that serves v2: what the edition next puts around
// an engine, without HTTP, principals and key files. All code that is tested here is the service's own.
import { driverShapes } from '@pulseward/server/internal/config/driver-shapes.ts'
import { sharedValue } from '@pulseward/server/internal/config/fleet-file/definition.ts'
import type { Settings } from '@pulseward/server/internal/config/settings/setting-table.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { ResourceValidator } from '@pulseward/server/internal/kinds/validate-resource.ts'
import { KeyedLock } from '@pulseward/server/internal/managing/keyed-lock.ts'
import { Managing } from '@pulseward/server/internal/managing/managing.ts'
import type { Registry } from '@pulseward/server/internal/managing/registry.ts'
import { ResourceDesk } from '@pulseward/server/internal/managing/resource-desk.ts'
import { ResourceLists } from '@pulseward/server/internal/managing/resource-lists.ts'
import { WritePath } from '@pulseward/server/internal/managing/write-path.ts'
import type { TurnEnd } from '@pulseward/server/internal/persistence/journal.ts'
import type { Recovered, Store } from '@pulseward/server/internal/store/store.ts'
import type { Log } from '@pulseward/server/internal/telemetry/log.ts'
import type { KeyFile } from './key-file.ts'

/** The part of an engine that writes need. */
type WritingEngine = Pick<Engine, 'request' | 'turn' | 'amendFleet'>

/** What planted defects may change. */
export interface WriteParts {
  readonly engine: { -readonly [Name in keyof WritingEngine]: WritingEngine[Name] }
  readonly registry: Registry
  readonly desk: ResourceDesk
  readonly lists: ResourceLists
}

export interface WriteDeskOptions {
  readonly number: number
  readonly engine: Engine
  readonly fleet: Fleet
  readonly settings: Settings
  readonly recovered: Recovered
  readonly store: Store
  readonly log: Log
  readonly keyFile: KeyFile
  /** A write that is on disk is about to be applied to the fleet. */
  readonly applying: (take: () => void, writes: number) => void
  readonly defect: ((parts: WriteParts) => void) | undefined
}

export class WriteDesk {
  readonly managing: Managing
  readonly desk: ResourceDesk
  readonly lists: ResourceLists
  readonly lock = new KeyedLock()
  readonly validator = new ResourceValidator(driverShapes)
  readonly path: WritePath
  /** Serves writes until the process is killed (isAlive) or asked to stop (isStopping). */
  isAlive = true
  isStopping = false
  readonly #engine: Engine
  readonly #keyFile: KeyFile

  constructor(options: WriteDeskOptions) {
    const { number, engine, fleet, settings, recovered, store, log, applying, defect } = options
    const { vault } = options.keyFile
    this.#keyFile = options.keyFile
    this.#engine = engine
    this.managing = Managing.over(vault, { settings, fleet, drivers: driverShapes, recovered, log })
    const { registry } = this.managing
    const writing: WriteParts['engine'] = {
      request: (unstored, work) => engine.request(unstored, work),
      amendFleet: (turn, change, credentials) => engine.amendFleet(turn, change, credentials),
      turn: (work) => {
        const { promise, resolve } = Promise.withResolvers<TurnEnd>()
        const writes = broughtIn
        broughtIn = 0
        applying(() => void engine.turn(work).then(resolve), writes)
        return promise
      },
    }
    let broughtIn = 0
    const committed = registry.committed.bind(registry)
    registry.committed = (change) => {
      broughtIn++
      return committed(change)
    }
    this.path = new WritePath({
      engine: {
        request: (unstored, work) => writing.request(unstored, work),
        turn: (work) => writing.turn(work),
        amendFleet: (turn, change, credentials) => writing.amendFleet(turn, change, credentials),
      },
      registry,
      vault,
      clock: { monotonicMs: () => 0 },
      amended: () => {},
    })
    let uids = 0
    this.desk = new ResourceDesk({
      registry,
      store,
      vault,
      validator: this.validator,
      schemas: () => null,
      newUid: () => `${number}-u${uids++}`,
      versionOf: (change) => `1.${change}`,
      lock: this.lock,
      path: this.path,
    })
    this.lists = new ResourceLists({
      store,
      registry,
      fleet,
      monitorsOfFiles: async (after, size) => monitorsOfFiles(fleet, after, size),
    })
    defect?.({ engine: writing, registry, desk: this.desk, lists: this.lists })
  }

  /** Nothing can be stored now. */
  get isPaused(): boolean {
    return this.#engine.isPaused
  }

  get hasKeys(): boolean {
    return this.#keyFile.isThere
  }

  /** The last change that is on disk, as the service knows it. */
  get position(): number {
    return this.#engine.reading.commits.change
  }
}

/** Replaces the query thread. */
function monitorsOfFiles(fleet: Fleet, after: string | null, size: number): Uint32Array {
  const { sources } = fleet.definition
  const rows = Array.from({ length: fleet.rows }, (_, row) => row)
    .filter((row) => fleet.has(row) && sharedValue(sources, row) !== null)
    .map((row) => ({ row, id: fleet.idOf(row) }))
    .filter(({ id }) => after === null || id > after)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return Uint32Array.from(rows.slice(0, size), ({ row }) => row)
}
