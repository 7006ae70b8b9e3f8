// simulation/oracle/resource-model.ts: the simplest model of the resources of v2: what is on disk, what was decided and
// is on its way there, and what was applied to the fleet. A crash or a withdrawal undoes what is not on disk.
import type { CommitBatch } from '@pulseward/server/internal/store/store.ts'
import type { FleetPlan } from '../fleet-plan.ts'
import { type Kind, keyOf, referencesOf, type Wanted } from '../writes/wanted.ts'

export interface Version {
  readonly wanted: Wanted
  readonly change: number
  readonly uid: string
  readonly generation: number
}

/** One write of one turn. */
export interface Decided {
  readonly batch: CommitBatch
  readonly operation: number
  readonly key: string
  readonly change: number
  /** Null: the resource is deleted. */
  readonly version: Version | null
}

export class ResourceModel {
  /** The content of the fleet files in force. */
  files: FleetPlan
  /** On disk, oldest first. */
  readonly log: Decided[] = []
  readonly #durable = new Map<string, Version>()
  readonly #applied = new Map<string, Version>()
  #pending: Decided[] = []
  #unapplied: Decided[] = []

  constructor(files: FleetPlan) {
    this.files = files
  }

  get lastChange(): number {
    return this.log.at(-1)?.change ?? 0
  }

  /** What must be in the fleet of the running process. */
  get applied(): readonly Wanted[] {
    return Array.from(this.#applied.values(), ({ wanted }) => wanted)
  }

  get durable(): ReadonlyMap<string, Version> {
    return this.#durable
  }

  /** As the next turn must see it. */
  decided(key: string): Version | undefined {
    const pending = this.#pending.findLast((one) => one.key === key)
    return pending === undefined ? this.#durable.get(key) : (pending.version ?? undefined)
  }

  allDecided(): readonly Version[] {
    const keys = new Set([...this.#durable.keys(), ...this.#pending.map(({ key }) => key)])
    return [...keys].flatMap((key) => this.decided(key) ?? [])
  }

  /** Exists, or is being created or deleted. */
  isManaged(key: string): boolean {
    return this.#durable.has(key) || this.#pending.some((one) => one.key === key)
  }

  isInFiles(kind: Kind, id: string): boolean {
    if (kind === 'Monitor') return this.files.monitors.has(id)
    return kind === 'NotificationEndpoint' && this.files.endpoints.has(id)
  }

  exists(kind: Kind, id: string): boolean {
    return this.decided(keyOf({ kind, id })) !== undefined || this.isInFiles(kind, id)
  }

  /** Keys that it refers to and that do not exist. */
  missingFor(wanted: Wanted): readonly string[] {
    return referencesOf(wanted).filter((key) => {
      const [kind, id] = key.split(' ') as [Kind, string]
      return !this.exists(kind, id)
    })
  }

  /** Whether anything in the running fleet refers to it: dropping a reference counts only when it is applied. */
  isReferenced(key: string): boolean {
    const isMeant = (wanted: Wanted) => referencesOf(wanted).includes(key)
    return this.referrersOf(key).length > 0 || this.applied.some(isMeant)
  }

  /** The keys that refer to it, or are about to. */
  referrersOf(key: string): readonly string[] {
    const own = this.allDecided().filter(({ wanted }) => referencesOf(wanted).includes(key))
    const inFiles = [...this.files.monitors.values()].filter(({ id, parents }) => {
      const isReplaced = this.decided(keyOf({ kind: 'Monitor', id })) !== undefined
      return !isReplaced && parents.some((parent) => keyOf({ kind: 'Monitor', id: parent }) === key)
    })
    return [...own.map(({ wanted }) => keyOf(wanted)), ...inFiles.map(({ id }) => `${id} of a file`)]
  }

  /** Whether a monitor with these parents would be its own ancestor. */
  isCircle(id: string, parents: readonly string[]): boolean {
    const seen = new Set(parents)
    for (const one of seen) for (const parent of this.#parentsOf(one)) seen.add(parent)
    return seen.has(id)
  }

  handedOver(decided: Decided): void {
    this.#pending.push(decided)
  }

  withdrawn(batch: CommitBatch): void {
    this.#pending = this.#pending.filter((one) => one.batch !== batch)
  }

  /** Returns what is on disk now. */
  written(batch: CommitBatch): readonly Decided[] {
    const written = this.#pending.filter((one) => one.batch === batch)
    this.#pending = this.#pending.filter((one) => one.batch !== batch)
    for (const one of written) {
      this.log.push(one)
      put(this.#durable, one)
      this.#unapplied.push(one)
    }
    return written
  }

  /** Applies this many writes that are on disk to the fleet, in order. */
  apply(writes: number): void {
    for (const next of this.#unapplied.splice(0, writes)) put(this.#applied, next)
  }

  get isAllApplied(): boolean {
    return this.#unapplied.length === 0
  }

  /** The next process starts with everything that is on disk. */
  processEnded(): void {
    this.#pending = []
    this.#unapplied = []
    this.#applied.clear()
    for (const [key, version] of this.#durable) this.#applied.set(key, version)
  }

  #parentsOf(id: string): readonly string[] {
    const own = this.decided(keyOf({ kind: 'Monitor', id }))?.wanted
    if (own?.kind === 'Monitor') return own.planned.parents
    return this.files.monitors.get(id)?.parents ?? []
  }
}

function put(versions: Map<string, Version>, { key, version }: Decided): void {
  if (version === null) versions.delete(key)
  else versions.set(key, version)
}
