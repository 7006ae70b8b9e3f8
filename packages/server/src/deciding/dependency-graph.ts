// deciding/dependency-graph.ts: which monitors depend on which, and what a monitor's ancestors mean for it
// now. Most monitors have no dependencies and cost one map lookup. A monitor may name one that does not
// exist; the dependency counts as soon as that monitor is added.
import { sharedValue } from '../config/fleet-file/definition.ts'
import { isReported } from '../config/push-check.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type Ancestor, type Ancestors, assessAncestors, clear } from './health/ancestors.ts'
import type { Instant } from './health/health.ts'
import { statuses } from './health/status.ts'

export class DependencyGraph {
  readonly #fleet: Fleet
  readonly #parents = new Map<number, readonly number[]>()
  /** The rows of the monitors that depend on an id, for every id that is named. */
  readonly #naming = new Map<string, Set<number>>()
  /** The ids that each row names. */
  readonly #named = new Map<number, readonly string[]>()

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  /** Rebuilds from the dependencies of the whole fleet. */
  rebuild(): void {
    this.#parents.clear()
    this.#naming.clear()
    this.#named.clear()
    const { definition, rows } = this.#fleet
    const { values, of } = definition.dependencies
    if (values.every((ids) => ids.length === 0)) return
    for (let row = 0; row < rows; row++) if (values[of[row]!]!.length > 0) this.#read(row)
  }

  /** These monitors were added, removed, or changed their dependencies. */
  amend(rows: Iterable<number>): void {
    for (const row of rows) {
      this.#forget(row)
      this.#read(row)
      const id = this.#fleet.idOf(row)
      for (const child of this.#naming.get(id) ?? []) this.#findParents(child)
    }
  }

  ancestorsOf(row: number, firstFailureAt: Instant, now: Instant): Ancestors {
    const parents = this.#parents.get(row)
    return parents === undefined ? clear : assessAncestors(this.#walk(parents), firstFailureAt, now)
  }

  /** The monitors named in its depends_on, and the longest interval among them. */
  parentsOf(row: number): { readonly parents: readonly number[]; readonly longestIntervalMs: number } {
    const parents = this.#parents.get(row) ?? []
    const intervals = parents.map((parent) => this.#fleet.policyOf(parent).intervalMs)
    return { parents, longestIntervalMs: Math.max(0, ...intervals) }
  }

  #read(row: number): void {
    const ids = this.#fleet.has(row) ? sharedValue(this.#fleet.definition.dependencies, row) : []
    if (ids.length === 0) return
    this.#named.set(row, ids)
    for (const id of ids) {
      const naming = this.#naming.get(id) ?? new Set()
      this.#naming.set(id, naming.add(row))
    }
    this.#findParents(row)
  }

  #forget(row: number): void {
    for (const id of this.#named.get(row) ?? []) {
      const naming = this.#naming.get(id)
      naming?.delete(row)
      if (naming?.size === 0) this.#naming.delete(id)
    }
    this.#named.delete(row)
    this.#parents.delete(row)
  }

  #findParents(row: number): void {
    const named = this.#named.get(row) ?? []
    const parents = named.map((id) => this.#fleet.rowOf(id)).filter((parent) => parent !== -1)
    if (parents.length === 0) this.#parents.delete(row)
    else this.#parents.set(row, parents)
  }

  *#walk(parents: readonly number[]): Generator<Ancestor> {
    const { columns } = this.#fleet
    const seen = new Set(parents)
    // A Set iterates in insertion order and includes elements added meanwhile: parents first, then their parents.
    for (const ancestor of seen) {
      for (const parent of this.#parents.get(ancestor) ?? []) seen.add(parent)
      const lastCheckAt = columns.lastCheck[ancestor]!
      const { type, intervalMs } = this.#fleet.policyOf(ancestor)
      yield {
        monitorId: this.#fleet.idOf(ancestor),
        status: statuses[columns.status[ancestor]!]!,
        // What reports by itself is not checked soon, so nobody waits for it.
        isParent: parents.includes(ancestor) && !isReported(type),
        lastCheckAt: Number.isNaN(lastCheckAt) ? null : lastCheckAt,
        intervalMs,
      }
    }
  }
}
