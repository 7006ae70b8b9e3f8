// client/apply/preflight.ts: asks what would become of a collection; nothing stays behind. What one body can hold goes
// in one request; more is staged, validated and cancelled.
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import type { Session } from '../session.ts'
import type { Collection } from './collection.ts'
import { abandon, stage } from './stage.ts'

const envelopeBytes = 1_024

export async function preflight(session: Session, collection: Collection): Promise<wire.Preflight> {
  if (collection.byteCount + envelopeBytes > v2.limits.bodyBytes) {
    const { operationId, preflight } = await stage(session, collection)
    await abandon(session, operationId)
    return preflight
  }
  const items = await Array.fromAsync(collection.items(), ({ item }) => item)
  return (await session.client.preflightCollection({ body: { items } }, { signal: session.signal })).data
}
