// managing/managing.ts: opens what was written through v2: the keys of its credentials, the resources that the store has,
// and the fleet that a start begins with, in which they stand beside what files say.
import { sharedValue } from '../config/fleet-file/definition.ts'
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
import type { Recovered, Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Vault } from '../vault/vault.ts'
import { openCredentialVault, revealer } from './credential-vault.ts'
import { lostReferences } from './lost-references.ts'
import { asMonitor, fromStored } from './managed-resource.ts'
import { monitorDocument } from './monitor-document.ts'
import { namedFew, OperatorProblems } from './operator-problems.ts'
import { Registry } from './registry.ts'

/** Lost references may be mended by every write; this long after one they are looked for. */
const lookAgainAfterMs = 1_000

export interface ManagingOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  readonly recovered: Recovered
  readonly store: Pick<Store, 'reseal' | 'mode'>
  readonly log: Log
}

export class Managing implements AsyncDisposable {
  readonly registry: Registry
  readonly vault: Vault
  readonly problems: OperatorProblems
  readonly epoch: number
  readonly #fleet: Fleet
  readonly #values: { changed: () => void }
  #lookTimer: NodeJS.Timeout | null = null

  private constructor(
    registry: Registry,
    vault: Vault,
    problems: OperatorProblems,
    values: { changed: () => void },
    { recovered, fleet }: ManagingOptions,
  ) {
    this.registry = registry
    this.vault = vault
    this.problems = problems
    this.epoch = recovered.epoch
    this.#fleet = fleet
    this.#values = values
  }

  static async open(options: ManagingOptions): Promise<Managing> {
    const { settings, fleet, drivers, recovered, store, log } = options
    const problems = new OperatorProblems(log)
    const values = { changed: () => {} }
    const nothing = { endpoints: new Map(), groups: new Map(), routes: [] }
    const registry = new Registry(
      {
        fleet,
        drivers,
        allowsLocalDrivers: settings.local_drivers === 'api',
        reveal: revealer(() => vault),
      },
      { head: nothing, credentials: new Map() },
      recovered.lastChange,
    )
    for (const resource of recovered.resources) registry.restore(fromStored(resource))
    const vault = await openCredentialVault({
      settings,
      store,
      problems,
      sealed: {
        credentials: () => registry.all('Credential'),
        resealed: (value) => registry.resealed(value),
      },
      valuesChanged: () => values.changed(),
    })
    return new Managing(registry, vault, problems, values, options)
  }

  /** Told when values of credentials can be opened that could not before, or the other way round. */
  onValuesChanged(listener: () => void): void {
    this.#values.changed = listener
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
    const builder = new DefinitionBuilder(registry.drivers)
    for await (const chunk of recovered.monitors)
      for (const stored of chunk) {
        builder.add(monitorDocument(asMonitor(fromStored(stored))), null)
        if (inFiles.find(stored.id, (row) => ids.get(row)) !== -1) leftOut.push(`monitor ${stored.id}`)
      }
    this.#reportClashes(leftOut, 'it was left out')
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
    const { sources } = this.#fleet.definition
    const [entries, head] =
      next.kind === 'amendment'
        ? [next.change.entries, next.change.head]
        : [next.arrangement.definition, headOf(next.arrangement.definition)]
    const clashes = head === null ? [] : this.#managedIn(head)
    const ids = new PackedReader(entries.ids)
    for (let number = 0; number < entries.count; number++) {
      const id = ids.get(number)
      const row = this.#fleet.rowOf(id)
      if (row !== -1 && sharedValue(sources, row) === null) clashes.push(`monitor ${id}`)
    }
    if (clashes.length === 0) return
    this.#reportClashes(clashes, 'they were not read again')
    throw new SourceError(`the fleet files have what v2 manages: ${clashWords(clashes)}.`)
  }

  #reportClashes(clashes: readonly string[], consequence: string): void {
    const count = clashes.length
    const words = `fleet files have what v2 manages, so ${consequence}: ${namedFew(clashes)}`
    const sentence = `Fleet files have what v2 manages, so ${consequence}: ${clashWords(clashes)}.`
    this.problems.report('file_clash', count === 0 ? null : { words, sentence, count })
  }

  /** What files say is in force: resources of v2 may refer to what they do not have any more. */
  lookForLostReferences(): void {
    if (this.#lookTimer !== null) clearTimeout(this.#lookTimer)
    this.#lookTimer = null
    if (this.#fleet.loaded) this.problems.report('lost_reference', lostReferences(this.#fleet, this.registry))
  }

  /** A resource was written: it may have mended something. */
  noteWrite(): void {
    if (this.problems.countOf('lost_reference') === 0) return
    this.#lookTimer ??= setTimeout(() => this.lookForLostReferences(), lookAgainAfterMs)
  }

  /** Endpoints and groups under ids that v2 manages. */
  #managedIn({ endpoints, groups }: FleetHead): string[] {
    const { registry } = this
    const isManaged = (kind: 'NotificationEndpoint' | 'NotificationGroup') => (id: string) =>
      registry.find(kind, id) !== undefined
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
    this.problems.report('file_clash', null)
    const head = registry.head()
    const both = { ...rest, credentials: registry.credentials() }
    if (!isWhole) return { ...both, next: { kind: 'amendment', change: { ...next.change, head } } }
    const { arrangement } = next
    const definition = { ...arrangement.definition, ...head }
    return { ...both, next: { kind: 'whole', arrangement: { ...arrangement, definition } } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#lookTimer !== null) clearTimeout(this.#lookTimer)
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

function clashWords(clashes: readonly string[]): string {
  return `${namedFew(clashes)}; take them out of the files, or delete them through v2`
}
