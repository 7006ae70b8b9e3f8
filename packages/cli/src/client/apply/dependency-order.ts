// client/apply/dependency-order.ts: orders resources so that each comes after everything it refers to. Pure.
import { v2 } from '@pulseward/contract'

/** Otherwise keeps the given order. Circular dependencies are left for the service to report. */
export function inDependencyOrder<Item extends { readonly resource: v2.Resource }>(
  items: readonly Item[],
): Item[] {
  const byKind = Map.groupBy(items, ({ resource }) => resource.kind)
  return v2.kindsInOrder.flatMap((kind) => {
    const ofKind = byKind.get(kind) ?? []
    return kind === 'Monitor' ? parentsFirst(ofKind) : ofKind
  })
}

/** Uses an explicit stack: chains may be too long for recursion. */
function parentsFirst<Item extends { readonly resource: v2.Resource }>(monitors: readonly Item[]): Item[] {
  const byId = new Map(monitors.map((item) => [item.resource.metadata.id, item]))
  const ordered = new Set<Item>()
  const entered = new Set<Item>()
  for (const monitor of monitors) {
    const rest = [monitor]
    for (let item = rest.at(-1); item !== undefined; item = rest.at(-1)) {
      const waitsFor = entered.has(item) ? [] : parentsOf(item).filter((parent) => !entered.has(parent))
      entered.add(item)
      if (waitsFor.length > 0) rest.push(...waitsFor)
      else {
        rest.pop()
        ordered.add(item)
      }
    }
  }
  return [...ordered]

  function parentsOf({ resource }: Item): Item[] {
    const { dependsOn = [] } = resource.kind === 'Monitor' ? resource.spec : {}
    return dependsOn.flatMap((id) => byId.get(id) ?? [])
  }
}
