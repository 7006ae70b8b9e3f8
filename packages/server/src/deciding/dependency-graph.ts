// deciding/dependency-graph.ts: which monitors depend on which, and what a monitor's ancestors mean for it now. Nearly
// all monitors have no dependencies; they cost one lookup in a map.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { RowIndex } from '../platform/row-index.ts'
import { type Ancestor, type Ancestors, assessAncestors, clear } from './health/ancestors.ts'
import type { Instant } from './health/health.ts'
import { statuses } from './health/status.ts'

export class DependencyGraph {
  readonly #fleet: Fleet
  #parents = new Map<number, readonly number[]>()

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  /** Reads the dependencies of the current fleet; to be called after every change of it. */
  rebuild(): void {
    this.#parents = parentsByRow(this.#fleet.definition, this.#fleet.present)
  }

  ancestorsOf(row: number, firstFailureAt: Instant, now: Instant): Ancestors {
    const parents = this.#parents.get(row)
    return parents === undefined ? clear : assessAncestors(this.#walk(parents), firstFailureAt, now)
  }

  /** The monitors that it names in depends_on, and the longest interval among them. */
  parentsOf(row: number): { readonly parents: readonly number[]; readonly longestIntervalMs: number } {
    const parents = this.#parents.get(row) ?? []
    const intervals = parents.map((parent) => this.#fleet.policyOf(parent).intervalMs)
    return { parents, longestIntervalMs: Math.max(0, ...intervals) }
  }

  *#walk(parents: readonly number[]): Generator<Ancestor> {
    const { columns } = this.#fleet
    const seen = new Set(parents)
    // A set is iterated in the order of insertion, including what is added meanwhile: parents first, then theirs.
    for (const ancestor of seen) {
      for (const parent of this.#parents.get(ancestor) ?? []) seen.add(parent)
      const lastCheckAt = columns.lastCheck[ancestor]!
      yield {
        monitorId: this.#fleet.idOf(ancestor),
        status: statuses[columns.status[ancestor]!]!,
        isParent: parents.includes(ancestor),
        lastCheckAt: Number.isNaN(lastCheckAt) ? null : lastCheckAt,
        intervalMs: this.#fleet.policyOf(ancestor).intervalMs,
      }
    }
  }
}

function parentsByRow(definition: FleetDefinition, present: Uint8Array): Map<number, readonly number[]> {
  const parents = new Map<number, readonly number[]>()
  const { values, of } = definition.dependencies
  if (values.every((ids) => ids.length === 0)) return parents
  const ids = new PackedReader(definition.ids)
  const read = (row: number) => ids.get(row)
  const rows = new RowIndex(definition.count)
  for (let row = 0; row < definition.count; row++) if (present[row]) rows.add(ids.get(row), row, read)
  for (let row = 0; row < definition.count; row++) {
    const named = present[row] ? values[of[row]!]! : []
    if (named.length > 0)
      parents.set(
        row,
        named.map((id) => rows.find(id, read)),
      )
  }
  return parents
}
