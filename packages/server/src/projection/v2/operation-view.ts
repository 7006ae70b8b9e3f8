// projection/v2/operation-view.ts: the outcome of a single write, by the id that its answer named.
import type { v2 } from '@pulseward/contract'
import { timestamp } from '../../platform/wire.ts'
import type { StoredOperation } from '../../store/resource.ts'
import { knownFields } from './known-fields.ts'

type Item = v2.ApplyResult

export function operationView(id: string, operation: StoredOperation): v2.Operation {
  const { at, principal, state, outcome, reason, write } = operation
  const isDone = state === 'completed'
  const view = {
    id,
    state,
    actor: principal,
    createdAt: timestamp(at),
    updatedAt: timestamp(at),
    itemCount: 1,
    committed: isDone ? 1 : 0,
    applied: isDone ? 1 : 0,
    ...knownFields({
      items: itemsOf(operation, isDone),
      reason: outcome === 'deleted' ? `The ${write.kind} ${write.id} was deleted.` : reason,
    }),
  }
  // The store keeps the values as the contract spells them.
  return view as v2.Operation
}

/** Items are created, changed or unchanged; a delete has none. */
function itemsOf({ write, outcome, reason }: StoredOperation, isDone: boolean): Item[] | null {
  if (outcome === null || outcome === 'deleted') return null
  const { id, oldVersion, newVersion } = write
  const versions = knownFields({ oldVersion, newVersion, message: reason })
  return [{ id, outcome: outcome as Item['outcome'], committed: isDone, applied: isDone, ...versions }]
}
