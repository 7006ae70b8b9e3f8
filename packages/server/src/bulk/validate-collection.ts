// bulk/validate-collection.ts: whether a whole collection may be applied, and in which order. Items are read
// and validated some hundred at a time, each like a single write, except that what it names may also be in
// the collection. It also keeps the edges between dependent monitors, and the first thousand failed items.
import { v2 } from '@pulseward/contract'
import type { FieldError } from '../config/shape/explain.ts'
import { builtInNames, compileJobType, type JobTypeInForce } from '../kinds/job-type-in-force.ts'
import type { ManagedKind, ResourceKey } from '../kinds/kind.ts'
import { kindNamed, kindOf } from '../kinds/kind-table.ts'
import { hasMoreInStore } from '../kinds/managed-resource.ts'
import { circleError, shownOfCircle } from '../kinds/monitor.ts'
import { keyText, referencesOf } from '../kinds/references.ts'
import { mostIds, type Surroundings } from '../kinds/surroundings.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import type { Misfit } from '../managing/resource-use.ts'
import type { PlannedItem, StagedItem, StagedOperation } from '../store/staging.ts'
import { CollectionHosts } from './collection-hosts.ts'
import { CollectionKeys } from './collection-keys.ts'
import type { CurrentResource, CurrentResources } from './current-resources.ts'
import { sameText } from './current-resources.ts'
import { DependencyGraph } from './dependency-levels.ts'
import { type CredentialValues, errorsOf, fromFile, ItemSurroundings, valueIn } from './item-surroundings.ts'
import { secretPart } from './stage-items.ts'
import type { AroundWork, FailedItem, Presence, Validation } from './work.ts'

export interface ValidationOptions {
  readonly number: number
  readonly file: StagedOperation
  readonly around: AroundWork
  readonly current: CurrentResources
  readonly validator: ResourceValidator
  readonly drivers: Surroundings['drivers']
  readonly allowsLocalDrivers: boolean
  readonly allowsJobTypes: boolean
  readonly versionOf: (change: number) => string
  /** Called between two parts: other work runs, and a dropped operation ends here. */
  readonly pause: () => Promise<void>
}

const itemsAtOnce = 500
const monitorKind = v2.kindNumber('Monitor')
const jobTypeKind = v2.kindNumber('JobType')
/** How many compiled job types are cached. */
const mostJobTypes = 1_000

/** Each kind ranks after those that it names; after monitors there is room for their levels. */
const rankOfKind = v2.resourceKinds.map((kind) => {
  const place = v2.kindsInOrder.indexOf(kind)
  return place > v2.kindsInOrder.indexOf('Monitor') ? place + v2.limits.operationItems : place
})

export async function validateCollection(options: ValidationOptions): Promise<Validation> {
  return await new CollectionValidation(options).run()
}

class CollectionValidation {
  readonly #options: ValidationOptions
  readonly #failed = new Map<number, FailedItem>()
  /** 1 for every failed item, even beyond those that are named. */
  readonly #hasFailed: Uint8Array
  #failedCount = 0
  readonly #graph = new DependencyGraph()
  /** Monitors outside the collection that some of it depends on: numbered after its items. */
  readonly #outside = new Map<string, number>()
  #hasEdges = false
  readonly #builtInNames: ReadonlySet<string>
  /** By spec: many items name the same few. */
  readonly #jobTypes = new Map<string, JobTypeInForce | null>()
  readonly #someIds = new Map<ManagedKind, readonly string[]>()
  readonly #keys: CollectionKeys
  readonly #hosts: CollectionHosts

  constructor(options: ValidationOptions) {
    this.#options = options
    this.#hasFailed = new Uint8Array(options.file.uploaded)
    this.#builtInNames = builtInNames(options.drivers)
    this.#keys = new CollectionKeys(options)
    this.#hosts = new CollectionHosts(options)
  }

