// store-contract/resource-model.ts: managed resources as a plain list of all writes; the state after any
// change is found by replaying it. Selectors are implemented a second time, from the rules of kubectl.
import type { ResourceKind } from '@pulseward/contract/v2/kinds'
import {
  isDeletion,
  type ResourceWrite,
  type StoredResource,
} from '@pulseward/server/internal/store/resource.ts'
import type { Selector } from '@pulseward/server/internal/store/selector.ts'

export class ResourceModel {
  readonly writes: ResourceWrite[] = []

  get lastChange(): number {
    return this.writes.at(-1)?.change ?? 0
  }

  /** In the order of ids. */
  list(kind: ResourceKind, upToChange: number, selector: Selector | null): StoredResource[] {
    const state = new Map<string, StoredResource>()
    for (const write of this.writes) {
      if (write.kind !== kind || write.change > upToChange) continue
      if (isDeletion(write)) state.delete(write.id)
      else state.set(write.id, write)
    }
    const found = [...state.values()].filter(({ labels }) =>
      selects(selector ?? [], new Map(Object.entries(labels))),
    )
    return found.sort((one, other) => Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)))
  }
}

function selects(selector: Selector, labels: ReadonlyMap<string, string>): boolean {
  for (const clause of selector) {
    const { key, is } = clause
    const isListed = 'values' in clause && clause.values.some((each) => each === labels.get(key))
    if (is === 'present' && !labels.has(key)) return false
    if (is === 'absent' && labels.has(key)) return false
    if (is === 'in' && !isListed) return false
    if (is === 'notIn' && isListed) return false
  }
  return true
}
