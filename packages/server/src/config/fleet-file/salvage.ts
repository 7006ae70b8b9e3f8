// config/fleet-file/salvage.ts: extracts the valid parts of a value that has mistakes. They take part in the
// rules of the whole fleet, so that one run shows every mistake and a misspelt endpoint does not cause a
// mistake in every monitor that names it. A salvaged value is only validated, never run.
import type { Mistake } from '../shape/explain.ts'
import type { Path } from '../shape/shape.ts'

/** A copy in which everything that a mistake points at is undefined; null if nothing is left. */
export function salvage(value: unknown, mistakes: readonly Mistake[]): object | null {
  const wrong = mistakes.filter(({ lacks }) => lacks === undefined)
  if (typeof value !== 'object' || value === null || wrong.some(({ path }) => path.length === 0)) return null
  const copy: Mapping = { ...value }
  for (const { path } of wrong) forget(copy, path)
  return copy
}

type Mapping = Record<string, unknown>

/**
 * Copies the mappings along the path, also those in lists. A list is dropped as a whole if an entry of it is wrong
 * itself: its other entries would change their index.
 */
function forget(root: Mapping, path: Path): void {
  let node = root
  for (const [depth, key] of path.entries()) {
    const inner = node[key]
    const isInEntry = depth < path.length - 2
    if (depth === path.length - 1 || !isMapping(inner, isInEntry)) {
      node[key] = undefined
      return
    }
    const copy = (Array.isArray(inner) ? [...inner] : { ...inner }) as Mapping
    node[key] = copy
    node = copy
  }
}

function isMapping(value: unknown, orList: boolean): value is object {
  return typeof value === 'object' && value !== null && (orList || !Array.isArray(value))
}
