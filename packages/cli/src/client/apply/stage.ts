// client/apply/stage.ts: uploads a collection to the service: opens an operation, uploads the items in order in calls of
// bounded size, and has the whole validated. Nothing is active before activation. If the connection breaks, the upload
// stays staged and can be resumed. If the user stops or the service refuses, the operation is cancelled.
import { setImmediate as turn } from 'node:timers/promises'
import { CancelledError, encodedJson, PulsewardError, type v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { awaitOperation } from '../await-operation.ts'
import { mayPass } from '../may-pass.ts'
import { letGo, openOperation } from '../open-operation.ts'
import { Progress } from '../progress.ts'
import type { Session } from '../session.ts'
import { tryAgain } from '../try-again.ts'
import type { Collection, SizedItem } from './collection.ts'
import { CollectionDigest } from './collection-digest.ts'

export interface Staged {
  readonly operationId: string
  readonly preflight: wire.Preflight
}

/** Unless it is cancelled, the uploaded part stays with the service and can be resumed. */
export class UnfinishedStaging extends Error {
  readonly operationId: string
  readonly isCancelled: boolean
  override readonly cause: PulsewardError

  constructor(operationId: string, isCancelled: boolean, cause: PulsewardError) {
    super(`operation ${operationId} is not staged whole`)
    this.operationId = operationId
    this.isCancelled = isCancelled
    this.cause = cause
  }
}

export async function stage(session: Session, collection: Collection): Promise<Staged> {
  const { itemCount, contentDigest } = collection
  const { id } = await openOperation(session, { contentDigest, itemCount })
  return stageRest(session, collection, { id, uploaded: 0 })
}

/** `uploaded`: how many of the first items the service has; null if it accepts no more. */
export async function stageRest(
  session: Session,
  collection: Collection,
  { id, uploaded }: { readonly id: string; readonly uploaded: number | null },
): Promise<Staged> {
  try {
    if (uploaded !== null) await upload(session, id, collection, uploaded)
    const preflight = await validate(session, id, collection)
    if (preflight.valid && session.signal.aborted)
      throw new CancelledError('staging was stopped', { operation: 'apply', reason: 'cancelled' })
    return { operationId: id, preflight }
  } catch (error) {
    const isStopped = session.signal.aborted
    if (!isStopped && error instanceof PulsewardError && mayPassOn(error))
      throw new UnfinishedStaging(id, false, error)
    const isCancelled = await letGo(session, id)
    throw isStopped && error instanceof PulsewardError ? new UnfinishedStaging(id, isCancelled, error) : error
  }
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
      // Prepares the next call while this one is in flight, but not before this one has been sent.
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

/** An upload may be repeated: items the service already has stay the same. */
async function send({ client, signal }: Session, id: string, text: string): Promise<void> {
  await tryAgain(signal, { most: 8, mayPass: mayPassOn }, () =>
    client.uploadOperation({ id, body: encodedJson(text) }, { signal }),
  )
}

/** Whether the failure is not about the content, so that the upload can be resumed. */
function mayPassOn({ category }: PulsewardError): boolean {
  return ['ambiguousMutation', 'transport', 'unavailable'].includes(category)
}

/** Room for the JSON around the items of a call. */
const envelopeBytes = 1_024

/** Holds text, not items: items waiting to be sent would outlive many others and be collected late. */
interface Call {
  readonly text: string
  readonly itemCount: number
}

/** The upload calls, without the items that the service already has. */
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

/** The items that the service found wrong. `known` are the first of them, which suffice if the others cannot be read. */
async function failedItems(
  { client, signal }: Session,
  id: string,
  known: wire.ApplyResult[],
): Promise<wire.ApplyResult[]> {
  if (known.length > 0 && known.length < v2.limits.preflightItems) return known
  const found: wire.ApplyResult[] = []
  try {
    for (let cursor: string | undefined; found.length < v2.limits.rejectedItems; ) {
      const page = { id, limit: v2.limits.listLimit, ...(cursor === undefined ? {} : { cursor }) }
      const { items = [], nextCursor } = (await client.getOperation(page, { signal })).data
      found.push(...items.filter(({ outcome }) => outcome === 'failed'))
      if (nextCursor === undefined) break
      cursor = nextCursor
    }
  } catch (error) {
    if (!mayPass(error)) throw error
  }
  return found.length < known.length ? known : found.slice(0, v2.limits.rejectedItems)
}
