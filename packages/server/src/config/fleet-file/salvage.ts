// config/fleet-file/salvage.ts: what is right about a value that has mistakes. It takes part in the rules of the
// whole fleet, so that one run shows every mistake and a misspelt endpoint does not put a mistake on every
// monitor that names it. A salvaged value is only ever validated, never run.
import type { Mistake } from '../shape/explain.ts'
import type { Path } from '../shape/shape.ts'

/** A copy in which everything that a mistake points at is undefined; null when nothing is left. */
export function salvage(value: unknown, mistakes: readonly Mistake[]): object | null {
  const wrong = mistakes.filter(({ lacks }) => lacks === undefined)
  if (typeof value !== 'object' || value === null || wrong.some(({ path }) => path.length === 0)) return null
  const copy: Mapping = { ...value }
  for (const { path } of wrong) forget(copy, path)
  return copy
}

type Mapping = Record<string, unknown>

/** Copies the mappings on the way. A list goes as a whole, or its other entries would change their places. */
function forget(root: Mapping, path: Path): void {
  let node = root
  for (const [depth, key] of path.entries()) {
    const inner = node[key]
    const isLast = depth === path.length - 1
    if (isLast || typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
      node[key] = undefined
      return
    }
    const copy: Mapping = { ...inner }
    node[key] = copy
    node = copy
  }
}
