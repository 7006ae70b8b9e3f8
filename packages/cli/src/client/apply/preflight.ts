// client/apply/preflight.ts: asks the service what applying a collection would do, and leaves nothing behind.
// A collection that fits one body is sent in one request; a larger one is staged, validated and cancelled.
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { letGo } from '../open-operation.ts'
import type { Session } from '../session.ts'
import type { Collection } from './collection.ts'
import { type Staged, stage, UnfinishedStaging } from './stage.ts'

const envelopeBytes = 1_024

export function fitsOneRequest({ byteCount }: Collection): boolean {
  return byteCount + envelopeBytes <= v2.limits.bodyBytes
}

export async function preflight(session: Session, collection: Collection): Promise<wire.Preflight> {
  if (!fitsOneRequest(collection)) {
    const { operationId, preflight } = await stagedOrAbandoned(session, collection)
    // A rejected operation has already ended.
    if (preflight.valid) await letGo(session, operationId)
    return preflight
  }
  const items = await Array.fromAsync(collection.items(), ({ item }) => item)
  return (await session.client.preflightCollection({ body: { items } }, { signal: session.signal })).data
}

/** A dry run is never resumed, so unfinished staging is cancelled. */
async function stagedOrAbandoned(session: Session, collection: Collection): Promise<Staged> {
  try {
    return await stage(session, collection)
  } catch (error) {
    if (!(error instanceof UnfinishedStaging)) throw error
    await letGo(session, error.operationId)
    throw error.cause
  }
}
