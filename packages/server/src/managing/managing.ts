// managing/managing.ts: opens what was written through v2: the keys of its credentials, the resources that the store has,
// and the fleet that a start begins with, in which they stand beside what files say.
import { resolve } from 'node:path'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { Amender } from '../fleet/amender.ts'
import { type Arrangement, arrange } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { headOf } from '../fleet/fleet-change.ts'
import type { LoadedArrangement, ReloadedFleet } from '../fleet/load-arrangement.ts'
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

export class Managing implements AsyncDisposable {
  readonly registry: Registry
  readonly vault: Vault
  readonly epoch: number
  private constructor(registry: Registry, vault: Vault, epoch: number) {
    this.registry = registry
    this.vault = vault
    this.epoch = epoch
  }

  static async open(options: ManagingOptions): Promise<Managing> {
    const { settings, fleet, drivers, recovered, log } = options
    const resources = recovered.resources.map(fromStored)
    const keysInUse = new Set(
      resources.flatMap(({ sealed }) => (sealed === null ? [] : (wrappingKeyOf(sealed.value) ?? []))),
    )
    const vault = await Vault.open({
      path: await keyFilePath(resolve(settings.data), settings.credentials_key_file),
      keysInUse,
      rewrapAll: async () => keysInUse,
      problemChanged: (problem) => {
        if (problem !== null) log.error(problem)
      },
    })
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
    for (const resource of resources) registry.restore(resource)
    return new Managing(registry, vault, recovered.epoch)
  }

  /** What files say and what was created through v2, in one arrangement. */
  async fleetWith(loaded: LoadedArrangement, recovered: Recovered): Promise<LoadedArrangement> {
    const { registry } = this
    registry.filesChanged({ head: headOf(loaded.arrangement.definition), credentials: loaded.credentials })
    const builder = new DefinitionBuilder()
    for await (const chunk of recovered.monitors)
      for (const stored of chunk) builder.add(monitorDocument(asMonitor(fromStored(stored))), null)
    const own = { ...builder.finish({}), ...registry.head() }
    const arrangement =
      loaded.arrangement.definition.count === 0
        ? arrange(own, null)
        : asFirst(
            new Amender(loaded.arrangement).amend(
              { entries: own, removed: [], head: registry.head() },
              anyRow,
            ),
          )
    return { ...loaded, arrangement, credentials: registry.credentials() }
  }

  /** Files that were read again, beside what was created through v2. */
  reloaded({ next, credentials, ...rest }: ReloadedFleet): ReloadedFleet {
    if (next.kind !== 'amendment' || next.change.head === null)
      throw new Error('a fleet with managed monitors is amended')
    this.registry.filesChanged({ head: next.change.head, credentials })
    const change = { ...next.change, head: this.registry.head() }
    return { ...rest, next: { kind: 'amendment', change }, credentials: this.registry.credentials() }
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
