// import/uptime-kuma/groups.ts: groups of monitors, which may stand in groups themselves. A fleet file has no groups of
// monitors: the path of names becomes a label.
import type { Fields } from '../fields.ts'
import { ImportError } from '../import-error.ts'
import type { Parent } from './source.ts'

export interface Ancestry {
  /** From the outermost group inwards. */
  readonly names: readonly string[]
  /** A monitor in a paused group is paused. */
  readonly isActive: boolean
}

/** Each group is followed once, however many monitors stand in it. */
export class Groups {
  readonly #parents: ReadonlyMap<number, Parent>
  readonly #known = new Map<number, Ancestry>()

  constructor(parents: ReadonlyMap<number, Parent>) {
    this.#parents = parents
  }

  of(parent: number | null, fields: Fields): Ancestry {
    if (parent === null) return { names: [], isActive: true }
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
    let ancestry: Ancestry = (at === null ? undefined : this.#known.get(at)) ?? { names: [], isActive: true }
    for (const id of chain.toReversed()) {
      const { name, isActive } = this.#parents.get(id)!
      ancestry = { names: [...ancestry.names, name], isActive: ancestry.isActive && isActive }
      this.#known.set(id, ancestry)
    }
    return ancestry
  }

  #circle(ids: readonly number[]): ImportError {
    const names = [...ids, ids[0]!]
      .slice(0, 10)
      .map((id) => JSON.stringify(this.#parents.get(id)?.name ?? ''))
    return new ImportError(
      `The groups stand in each other in a circle: ${names.join(' in ')}. Mend them in Uptime Kuma first.`,
    )
  }
}
