// managing/managing.ts: opens what was written through v2: the keys of its credentials, the resources in the
// store, and the initial fleet, which combines them with what the files say.
import { resolve } from 'node:path'
import { v2 } from '@pulseward/contract'
import { referenceIn } from '../config/fleet-file/credential-places.ts'
import type { Credentials } from '../config/fleet-file/credentials.ts'
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { SourceError } from '../config/fleet-file/source.ts'
import { isReported } from '../config/push-check.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type FleetHead, headOf, noHead } from '../fleet/fleet-change.ts'
import type { LoadedArrangement, ReloadedFleet } from '../fleet/load-arrangement.ts'
import { entriesOf, withEntries } from '../kinds/head-part.ts'
import { kindOf } from '../kinds/kind-table.ts'
import { fromStored } from '../kinds/managed-resource.ts'
import { keyFields } from '../kinds/push-keys.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { RowIndex } from '../platform/row-index.ts'
import { dataDirectory } from '../store/data-directory.ts'
import type { Recovered, Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { openCredentialVault, revealer } from '../vault/credential-vault.ts'
import type { Vault } from '../vault/vault.ts'
import { lostReferences } from './lost-references.ts'
import { namedFew, OperatorProblems } from './operator-problems.ts'
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

/** Every write may fix lost references; they are looked for this long after one. */
const lookAgainAfterMs = 1_000

export interface ManagingOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  readonly recovered: Recovered
  readonly store: Pick<Store, 'reseal' | 'isDurable'>
  readonly log: Log
}

/** What seals and opens values. */
export type ManagingVault = Pick<
  Vault,
  'prepare' | 'seal' | 'open' | 'problem' | 'trouble' | 'noteKeysInUse'
> &
  AsyncDisposable

export class Managing implements AsyncDisposable {
  readonly registry: Registry
  readonly vault: ManagingVault
  readonly problems: OperatorProblems
  readonly epoch: number
  readonly #log: Log
  readonly #fleet: Fleet
  /** Null if nothing outlives the process. */
  readonly #snapshotPlace: SnapshotPlace | null
  readonly #values: { changed: () => void }
  #snapshotChange: number | null = null
  #lookTimer: NodeJS.Timeout | null = null

  private constructor(
    registry: Registry,
    vault: ManagingVault,
    problems: OperatorProblems,
    values: { changed: () => void },
    options: Omit<ManagingOptions, 'store'>,
  ) {
    const { settings, recovered, drivers, fleet, log } = options
    this.registry = registry
    this.vault = vault
    this.problems = problems
    this.epoch = recovered.epoch
    this.#log = log
    this.#fleet = fleet
    this.#values = values
    const path = dataDirectory(resolve(settings.data)).arrangement
    this.#snapshotPlace = settings.store === 'memory' ? null : { path, key: snapshotKey(recovered, drivers) }
  }

  static async open(options: ManagingOptions): Promise<Managing> {
    const { settings, store, log } = options
    const problems = new OperatorProblems(log)
    const values = { changed: () => {} }
    const registry = restoredRegistry(options, () => vault)
    const data = resolve(settings.data)
    const vault = await openCredentialVault({
      data,
      keyFile: settings.credentials_key_file,
      // A store in memory is lost on restart, and its directory may not exist.
      sealingRecord: store.isDurable ? dataDirectory(data).sealing : null,
      reseal: (values) => store.reseal(values),
      sealed: {
        credentials: () => registry.allCredentials(),
        resealed: (value) => registry.resealed(value),
      },
      report: (problem) => problems.report('credentials_key', problem),
      valuesChanged: () => values.changed(),
    })
    return new Managing(registry, vault, problems, values, options)
  }

  /** For a vault that is already open. */
  static over(vault: ManagingVault, options: Omit<ManagingOptions, 'store'>): Managing {
    const registry = restoredRegistry(options, () => vault)
    const problems = new OperatorProblems(options.log)
    return new Managing(registry, vault, problems, { changed: () => {} }, options)
  }

  /** Called when credential values can be opened that could not before, or the other way round. */
  onValuesChanged(listener: () => void): void {
    this.#values.changed = listener
  }

