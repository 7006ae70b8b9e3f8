// managing/managing.ts: opens what was written through v2: the keys of its credentials, the resources that the store has,
// and the fleet that a start begins with, in which they stand beside what files say.
import { resolve } from 'node:path'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { SourceError } from '../config/fleet-file/source.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type FleetHead, headOf } from '../fleet/fleet-change.ts'
import type { LoadedArrangement, ReloadedFleet } from '../fleet/load-arrangement.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { RowIndex } from '../platform/row-index.ts'
import { dataDirectory } from '../store/data-directory.ts'
import type { Recovered } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { SecretText, wrappingKeyOf } from '../vault/envelope.ts'
import { keyFilePath } from '../vault/key-file.ts'
import { Vault } from '../vault/vault.ts'
import { fromStored, type ManagedResource } from './managed-resource.ts'
import {
  arrangeBeside,
  arrangeOwn,
  idsOf,
  readOwnFleet,
  type SnapshotPlace,
  snapshotKey,
} from './own-fleet.ts'
import { Registry } from './registry.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'

export interface ManagingOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  readonly recovered: Recovered
  readonly log: Log
}

/** What values are sealed and opened with. */
export type ManagingVault = Pick<Vault, 'prepare' | 'seal' | 'open'> & AsyncDisposable

export class Managing implements AsyncDisposable {
  readonly registry: Registry
  readonly vault: ManagingVault
  readonly epoch: number
  readonly #log: Log
  readonly #fleet: Fleet
  /** Null where nothing outlives the process. */
  readonly #snapshotPlace: SnapshotPlace | null
  #snapshotChange: number | null = null

  private constructor(registry: Registry, vault: ManagingVault, options: ManagingOptions) {
    const { settings, recovered, drivers, fleet, log } = options
    this.#fleet = fleet
    this.registry = registry
    this.vault = vault
    this.epoch = recovered.epoch
    this.#log = log
    const path = dataDirectory(resolve(settings.data)).arrangement
    this.#snapshotPlace = settings.store === 'memory' ? null : { path, key: snapshotKey(recovered, drivers) }
  }

  static async open(options: ManagingOptions): Promise<Managing> {
    const { settings, recovered, log } = options
    const keysInUse = new Set(
      recovered.resources.flatMap(({ sealed }) => (sealed === null ? [] : (wrappingKeyOf(sealed) ?? []))),
    )
    const vault = await Vault.open({
      path: await keyFilePath(resolve(settings.data), settings.credentials_key_file),
      keysInUse,
      rewrapAll: async () => keysInUse,
      problemChanged: (problem) => {
        if (problem !== null) log.error(problem)
      },
    })
    return Managing.over(vault, options)
  }

  /** The vault is open already. */
  static over(vault: ManagingVault, options: ManagingOptions): Managing {
    const { settings, fleet, drivers, recovered } = options
    const reveal = ({ id, sealed }: ManagedResource): string | null => {
      if (sealed === null) return null
      const opened = vault.open(id, String(sealed.change), sealed.value)
      return opened instanceof SecretText ? opened.reveal() : null
    }
    const nothing = { endpoints: new Map(), groups: new Map(), routes: [] }
    const registry = new Registry(
      { fleet, drivers, allowsLocalDrivers: settings.local_drivers === 'api', reveal },
      { head: nothing, credentials: new Map() },
      recovered.lastChange,
    )
    for (const stored of recovered.resources) registry.restore(fromStored(stored))
    return new Managing(registry, vault, options)
  }

