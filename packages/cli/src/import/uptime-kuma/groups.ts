// import/uptime-kuma/groups.ts: groups of monitors, which may be nested. A fleet file has no groups of
// monitors: the path of names becomes a label.
import type { Fields } from '../fields.ts'
import { ImportError } from '../import-error.ts'
import type { KumaSource, Parent, Row } from './source.ts'

export interface Ancestry {
  /** The names from the outermost group inwards; empty for a monitor without a group. */
  readonly path: string
  /** A monitor in a paused group is paused. */
  readonly isActive: boolean
  /** A monitor is under maintenance if any group around it is. */
  readonly maintenance: readonly Row[]
}

const none: Ancestry = { path: '', isActive: true, maintenance: [] }
/** Limits what is collected to what a label can hold and a monitor can have: groups may be nested without end. */
const longestPath = 1_000
const mostWindows = 1_000

/** Resolves each group once, however many monitors it contains. */
export class Groups {
  readonly #parents: ReadonlyMap<number, Parent>
  readonly #maintenance: KumaSource['maintenance']
  readonly #known = new Map<number, Ancestry>()

  constructor({ parents, maintenance }: KumaSource) {
    this.#parents = parents
    this.#maintenance = maintenance
  }

  of(parent: number | null, fields: Fields): Ancestry {
    if (parent === null) return none
    const chain: number[] = []
    const seen = new Set<number>()
    let at: number | null = parent
    while (at !== null && !this.#known.has(at)) {
      if (seen.has(at)) throw this.#circle(chain.slice(chain.indexOf(at)))
      const group = this.#parents.get(at)
      if (group === undefined) {
        fields.note('parent', 'is a group that is not in the file')
        break
      }
      seen.add(at)
      chain.push(at)
      at = group.parent
    }
    let ancestry = (at === null ? undefined : this.#known.get(at)) ?? none
    for (const id of chain.toReversed()) {
      ancestry = this.#within(ancestry, id)
      this.#known.set(id, ancestry)
    }
    return ancestry
  }

  #within(outer: Ancestry, id: number): Ancestry {
    const { name, isActive } = this.#parents.get(id)!
    const own = this.#maintenance({ id })
    const inner = outer.path === '' ? name : `${outer.path} / ${name}`
    return {
      path: outer.path.length > longestPath ? outer.path : inner,
      isActive: outer.isActive && isActive,
      maintenance:
        own.length === 0 ? outer.maintenance : [...outer.maintenance, ...own].slice(0, mostWindows),
    }
  }

  #circle(ids: readonly number[]): ImportError {
    const names = [...ids, ids[0]!]
      .slice(0, 10)
      .map((id) => JSON.stringify(this.#parents.get(id)?.name ?? ''))
    return new ImportError(
      `The groups contain each other in a circle: ${names.join(' in ')}. Fix them in Uptime Kuma first.`,
    )
  }
}
