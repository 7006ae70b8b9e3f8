// client/apply/stage.ts: brings a collection to the service: opens an operation, uploads the items in calls of bounded
// size, has the whole validated. Nothing is active before activation; what cannot be finished is cancelled.
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { awaitOperation } from '../await-operation.ts'
import { Progress } from '../progress.ts'
import type { Session } from '../session.ts'
import type { Collection, SizedItem } from './collection.ts'
import { CollectionDigest } from './collection-digest.ts'

export interface Staged {
  readonly operationId: string
  readonly preflight: wire.Preflight
}

export async function stage(session: Session, collection: Collection): Promise<Staged> {
  const { client, signal } = session
  const { itemCount, contentDigest } = collection
  const { data: operation } = await client.createOperation({ body: { contentDigest, itemCount } }, { signal })
  try {
    await upload(session, operation.id, collection)
    return { operationId: operation.id, preflight: await validate(session, operation.id) }
  } catch (error) {
    await abandon(session, operation.id)
    throw error
  }
}

/** As good as it can: what stays behind is staged only and expires by itself. */
export async function abandon({ client }: Session, id: string): Promise<void> {
  await client.cancelOperation({ id }).catch(() => {})
}

async function upload(session: Session, id: string, collection: Collection): Promise<void> {
  const { client, signal, terminal } = session
  using progress = new Progress(terminal)
  const digest = new CollectionDigest()
  progress.show('uploading', 0, collection.itemCount)
  for await (const items of batchesOf(collection.items())) {
    await client.uploadOperation({ id, body: { items } }, { signal })
    for (const item of items) digest.add(item)
    progress.show('uploading', digest.itemCount, collection.itemCount)
  }
  if (digest.toString() !== collection.contentDigest)
    throw new UsageError('The files changed while they were read; nothing was applied.')
}

/** Room for what stands around the items of a call. */
const envelopeBytes = 1_024

async function* batchesOf(sized: AsyncIterable<SizedItem>): AsyncGenerator<v2.ApplyItem[], void, undefined> {
  let batch: v2.ApplyItem[] = []
  let batchBytes = envelopeBytes
  for await (const { item, byteCount } of sized) {
    if (batch.length === v2.limits.uploadItems || batchBytes + byteCount > v2.limits.uploadBytes) {
      yield batch
      batch = []
      batchBytes = envelopeBytes
    }
    batch.push(item)
    batchBytes += byteCount
  }
  if (batch.length > 0) yield batch
}

async function validate(session: Session, id: string): Promise<wire.Preflight> {
  const { data, retryAfter } = await session.client.validateOperation({ id }, { signal: session.signal })
  if (retryAfter === null) return data
  const operation = await awaitOperation(session, id)
  const { items, reason } = operation
  return {
    valid: operation.state === 'validated',
    ...(items === undefined ? {} : { items }),
    ...(reason === undefined ? {} : { errors: [{ field: '', message: reason }] }),
  }
}
