// store-contract/store-model.ts: the simplest model of what a store holds after some batches.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { Health } from '@pulseward/server/internal/deciding/health/health.ts'
import type { PushRecord } from '@pulseward/server/internal/store/push.ts'
import type { StoredOperation } from '@pulseward/server/internal/store/resource.ts'
import type {
  CommitBatch,
  EventPage,
  Recovered,
  StoredIdentity,
} from '@pulseward/server/internal/store/store.ts'

export class StoreModel {
  readonly events: EventPage['events'][number][] = []
  readonly #states = new Map<number, Health>()
  readonly #pushes = new Map<number, PushRecord>()
  readonly #actions = new Map<string, Action>()
  readonly #identities = new Map<number, StoredIdentity>()
  readonly #blocks = new Map<number, Uint8Array>()
  readonly operations = new Map<number, StoredOperation>()
  #slo: CommitBatch['slo'] = null
  #destinations: NonNullable<CommitBatch['destinations']> = []

  get position(): number {
    return this.events.length
  }

  commit(batch: CommitBatch): void {
    for (const event of batch.events) this.events.push({ ...event, position: this.events.length + 1 })
    for (const { numericId, push } of batch.pushes) {
      if (push === null) this.#pushes.delete(numericId)
      else this.#pushes.set(numericId, push)
    }
    for (const { numericId, health } of batch.states) {
      if (health === null) this.#states.delete(numericId)
      else this.#states.set(numericId, health)
    }
    for (const action of batch.actions) this.#actions.set(action.id, action)
    for (const identity of batch.identities) this.#identities.set(identity.numericId, identity)
    for (const { block, bytes } of batch.blocks) this.#blocks.set(block, bytes)
    this.#slo = batch.slo ?? this.#slo
    this.#destinations = batch.destinations ?? this.#destinations
    for (const operation of batch.operations) this.operations.set(operation.id, operation)
  }

  identities(): StoredIdentity[] {
    return byNumber(this.#identities).map(([, identity]) => identity)
  }

  recovered(): Partial<Recovered> {
    return {
      position: this.position,
      highestNumericId: Math.max(-1, ...this.#identities.keys()),
      pushes: byNumber(this.#pushes).map(([numericId, push]) => ({ numericId, push })),
      states: byNumber(this.#states).map(([numericId, health]) => ({ numericId, health })),
      actions: [...this.#actions.values()],
      blocks: byNumber(this.#blocks).map(([block, bytes]) => ({ block, bytes })),
      slo: this.#slo,
      destinations: this.#destinations,
      lastOperation: Math.max(0, ...this.operations.keys()),
    }
  }
}

function byNumber<Value>(map: ReadonlyMap<number, Value>): [number, Value][] {
  return [...map].sort(([one], [other]) => one - other)
}
