// bulk/stage-items.ts: converts the items of a request to staged form. Content is kept as canonical text, so that equal
// content is equal text; the value of a credential, and the digest that would reveal it, are removed and sealed.
import { hash } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { kindOf } from '../kinds/kind-table.ts'
import { secretIn, withoutSecret } from '../kinds/managed-resource.ts'
import { hasReferences } from '../kinds/references.ts'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import { type V2FieldError, V2Problem } from '../requests/v2-problem.ts'
import type { StagedItem } from '../store/staging.ts'
import type { Secret } from './work.ts'

/** An item that was read, and its secret part. */
export interface ReadItem {
  readonly staged: Omit<StagedItem, 'ordinal' | 'sealed'>
  readonly secret: Secret | null
  /** Its line in the digest of the collection. */
  readonly digestLine: string
}

/** The sealed part of a credential. */
type SecretPart = readonly [value: string | null, digest: string]

/** Throws a problem for an item that does not match its digest, or that claims to come from a file. */
export function readItems(items: readonly v2.ApplyItem[], drivers: DriverShapes): ReadItem[] {
  const claims = items.flatMap(({ resource }, index): V2FieldError[] => {
    const { managedBy } = resource.metadata
    if (managedBy === undefined || managedBy === 'api') return []
    const field = `/items/${index}/resource/metadata/managedBy`
    return [{ field, reason: 'notAllowed', message: 'cannot be set; leave it out' }]
  })
  if (claims.length > 0)
    throw new V2Problem('invalidResource', `${claims[0]?.field} ${claims[0]?.message}.`, { errors: claims })
  return items.map((item) => readItem(item, drivers))
}

function readItem(
  { id: itemId, contentDigest, source, resource }: v2.ApplyItem,
  drivers: DriverShapes,
): ReadItem {
  const { kind, metadata } = resource
  const definition = kindOf(kind)
  const isSecret = definition.secret !== null
  const part: SecretPart = [secretIn(kind, resource), contentDigest]
  const whole = canonicalJson(resource.spec)
  requireDigest(itemId, contentDigest, resource, whole)
  return {
    staged: {
      itemId,
      kind: v2.kindNumber(kind),
      id: metadata.id,
      digest: isSecret ? null : contentDigest,
      source,
      expected: metadata.resourceVersion ?? null,
      name: metadata.name ?? null,
      labels: canonicalJson(metadata.labels ?? {}),
      spec: isSecret ? canonicalJson(withoutSecret(kind, resource.spec)) : whole,
      hasReferences: hasReferences(definition, resource.spec, drivers) ? 1 : 0,
    },
    secret: isSecret ? { itemId, text: JSON.stringify(part) } : null,
    digestLine: `${itemId} ${contentDigest}\n`,
  }
}

/** The value of a credential and its digest, from their sealed form. */
export function secretPart(text: string): { readonly value: string | null; readonly digest: string } {
  const [value, digest]: SecretPart = JSON.parse(text)
  return { value, digest }
}

/** Members are sorted by name, so the whole text can be composed of its parts. */
function requireDigest(itemId: string, contentDigest: string, resource: v2.Resource, spec: string): void {
  if (!contentDigest.startsWith(checkedPrefix)) return
  const { apiVersion, kind, metadata, status } = resource
  const text = `{"apiVersion":${JSON.stringify(apiVersion)},"kind":"${kind}","metadata":${canonicalJson(metadata)},"spec":${spec}${status === undefined ? '' : `,"status":${canonicalJson(status)}`}}`
  if (`${checkedPrefix}${hash('sha256', text, 'hex')}` === contentDigest) return
  throw new V2Problem(
    'operationConflict',
    `The content of the item ${itemId} is not what its digest says; send it again, or with its own digest.`,
  )
}

/** Digests with this prefix are checked; any other is the client's own. */
export const checkedPrefix = 'sha256:'

/** Whether a staged item is the same. */
export function isSameItem(staged: StagedItem, read: ReadItem['staged']): boolean {
  return (
    staged.kind === read.kind &&
    staged.id === read.id &&
    staged.digest === read.digest &&
    staged.expected === read.expected &&
    staged.name === read.name &&
    staged.labels === read.labels &&
    staged.spec === read.spec
  )
}