  /**
   * What files say and what was created through v2, in one arrangement. Under the same id, the one of v2 counts: a create
   * must not keep the service from starting.
   */
  async fleetWith(loaded: LoadedArrangement, recovered: Recovered): Promise<LoadedArrangement> {
    const { registry } = this
    const { definition, rowTable } = loaded.arrangement
    const leftOut = this.#managedIn(headOf(definition))
    const ofFiles = without(headOf(definition), leftOut)
    registry.filesChanged({ head: ofFiles, credentials: loaded.credentials })
    const own = await readOwnFleet(recovered, this.#snapshotPlace, registry.drivers)
    this.#snapshotChange = own.snapshotChange
    const head = registry.head()
    if (definition.count === 0)
      return { ...loaded, arrangement: arrangeOwn(own, head), credentials: registry.credentials() }
    const ids = new PackedReader(definition.ids)
    const inFiles = new RowIndex(rowTable)
    for (const id of idsOf(own))
      if (inFiles.find(id, (row) => ids.get(row)) !== -1) leftOut.push(`monitor ${id}`)
    if (leftOut.length > 0)
      this.#log.error(`the fleet files have what v2 manages, which was left out: ${clashWords(leftOut)}`)
    const arrangement = arrangeBeside(loaded.arrangement, own, head)
    return { ...loaded, arrangement, credentials: registry.credentials() }
  }

  /** Keeps what the next start begins with, if it is kept at all. */
  keepSnapshots(change: () => number): SnapshotKeeper | null {
    if (this.#snapshotPlace === null) return null
    return new SnapshotKeeper({
      place: this.#snapshotPlace,
      fleet: this.#fleet,
      change,
      snapshotChange: this.#snapshotChange,
      log: this.#log,
    })
  }

  /** Throws a SourceError when files that were read again have what v2 manages: then none of them count. */
  refuseClashes({ next }: ReloadedFleet): void {
    const [entries, head] =
      next.kind === 'amendment'
        ? [next.change.entries, next.change.head]
        : [next.arrangement.definition, headOf(next.arrangement.definition)]
    const clashes = head === null ? [] : this.#managedIn(head)
    const ids = new PackedReader(entries.ids)
    for (let number = 0; number < entries.count; number++) {
      const id = ids.get(number)
      if (this.registry.isManaged('Monitor', id)) clashes.push(`monitor ${id}`)
    }
    if (clashes.length > 0)
      throw new SourceError(`the fleet files have what v2 manages: ${clashWords(clashes)}.`)
  }

  /** Endpoints and groups under ids that v2 manages. */
  #managedIn({ endpoints, groups }: FleetHead): string[] {
    const { registry } = this
    const isManaged = (kind: 'NotificationEndpoint' | 'NotificationGroup') => (id: string) =>
      registry.isManaged(kind, id)
    return [
      ...[...endpoints.keys()].filter(isManaged('NotificationEndpoint')).map((id) => `endpoint ${id}`),
      ...[...groups.keys()].filter(isManaged('NotificationGroup')).map((id) => `group ${id}`),
    ]
  }

  /** Files that were read again, beside what was created through v2. */
  reloaded({ next, credentials, ...rest }: ReloadedFleet): ReloadedFleet {
    const { registry } = this
    const isWhole = next.kind === 'whole'
    const ofFiles = isWhole ? headOf(next.arrangement.definition) : next.change.head
    if (ofFiles === null) throw new Error('files that were read again say where notifications go')
    registry.filesChanged({ head: ofFiles, credentials })
    const head = registry.head()
    const both = { ...rest, credentials: registry.credentials() }
    if (!isWhole) return { ...both, next: { kind: 'amendment', change: { ...next.change, head } } }
    const { arrangement } = next
    const definition = { ...arrangement.definition, ...head }
    return { ...both, next: { kind: 'whole', arrangement: { ...arrangement, definition } } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.vault[Symbol.asyncDispose]()
  }
}

function without({ endpoints, groups, routes }: FleetHead, leftOut: readonly string[]): FleetHead {
  const names = new Set(leftOut)
  const kept = <Value>(entries: ReadonlyMap<string, Value>, noun: string) =>
    new Map([...entries].filter(([id]) => !names.has(`${noun} ${id}`)))
  return { endpoints: kept(endpoints, 'endpoint'), groups: kept(groups, 'group'), routes }
}

const mostNamed = 5

function clashWords(clashes: readonly string[]): string {
  const others = clashes.length - mostNamed
  const named = [...clashes.slice(0, mostNamed), ...(others > 0 ? [`${others} more`] : [])].join(', ')
  return `${named}; take them out of the files, or delete them through v2`
}
