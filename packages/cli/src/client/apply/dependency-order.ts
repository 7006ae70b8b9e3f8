// client/apply/dependency-order.ts: resources in an order in which each comes after everything that it refers to. Pure.
import { v2 } from '@pulseward/contract'

/** Otherwise in the order that they came in. Of monitors that depend on each other in a circle, the service says so. */
export function inDependencyOrder<Item extends { readonly resource: v2.Resource }>(
  items: readonly Item[],
): Item[] {
  const byKind = Map.groupBy(items, ({ resource }) => resource.kind)
  return v2.kindsInOrder.flatMap((kind) => {
    const ofKind = byKind.get(kind) ?? []
    return kind === 'Monitor' ? parentsFirst(ofKind) : ofKind
  })
}

/** A stack of its own: chains may be long. */
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