  /**
   * What files say and what was created through v2, in one arrangement. Under the same id, v2 wins: a create
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
    const ids = new PackedReader(definition.ids)
    const inFiles = new RowIndex(rowTable)
    const hasMonitors = definition.count > 0
    if (hasMonitors)
      for (const id of idsOf(own)) if (inFiles.find(id, ids) !== -1) leftOut.push(`monitor ${id}`)
    this.#reportClashes(leftOut, 'it was left out')
    const head = registry.head()
    const arrangement = hasMonitors ? arrangeBeside(loaded.arrangement, own, head) : arrangeOwn(own, head)
    return { ...loaded, arrangement, credentials: registry.credentials() }
  }

  /** Keeps snapshots for the next start, if any are kept. */
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

  /** Throws a SourceError if reread files have what v2 manages: then none of them count. */
  refuseClashes({ next, credentials }: ReloadedFleet): void {
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
    clashes.push(...this.#keyClashes(entries, credentials))
    if (clashes.length === 0) return
    this.#reportClashes(clashes, 'they were not read again')
    throw new SourceError(`the fleet files have what v2 manages: ${clashWords(clashes)}.`)
  }

  /** Monitors of files with the push key of one that v2 manages. */
  *#keyClashes(entries: FleetDefinition, credentials: Credentials): Generator<string> {
    const { of, values } = entries.policies
    const reported = values.map(({ type }) => isReported(type))
    if (!reported.includes(true)) return
    const [ids, configs] = [new PackedReader(entries.ids), new PackedReader(entries.configs)]
    for (let number = 0; number < entries.count; number++) {
      if (!reported[of[number]!]) continue
      const config: Record<string, unknown> = JSON.parse(configs.get(number))
      for (const field of keyFields) {
        const key = credentials.get(referenceIn(config[field]) ?? '')
        const owner = key === undefined ? null : this.registry.monitorWithKey(key)
        if (owner !== null && this.registry.isManaged('Monitor', owner))
          yield `the ${field} of monitor ${ids.get(number)}, as a key of monitor ${owner}`
      }
    }
  }

  #reportClashes(clashes: readonly string[], consequence: string): void {
    const count = clashes.length
    const words = `fleet files have what v2 manages, so ${consequence}: ${namedFew(clashes)}`
    const sentence = `Fleet files have what v2 manages, so ${consequence}: ${clashWords(clashes)}.`
    this.problems.report('file_clash', count === 0 ? null : { words, sentence, count })
  }

  /** After files come into force: resources of v2 may refer to what they no longer have. */
  lookForLostReferences(): void {
    if (this.#lookTimer !== null) clearTimeout(this.#lookTimer)
    this.#lookTimer = null
    if (this.#fleet.loaded) this.problems.report('lost_reference', lostReferences(this.#fleet, this.registry))
  }

  /** After a resource was written: it may have fixed something. */
  noteWrite(): void {
    if (this.problems.countOf('lost_reference') === 0) return
    this.#lookTimer ??= setTimeout(() => this.lookForLostReferences(), lookAgainAfterMs)
  }

  /** Ids in the head that v2 manages. */
  #managedIn(head: FleetHead): string[] {
    return headParts.flatMap(({ kind, name, noun }) =>
      [...entriesOf(head, name).keys()]
        .filter((id) => this.registry.isManaged(kind, id))
        .map((id) => `${noun} ${id}`),
    )
  }

  /** Combines reread files with what was created through v2. */
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

/** With the resources that the previous process left. */
function restoredRegistry(
  { settings, fleet, drivers, recovered }: Omit<ManagingOptions, 'store'>,
  vault: () => Pick<Vault, 'open'>,
): Registry {
  const registry = new Registry(
    {
      fleet,
      drivers,
      allowsLocalDrivers: settings.local_drivers === 'api',
      allowsJobTypes: settings.external_jobs,
      reveal: revealer(vault),
    },
    { head: noHead, credentials: new Map() },
    recovered.lastChange,
  )
  for (const resource of recovered.resources) registry.restore(fromStored(resource))
  return registry
}

/** The parts of the fleet's head, by kind. */
const headParts = v2.resourceKinds.flatMap((kind) => {
  const part = kindOf(kind).head
  return part === null ? [] : [{ kind, name: part.name, noun: v2.kinds[kind].names[0] }]
})

function without(head: FleetHead, leftOut: readonly string[]): FleetHead {
  const names = new Set(leftOut)
  return headParts.reduce((rest, { name, noun }) => {
    const left = [...entriesOf(rest, name)].filter(([id]) => !names.has(`${noun} ${id}`))
    return withEntries(rest, name, new Map(left))
  }, head)
}

function clashWords(clashes: readonly string[]): string {
  return `${namedFew(clashes)}; take them out of the files, or delete them through v2`
}
