// client/apply/collection.ts: the resources of files as one collection of items. Opening it reads and validates
// everything once. The items are then read again as needed, so only the service limits their number.
import { hash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { CancelledError } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { canonicalJson, UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../../arguments.ts'
import { type LoadedResource, ResourceFiles } from '../files/load-resources.ts'
import type { LocatedMistake } from '../files/mistake.ts'
import { sourceFiles } from '../files/source-files.ts'
import { Sources } from '../files/sources.ts'
import { switchValue } from '../flag-values.ts'
import { secretsIn } from '../secrets-in.ts'
import type { Session } from '../session.ts'
import { CollectionDigest } from './collection-digest.ts'
import { NamesNobody } from './tells-nobody.ts'

export const fileFlags: Readonly<Record<string, FlagSpec>> = {
  filename: {
    kind: 'value',
    short: 'f',
    valueName: 'FILE|DIR|-',
    summary: 'Files with resources as YAML, JSON or NDJSON, or fleet files; may be given several times.',
  },
  recursive: { kind: 'switch', short: 'R', summary: 'Include the subfolders of a folder.' },
}

export interface SizedItem {
  readonly item: v2.ApplyItem
  /** The JSON that is sent. */
  readonly text: string
  readonly byteCount: number
}

export interface Collection extends Disposable {
  readonly itemCount: number
  readonly contentDigest: string
  /** The size of all items as they are sent, without the envelope. */
  readonly byteCount: number
  readonly namesNobody: NamesNobody
  /** Items in the batches in which they are read; each item is made on demand. */
  batches(): AsyncGenerator<IteratorObject<SizedItem>, void, undefined>
  items(): AsyncGenerator<SizedItem, void, undefined>
  /** Where the mistakes are that the service names in the messages of items, by the ids of the items. */
  locate(messages: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, LocatedMistake[]>>
}

/**
 * Uploaded data lives long enough to be promoted and dies soon after. By default the collector would let it
 * grow to three times everything else; a third is enough.
 */
const heapGrowth = '--heap-growing-percent=30'

export async function openCollection(parsed: ParsedArguments, session: Session): Promise<Collection> {
  setFlagsFromString(heapGrowth)
  const { signal, terminal } = session
  const names = sourceFiles(parsed.flags.get('filename') ?? [], switchValue(parsed, 'recursive'))
  const files = await orStopped(signal, async () => {
    const sources = await Sources.open(names, () => session.takeStdin(), signal)
    return ResourceFiles.open(sources, terminal.environment)
  })
  try {
    return await read(files, session)
  } catch (error) {
    files[Symbol.dispose]()
    throw error
  }
}

async function read(files: ResourceFiles, session: Session): Promise<Collection> {
  const digest = new CollectionDigest()
  const namesNobody = new NamesNobody()
  let byteCount = 0
  for await (const loaded of files.checked()) {
    if (session.signal.aborted) throw stopped()
    for (const { item, byteCount: size } of loaded.map(sizedItem)) {
      for (const secret of secretsIn(item.resource.kind, item.resource)) session.keepSecret(secret)
      digest.add(item)
      namesNobody.add(item.resource)
      byteCount += size
    }
    if (digest.itemCount > v2.limits.operationItems)
      throw new UsageError(
        `The files have more than ${v2.limits.operationItems} resources; apply them in parts.`,
      )
  }
  const { itemCount } = digest
  if (itemCount === 0) throw new UsageError('The files have no resource in them.')
  if (files.hasRoutes)
    session.say(
      'Routes of fleet files are named by their place: route-1, route-2 and so on. They replace routes that have these ids.',
    )
  async function* batches() {
    for await (const loaded of files.again()) yield loaded.map(sizedItem)
  }
  return {
    itemCount,
    byteCount,
    contentDigest: digest.toString(),
    namesNobody,
    batches,
    async *items() {
      for await (const batch of batches()) yield* batch
    },
    locate: (messages) => files.locate(messages),
    [Symbol.dispose]: () => files[Symbol.dispose](),
  }
}

/** The canonical text is made for the digest anyway, so it is also what is sent. */
function sizedItem({ key, source, resource }: LoadedResource): SizedItem {
  const canonical = canonicalJson(resource)
  const contentDigest = `sha256:${hash('sha256', canonical, 'hex')}`
  const text = `{"id":${JSON.stringify(key)},"contentDigest":"${contentDigest}","source":${JSON.stringify(source)},"resource":${canonical}}`
  // Plus the comma after it.
  const byteCount = Buffer.byteLength(text) + 1
  if (byteCount > v2.limits.bodyBytes) throw new UsageError(`${source}: a resource may have at most 1 MiB.`)
  return { item: { id: key, contentDigest, source, resource }, text, byteCount }
}

async function orStopped<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error === signal.reason ? stopped() : error
  }
}

function stopped(): CancelledError {
  return new CancelledError('reading the files was cancelled', { operation: 'apply', reason: 'cancelled' })
}