  async run(): Promise<Validation> {
    const { file, pause } = this.#options
    file.indexResources()
    for (const { ordinal, first } of file.repeatedResources()) this.#repeated(ordinal, first)
    for (let from = 0; ; ) {
      const items = file.itemsFrom(from, itemsAtOnce)
      if (items.length === 0) break
      await this.#judge(items)
      from += items.length
      await pause()
    }
    if (this.#hasEdges) await this.#order()
    const failed = [...this.#failed.values()].sort((one, other) => one.ordinal - other.ordinal)
    return { failed, failedCount: this.#failedCount }
  }

  async #judge(items: readonly StagedItem[]): Promise<void> {
    const { file, current, validator } = this.#options
    const specs = items.map(({ spec }) => JSON.parse(spec))
    const [presence, found, around] = [
      await this.#presenceOf(items),
      await current.read(items.map(({ kind, id }): ResourceKey => [kind, id])),
      await this.#surroundings(items, specs),
    ]
    const plan: PlannedItem[] = []
    for (const [index, item] of items.entries()) {
      const before = found[index] ?? null
      const errors =
        presence[index] === 'file'
          ? [fromFile(item)]
          : errorsOf(validator, item, specs[index], around, before === null)
      if (errors.length > 0) this.#fail(item, errors)
      plan.push({
        rank: rankOfKind[item.kind] ?? 0,
        ordinal: item.ordinal,
        seen: before?.change ?? null,
        outcome: this.#foreseen(item, before, around),
      })
      if (item.kind === monitorKind && item.hasReferences === 1) this.#addEdges(item, specs[index].dependsOn)
    }
    file.plan(plan)
    // New resources have no users yet.
    const present = items.filter((_, index) => found[index] !== null)
    await this.#judgeUsers(present, around)
    await this.#judgeJobTypes(items.filter((item, index) => isOtherJobType(item, found[index] ?? null)))
  }

  /** Whether existing job types may be written, and fit their users outside the collection. */
  async #judgeJobTypes(items: readonly StagedItem[]): Promise<void> {
    const { around, allowsJobTypes } = this.#options
    if (items.length === 0 || !allowsJobTypes) return
    const judged = await around.jobTypeMisfits(items.map(({ id, spec }) => ({ id, spec })))
    for (const [index, item] of items.entries()) {
      const { version, misfits } = judged[index] ?? { version: null, misfits: [] }
      const errors: FieldError[] = this.#outsideOf(misfits)
      if (version !== null) errors.unshift({ field: '/spec/version', reason: 'notAllowed', message: version })
      if (errors.length > 0) this.#fail(item, errors)
    }
  }

  #outsideOf(misfits: readonly Misfit[]): FieldError[] {
    const { file } = this.#options
    return misfits
      .filter(({ kind, id }) => file.ordinalOf(v2.kindNumber(kind), id) === -1)
      .map(({ error }) => error)
  }

