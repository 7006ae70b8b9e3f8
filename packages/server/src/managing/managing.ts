// managing/managing.ts: opens what was written through v2: the keys of its credentials, the resources that the store has,
// and the fleet that a start begins with, in which they stand beside what files say.
import { resolve } from 'node:path'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { SourceError } from '../config/fleet-file/source.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { Amender } from '../fleet/amender.ts'
import { type Arrangement, arrange } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type FleetHead, headOf } from '../fleet/fleet-change.ts'
import type { LoadedArrangement, ReloadedFleet } from '../fleet/load-arrangement.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { RowIndex } from '../platform/row-index.ts'
import type { Recovered } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { SecretText, wrappingKeyOf } from '../vault/envelope.ts'
import { keyFilePath } from '../vault/key-file.ts'
import { Vault } from '../vault/vault.ts'
import { asMonitor, fromStored, type ManagedResource } from './managed-resource.ts'
import { monitorDocument } from './monitor-document.ts'
import { Registry } from './registry.ts'

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

  private constructor(registry: Registry, vault: ManagingVault, { recovered, log }: ManagingOptions) {
    this.registry = registry
    this.vault = vault
    this.epoch = recovered.epoch
    this.#log = log
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
    const head = without(headOf(definition), leftOut)
    registry.filesChanged({ head, credentials: loaded.credentials })
    const ids = new PackedReader(definition.ids)
    const inFiles = new RowIndex(rowTable)
    const builder = new DefinitionBuilder()
    for await (const chunk of recovered.monitors)
      for (const stored of chunk) {
        builder.add(monitorDocument(asMonitor(fromStored(stored))), null)
        if (inFiles.find(stored.id, (row) => ids.get(row)) !== -1) leftOut.push(`monitor ${stored.id}`)
      }
    if (leftOut.length > 0)
      this.#log.error(`the fleet files have what v2 manages, which was left out: ${clashWords(leftOut)}`)
    const own = { ...builder.finish({}), ...registry.head() }
    const arrangement =
      definition.count === 0
        ? arrange(own, null)
        : asFirst(
            new Amender(loaded.arrangement).amend(
              { entries: own, removed: [], head: registry.head() },
              anyRow,
            ),
          )
    return { ...loaded, arrangement, credentials: registry.credentials() }
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

const anyRow = { isIdle: () => true, nowMs: 0 }

/** The engine begins with all of it. */
function asFirst(arrangement: Arrangement): Arrangement {
  const rows = [...arrangement.present.keys()].filter((row) => arrangement.present[row] === 1)
  const none = new Uint32Array(0)
  return {
    ...arrangement,
    isWhole: true,
    added: Uint32Array.from(rows),
    removed: none,
    changed: none,
    changedBits: none,
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
