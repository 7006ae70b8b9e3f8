// client/apply/foresee.ts: predicts the outcome of applying a collection from what the service has now. It only reads, so
// references and driver options are not checked: `--dry-run=server` asks the service to do that.
import type { v2 as wire } from '@pulseward/client'
import type { v2 } from '@pulseward/contract'
import type { Session } from '../session.ts'
import type { Collection } from './collection.ts'
import { besideCurrent } from './current-resources.ts'
import { differences } from './differences.ts'

export async function foresee(session: Session, collection: Collection): Promise<wire.Preflight> {
  const items: wire.ApplyResult[] = []
  for await (const { item, current } of besideCurrent(session, collection.items())) {
    const foreseen = outcomeOf(current, item.resource)
    const isRefused = foreseen.outcome === 'failed' || foreseen.outcome === 'conflict'
    const message = isRefused ? { message: `${item.source}: ${item.id} ${foreseen.message}.` } : {}
    items.push({ id: item.id, ...foreseen, ...message })
  }
  return { valid: items.every(({ outcome }) => outcome !== 'failed' && outcome !== 'conflict'), items }
}

function outcomeOf(current: v2.Resource | null, wanted: v2.Resource): Omit<wire.ApplyResult, 'id'> {
  if (current === null) return { outcome: 'created' }
  const { resourceVersion: oldVersion = '', managedBy } = current.metadata
  if (managedBy === 'file')
    return { outcome: 'failed', message: 'comes from a fleet file; change it there', oldVersion }
  const { resourceVersion: expected = oldVersion } = wanted.metadata
  if (expected !== oldVersion)
    return { outcome: 'conflict', message: 'was changed since it was read', oldVersion }
  if (wanted.kind === 'Credential' && wanted.spec.value !== undefined)
    return {
      outcome: 'updated',
      message: 'unless the value is the same; secrets cannot be compared',
      oldVersion,
    }
  return { outcome: differences(current, wanted).length === 0 ? 'unchanged' : 'updated', oldVersion }
}
