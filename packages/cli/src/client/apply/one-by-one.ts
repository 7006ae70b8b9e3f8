// client/apply/one-by-one.ts: writes the resources of a collection one after another, for a service that does
// not offer operations or has no place for another one. Each is created, or replaced at the version that was
// read, in the order of their references. A refused resource is noted and the rest continues. An ambiguous
// write, or an error that would affect every resource, stops it.
import { PulsewardError, type v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { saidBy } from '../error-sentence.ts'
import { findKind, shown } from '../kinds.ts'
import { Progress } from '../progress.ts'
import type { Session } from '../session.ts'
import type { Collection } from './collection.ts'
import { currentOf } from './current-resources.ts'
import { inDependencyOrder } from './dependency-order.ts'

/** Larger collections belong in one operation, which is validated as a whole. */
const mostItems = 1_000

export interface WrittenOneByOne {
  readonly items: readonly wire.ApplyResult[]
  /** The error that ended it before every item was tried. */
  readonly ended: { readonly error: PulsewardError; readonly lookAgain: string } | null
}

/** `foreseen` is the preflight result of all items; without it each resource is read just before it is written. */
export async function applyOneByOne(
  session: Session,
  collection: Collection,
  foreseen: readonly wire.ApplyResult[] = [],
): Promise<WrittenOneByOne> {
  if (collection.itemCount > mostItems)
    throw new UsageError(
      `${session.server} offers no operations, and at most ${mostItems} resources are written one by one; apply the files in parts.`,
    )
  const ordered = inDependencyOrder(await Array.fromAsync(collection.items(), ({ item }) => item))
  const seen = new Map(foreseen.map((one) => [one.id, one]))
  const items: wire.ApplyResult[] = []
  using progress = new Progress(session.terminal)
  for (const { id, source, resource } of ordered) {
    progress.show('applying', items.length, ordered.length)
    try {
      items.push({ id, ...(await write(session, resource, seen.get(id))) })
    } catch (error) {
      if (!(error instanceof PulsewardError)) throw error
      if (!isAboutThisOne(error)) return endedBy(error, resource, items, ordered)
      const isConflict = error.category === 'conflict' || error.category === 'notFound'
      const fields = error.problem?.errors ?? []
      const said = fields.length > 0 ? v2.itemMessage(source, fields) : saidBy(error)
      const message = session.withoutSecrets(said)
      items.push({ id, outcome: isConflict ? 'conflict' : 'failed', message })
    }
  }
  return { items, ended: null }
}

function endedBy(
  error: PulsewardError,
  { kind, metadata }: v2.Resource,
  items: readonly wire.ApplyResult[],
  ordered: readonly v2.ApplyItem[],
): WrittenOneByOne {
  // An ambiguous write is not listed as not attempted: it may have happened.
  const tried = items.length + (error.category === 'ambiguousMutation' ? 1 : 0)
  const left = ordered.slice(tried).map(({ id }) => ({ id, outcome: 'notAttempted' as const }))
  const lookAgain = `pulseward describe ${shown({ kind: findKind(kind), id: metadata.id })}`
  return { items: [...items, ...left], ended: { error, lookAgain } }
}

type Written = Pick<wire.ApplyResult, 'outcome' | 'oldVersion' | 'newVersion'>

async function write(
  session: Session,
  resource: v2.Resource,
  foreseen: wire.ApplyResult | undefined,
): Promise<Written> {
  const { client, signal } = session
  const { create, replace } = findKind(resource.kind)
  const { id } = resource.metadata
  const { oldVersion, ifMatch } = await versionsOf(session, resource, foreseen)
  if (ifMatch === undefined) {
    const { resourceVersion } = await create!(client, resource, { signal })
    return { outcome: 'created', newVersion: resourceVersion }
  }
  const versions = oldVersion === undefined ? {} : { oldVersion }
  if (foreseen?.outcome === 'unchanged' && oldVersion === ifMatch)
    return { outcome: 'unchanged', ...versions, newVersion: ifMatch }
  const { resourceVersion: newVersion } = await replace!(client, { id, ifMatch, body: resource }, { signal })
  return { outcome: newVersion === oldVersion ? 'unchanged' : 'updated', ...versions, newVersion }
}

/** The current version, and the one to replace; without the latter the resource is created. */
async function versionsOf(
  session: Session,
  { kind, metadata }: v2.Resource,
  foreseen: wire.ApplyResult | undefined,
): Promise<{ readonly oldVersion?: string | undefined; readonly ifMatch?: string | undefined }> {
  const { id, resourceVersion: wanted } = metadata
  if (foreseen !== undefined)
    return { oldVersion: foreseen.oldVersion, ifMatch: wanted ?? foreseen.oldVersion }
  const before = await currentOf(session, findKind(kind), id)
  return before === null
    ? {}
    : { oldVersion: before.resourceVersion, ifMatch: wanted ?? before.resourceVersion }
}

/** Whether the refusal concerns this resource only, so that others may still succeed. */
export function isAboutThisOne({ category, statusCode }: PulsewardError): boolean {
  const isRefusal = ['conflict', 'notFound', 'invalidInput', 'unavailableFeature'].includes(category)
  return isRefusal && statusCode !== 0
}
