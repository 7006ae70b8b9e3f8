// client/apply/collection.ts: the resources of files as one collection of items. Everything is read and checked once
// before it is known; the items are then read again as they are needed, so their number is bounded by the service alone.
import { v2 } from '@pulseward/contract'
import { canonicalDigest, UsageError } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../../arguments.ts'
import { loadResources } from '../files/load-resources.ts'
import { sourceFiles, standardInput } from '../files/source-files.ts'
import { switchValue } from '../flag-values.ts'
import { secretsIn } from '../secrets-in.ts'
import type { Session } from '../session.ts'
import { CollectionDigest } from './collection-digest.ts'

export const fileFlags: Readonly<Record<string, FlagSpec>> = {
  filename: {
    kind: 'value',
    short: 'f',
    valueName: 'FILE|DIR|-',
    summary: 'Files with resources as YAML, JSON or NDJSON; may stand several times.',
  },
  recursive: { kind: 'switch', short: 'R', summary: 'Look into the folders of a folder.' },
}

export interface SizedItem {
  readonly item: v2.ApplyItem
  /** As it travels. */
  readonly byteCount: number
}

export interface Collection {
  readonly itemCount: number
  readonly contentDigest: string
  /** Of all items as they travel, without what stands around them. */
  readonly byteCount: number
  items(): AsyncGenerator<SizedItem, void, undefined>
}

/** A stream cannot be read twice, so it is kept. */
const mostStdinBytes = 256 * 1024 * 1024

export async function openCollection(parsed: ParsedArguments, session: Session): Promise<Collection> {
  const files = sourceFiles(parsed.flags.get('filename') ?? [], switchValue(parsed, 'recursive'))
  const stdin = files.includes(standardInput) ? await readAll(session.takeStdin()) : []
  const items = () => itemsOf(files, stdin)
  const digest = new CollectionDigest()
  let byteCount = 0
  for await (const { item, byteCount: size } of items()) {
    for (const secret of secretsIn(item.resource.kind, item.resource)) session.keepSecret(secret)
    digest.add(item)
    byteCount += size
    if (digest.itemCount > v2.limits.operationItems)
      throw new UsageError(
        `The files have more than ${v2.limits.operationItems} resources; apply them in parts.`,
      )
  }
  const { itemCount } = digest
  if (itemCount === 0) throw new UsageError('The files have no resource in them.')
  return { itemCount, byteCount, contentDigest: digest.toString(), items }
}

async function* itemsOf(
  files: readonly string[],
  stdin: readonly Uint8Array[],
): AsyncGenerator<SizedItem, void, undefined> {
  for await (const { key, source, resource } of loadResources(files, () => chunksOf(stdin))) {
    const item = { id: key, contentDigest: canonicalDigest(resource), source, resource }
    // And the comma behind it.
    const byteCount = Buffer.byteLength(JSON.stringify(item)) + 1
    if (byteCount > v2.limits.bodyBytes) throw new UsageError(`${source}: a resource may have at most 1 MiB.`)
    yield { item, byteCount }
  }
}

async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks
}

async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of stdin) {
    chunks.push(chunk)
    byteCount += chunk.byteLength
    if (byteCount > mostStdinBytes) throw new UsageError('Stdin has more than 256 MiB; put it into a file.')
  }
  return chunks
}
