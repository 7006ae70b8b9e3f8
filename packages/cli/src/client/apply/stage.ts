// client/apply/stage.ts: brings a collection to the service: opens an operation, uploads the items in calls of bounded
// size and in their order, has the whole validated. Nothing is active before activation. What a person or a broken
// connection stops stays staged, so that it can be gone on with; what the service refuses is cancelled.
import { setImmediate as turn } from 'node:timers/promises'
import { encodedJson, PulsewardError, type v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { awaitOperation } from '../await-operation.ts'
import { Progress } from '../progress.ts'
import type { Session } from '../session.ts'
import { tryAgain } from '../try-again.ts'
import type { Collection, SizedItem } from './collection.ts'
import { CollectionDigest } from './collection-digest.ts'
import { failedItems } from './failed-items.ts'

export interface Staged {
  readonly operationId: string
  readonly preflight: wire.Preflight
}

/** What is uploaded already stays with the service and can be gone on with. */
export class UnfinishedStaging extends Error {
  readonly operationId: string
  override readonly cause: PulsewardError

  constructor(operationId: string, cause: PulsewardError) {
    super(`operation ${operationId} is not staged whole`)
    this.operationId = operationId
    this.cause = cause
  }
}

export async function stage(session: Session, collection: Collection): Promise<Staged> {
  const { client, signal } = session
  const { itemCount, contentDigest } = collection
  const { data } = await client.createOperation({ body: { contentDigest, itemCount } }, { signal })
  return stageRest(session, collection, { id: data.id, uploaded: 0 })
}

/** uploaded: how many of the first items the service has; null when it takes no more. */
export async function stageRest(
  session: Session,
  collection: Collection,
  { id, uploaded }: { readonly id: string; readonly uploaded: number | null },
): Promise<Staged> {
  try {
    if (uploaded !== null) await upload(session, id, collection, uploaded)
    return { operationId: id, preflight: await validate(session, id, collection) }
  } catch (error) {
    if (error instanceof PulsewardError && (session.signal.aborted || mayPassOn(error)))
      throw new UnfinishedStaging(id, error)
    await abandon(session, id)
    throw error
  }
}

/** As good as it can: what stays behind is staged only and expires by itself. */
export async function abandon({ client }: Session, id: string): Promise<void> {
  await client.cancelOperation({ id }).catch(() => {})
}

async function upload(session: Session, id: string, collection: Collection, uploaded: number): Promise<void> {
  const { itemCount } = collection
  using progress = new Progress(session.terminal)
  const digest = new CollectionDigest()
  const calls = callsOf(collection, digest, uploaded)
  let sent = uploaded
  progress.show('uploading', sent, itemCount)
  try {
    for (let next = calls.next(); ; ) {
      const { done, value: call } = await next
      if (done) break
      const sending = send(session, id, call.text)
      // The next call is made ready while this one is on its way, but not before it has left.
      next = turn()
        .then(() => turn())
        .then(() => calls.next())
      next.catch(() => {})
      await sending
      sent += call.itemCount
      progress.show('uploading', sent, itemCount)
    }
  } finally {
    await calls.return()
  }
  if (digest.toString() !== collection.contentDigest)
    throw new UsageError('The files changed while they were read; nothing was applied.')
}

/** An upload may be repeated: what the service has already is the same. */
async function send({ client, signal }: Session, id: string, text: string): Promise<void> {
  await tryAgain(signal, { most: 8, mayPass: mayPassOn }, () =>
    client.uploadOperation({ id, body: encodedJson(text) }, { signal }),
  )
}

/** Nothing is wrong with what was sent. */
function mayPassOn({ category }: PulsewardError): boolean {
  return ['ambiguousMutation', 'transport', 'unavailable'].includes(category)
}

/** Room for what stands around the items of a call. */
const envelopeBytes = 1_024

/** Text, not items: what waits to be sent would otherwise outlive many others, and be cleared away late. */
interface Call {
  readonly text: string
  readonly itemCount: number
}

/** What is uploaded in each call, without what the service has. */
async function* callsOf(
  collection: Collection,
  digest: CollectionDigest,
  uploaded: number,
): AsyncGenerator<Call, void, undefined> {
  let texts: string[] = []
  let bytes = envelopeBytes
  const call = () => ({ text: `{"items":[${texts.join(',')}]}`, itemCount: texts.length })
  for await (const batch of collection.batches())
    for (const { text, byteCount } of leftOf(batch, digest, uploaded)) {
      if (texts.length === v2.limits.uploadItems || bytes + byteCount > v2.limits.uploadBytes) {
        yield call()
        texts = []
        bytes = envelopeBytes
      }
      texts.push(text)
      bytes += byteCount
    }
  if (texts.length > 0) yield call()
}

function* leftOf(batch: Iterable<SizedItem>, digest: CollectionDigest, uploaded: number) {
  for (const sized of batch) {
    digest.add(sized.item)
    if (digest.itemCount > uploaded) yield sized
  }
}

async function validate(
  session: Session,
  id: string,
  { itemCount }: Pick<Collection, 'itemCount'>,
): Promise<wire.Preflight> {
  const { client, signal, terminal } = session
  {
    using progress = new Progress(terminal)
    progress.show('validating', null, itemCount)
    const { data, retryAfter } = await client.validateOperation({ id }, { signal })
    if (retryAfter === null && data.valid) return data
    if (retryAfter === null) return { ...data, items: await failedItems(session, id, data.items ?? []) }
  }
  const { state, reason } = await awaitOperation(session, id)
  if (state !== 'rejected') return (await client.validateOperation({ id }, { signal })).data
  return {
    valid: false,
    items: await failedItems(session, id, []),
    ...(reason === undefined ? {} : { errors: [{ field: '', message: reason }] }),
  }
}