  /** Whether new credential values fit their users outside the collection. */
  async #judgeUsers(items: readonly StagedItem[], surroundings: ItemSurroundings): Promise<void> {
    const { around } = this.#options
    const changed = items.flatMap((item) => {
      const value = hasSecret(item.kind) ? surroundings.newValue(item.id) : null
      return value === null ? [] : [{ item, value }]
    })
    if (changed.length === 0) return
    const misfits = await around.misfits(changed.map(({ item: { id }, value }) => ({ id, value })))
    for (const [index, { item }] of changed.entries()) {
      const outside = this.#outsideOf(misfits[index] ?? [])
      if (outside.length > 0) this.#fail(item, outside)
    }
  }

  /** Whether a file has the resource of each item. */
  #presenceOf(items: readonly StagedItem[]): Promise<readonly Presence[]> {
    return this.#options.around.presence(items.map(({ kind, id }): ResourceKey => [kind, id]))
  }

  #foreseen(
    { kind, expected, name, labels, spec, id }: StagedItem,
    before: CurrentResource | null,
    around: ItemSurroundings,
  ): v2.ApplyResult['outcome'] {
    const { versionOf } = this.#options
    if (expected !== null && (before === null || versionOf(before.change) !== expected)) return 'conflict'
    if (before === null) return 'created'
    const isSame = before.spec === spec && before.name === name && sameText(before.labels, labels)
    const isSameValue = !hasSecret(kind) || around.keepsValue(id)
    return isSame && isSameValue ? 'unchanged' : 'updated'
  }

  /** What these items may name, looked up together. */
  async #surroundings(items: readonly StagedItem[], specs: readonly unknown[]): Promise<ItemSurroundings> {
    const { number, file, around, drivers, allowsLocalDrivers, allowsJobTypes } = this.#options
    const named = new Map<string, ResourceKey>()
    for (const [index, { kind, hasReferences }] of items.entries()) {
      if (hasReferences === 0) continue
      for (const key of referencesOf(kindOf(kindNamed(kind)), specs[index], drivers))
        named.set(keyText(key), key)
    }
    const staged = new Map<string, StagedItem | null>()
    const outside: ResourceKey[] = []
    for (const [text, key] of named) {
      const ordinal = file.ordinalOf(...key)
      if (ordinal === -1) outside.push(key)
      else staged.set(text, isReadWhole(key) ? (file.itemsFrom(ordinal, 1)[0] ?? null) : null)
    }
    for (const item of items) if (hasSecret(item.kind)) staged.set(keyText([item.kind, item.id]), item)
    const presence = await around.presence(outside)
    const there = new Set(outside.filter((_, index) => presence[index] !== 'none').map(keyText))
    const missing = outside.filter((_, index) => presence[index] === 'none').map(([kind]) => kindNamed(kind))
    for (const kind of new Set(missing)) await this.#learnIds(kind)
    const values = await this.#credentialValues(number, staged, there)
    const jobTypes = allowsJobTypes ? await this.#jobTypesOf(named.values(), staged) : new Map()
    const keyOwners = await this.#keys.ownersOf(items, specs, (id) => valueIn(values, id))
    return new ItemSurroundings({
      drivers,
      allowsLocalDrivers,
      allowsJobTypes,
      staged,
      there,
      values,
      jobTypes,
      keyOwners,
      hosts: await this.#hosts.ownersFor(items, specs),
      // The mistakes of further items are only counted.
      someIds: this.#failed.size >= v2.limits.rejectedItems ? null : this.#someIds,
    })
  }

  /** The present ids of a kind, and those among the first items. Read once: few collections miss anything. */
  async #learnIds(kind: ManagedKind): Promise<void> {
    if (this.#someIds.has(kind)) return
    const { file, around } = this.#options
    const uploaded = file.itemsFrom(0, mostIds).filter((item) => kindNamed(item.kind) === kind)
    const ids = [...uploaded.map(({ id }) => id), ...(await around.someIds(kind))]
    this.#someIds.set(kind, ids.slice(0, mostIds))
  }

  /** As they will be when the collection is applied. */
  async #jobTypesOf(
    named: Iterable<ResourceKey>,
    staged: ReadonlyMap<string, StagedItem | null>,
  ): Promise<Map<string, JobTypeInForce>> {
    const keys = [...named].filter(([kind]) => kind === jobTypeKind)
    const outside = keys.filter((key) => !staged.has(keyText(key))).map(([, id]) => id)
    const present = outside.length === 0 ? [] : await this.#options.around.jobTypes(outside)
    const specs = new Map(outside.map((id, index) => [id, present[index] ?? null]))
    const found = new Map<string, JobTypeInForce>()
    for (const key of keys) {
      const spec = staged.get(keyText(key))?.spec ?? specs.get(key[1]) ?? null
      const jobType = spec === null ? null : this.#compiled(key[1], spec)
      if (jobType !== null) found.set(key[1], jobType)
    }
    return found
  }

  /** Null for an invalid one: the error is reported on it and not on what names it. */
  #compiled(id: string, spec: string): JobTypeInForce | null {
    const key = `${id} ${spec}`
    const known = this.#jobTypes.get(key)
    if (known !== undefined) return known
    const { jobType } = compileJobType(id, JSON.parse(spec), this.#builtInNames)
    if (this.#jobTypes.size >= mostJobTypes) this.#jobTypes.clear()
    this.#jobTypes.set(key, jobType)
    return jobType
  }

  /** The values of all credentials in these items, or named by them, as they will be when the collection is applied. */
  async #credentialValues(
    number: number,
    staged: ReadonlyMap<string, StagedItem | null>,
    there: ReadonlySet<string>,
  ): Promise<CredentialValues> {
    const { around } = this.#options
    const uploaded = [...staged.values()].filter(
      (item): item is StagedItem & { sealed: Uint8Array } => item !== null && item.sealed !== null,
    )
    const opened = uploaded.length === 0 ? [] : await around.open(number, uploaded)
    const ids = [
      ...uploaded.map(({ id }) => id),
      ...[...there].flatMap((text) =>
        text.startsWith(`${v2.kindNumber('Credential')} `) ? [text.slice(text.indexOf(' ') + 1)] : [],
      ),
    ]
    const present = ids.length === 0 ? [] : await around.credentialValues(ids)
    const values: CredentialValues = { uploaded: new Map(), present: new Map() }
    for (const [index, id] of ids.entries()) values.present.set(id, present[index] ?? null)
    for (const [index, { id }] of uploaded.entries()) {
      const text = opened[index] ?? null
      values.uploaded.set(id, text === null ? 'unreadable' : { value: secretPart(text).value })
    }
    return values
  }

  #addEdges({ ordinal, id }: StagedItem, dependsOn: readonly string[] = []): void {
    for (const parent of dependsOn) {
      // Validation of the monitor itself detects that it depends on itself.
      if (parent !== id) this.#graph.add(ordinal, this.#nodeOf(parent))
      this.#hasEdges = true
    }
  }

  #nodeOf(monitorId: string): number {
    const { file } = this.#options
    const ordinal = file.ordinalOf(monitorKind, monitorId)
    if (ordinal !== -1) return ordinal
    const known = this.#outside.get(monitorId)
    if (known !== undefined) return known
    const node = file.uploaded + this.#outside.size
    this.#outside.set(monitorId, node)
    return node
  }

  /** Follows dependencies outside the collection until they lead back into it, and ranks monitors by level. */
  async #order(): Promise<void> {
    const { file, current, pause } = this.#options
    let followed = 0
    while (followed < this.#outside.size) {
      const some = [...this.#outside].slice(followed, followed + itemsAtOnce)
      const found = await current.read(some.map(([id]): ResourceKey => [monitorKind, id]))
      for (const [index, [, node]] of some.entries()) {
        const before = found[index]
        // A monitor of a file only depends on monitors of files.
        const { dependsOn = [] } = before == null ? {} : (JSON.parse(before.spec) as v2.Monitor['spec'])
        for (const parent of dependsOn) this.#graph.add(node, this.#nodeOf(parent))
      }
      followed += some.length
      await pause()
    }
    const { level, circles } = this.#graph.levels()
    for (const circle of circles) this.#circular(circle)
    const rank = rankOfKind[monitorKind] ?? 0
    const last = Math.min(level.length, file.uploaded)
    file.rerank(
      (function* () {
        for (let ordinal = 0; ordinal < last; ordinal++)
          if (level[ordinal] !== 0) yield { ordinal, from: rank, to: rank + level[ordinal]! }
      })(),
    )
  }

  #circular(circle: readonly number[]): void {
    const { file } = this.#options
    const outside = new Map([...this.#outside].map(([id, node]) => [node, id]))
    const idOf = (node: number) => outside.get(node) ?? file.itemsFrom(node, 1)[0]?.id ?? ''
    for (const [index, node] of circle.entries()) {
      if (node >= file.uploaded) continue
      const way = [...circle.slice(index + 1), ...circle.slice(0, index)].slice(0, shownOfCircle).map(idOf)
      const item = file.itemsFrom(node, 1)[0]
      if (item !== undefined) this.#fail(item, [circleError(item.id, way, circle.length - 1)])
    }
  }

  #repeated(ordinal: number, first: number): void {
    const { file } = this.#options
    const [item] = file.itemsFrom(ordinal, 1)
    const [earlier] = file.itemsFrom(first, 1)
    if (item === undefined || earlier === undefined) return
    const message = `is in the collection twice; it is also the item ${earlier.itemId} of ${earlier.source}`
    this.#fail(item, [{ field: '/metadata/id', reason: 'rule', message }])
  }

  #fail({ ordinal, itemId, source }: StagedItem, errors: readonly FieldError[]): void {
    if (this.#hasFailed[ordinal] === 0) this.#failedCount++
    this.#hasFailed[ordinal] = 1
    const known = this.#failed.get(ordinal)
    if (known === undefined && this.#failed.size >= v2.limits.rejectedItems) return
    this.#failed.set(ordinal, { ordinal, itemId, source, errors: [...(known?.errors ?? []), ...errors] })
  }
}

/** For other kinds only their existence matters. */
function isReadWhole([kind]: ResourceKey): boolean {
  return hasMoreInStore(kindNamed(kind))
}

function hasSecret(kind: number): boolean {
  return kindOf(kindNamed(kind)).secret !== null
}

function isOtherJobType({ kind, spec }: StagedItem, before: CurrentResource | null): boolean {
  return kind === jobTypeKind && before !== null && before.spec !== spec
}
