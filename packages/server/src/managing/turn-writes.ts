// managing/turn-writes.ts: the writes of one turn: each resource is put where the next turn sees it, and
// collected for the store together with its event.
import type { NumberedEvent, ResourceWrites } from '../engine/engine-turn.ts'
import type { FieldChange } from '../kinds/changed-fields.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'
import type { StoredResource } from '../store/resource.ts'
import { emptyEvent } from '../store/store.ts'
import type { Registry } from './registry.ts'

/** The author and the time. */
export interface Writing {
  readonly actor: string
  readonly now: number
}

export class TurnWrites {
  readonly changes: number[] = []
  readonly #registry: Registry
  readonly #writing: Writing
  readonly #resources: ResourceWrites['resources'][number][] = []
  readonly #events: NumberedEvent[] = []

  constructor(registry: Registry, writing: Writing) {
    this.#registry = registry
    this.#writing = writing
  }

  /** `stored`: the same in stored form. */
  put(after: ManagedResource, stored: StoredResource, isNew: boolean, changes: readonly FieldChange[]): void {
    this.#registry.put(after)
    this.changes.push(after.change)
    this.#resources.push(stored)
    this.#tell(after, isNew ? 'created' : 'updated', changes)
  }

  remove(before: ManagedResource): void {
    const { kind, id } = before
    const change = this.#registry.nextChange()
    this.#registry.remove(kind, id, change)
    this.changes.push(change)
    this.#resources.push({ change, kind, id, deleted: true })
    this.#tell(before, 'deleted', [])
  }

  /** For the store. */
  kept(fingerprints: ResourceWrites['fingerprints']): ResourceWrites {
    return { resources: this.#resources, events: this.#events, fingerprints }
  }

  #tell({ kind, id, uid }: ManagedResource, what: string, changes: readonly FieldChange[]): void {
    const { actor, now } = this.#writing
    this.#events.push({
      ...emptyEvent,
      monitorId: kind === 'Monitor' ? id : null,
      at: now,
      type: `resource_${what}`,
      actor,
      resource: { kind, id, uid },
      ...(changes.length === 0 ? {} : { changes }),
    })
  }
}
