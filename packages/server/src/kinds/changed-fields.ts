// kinds/changed-fields.ts: what an edit changed, for its event: name, labels and spec, each field by its JSON
// pointer with the text before and after. Objects are compared member by member, lists as a whole. Bounded,
// and never contains a secret: a changed secret is shown as changed, with both texts redacted.
import { v2 } from '@pulseward/contract'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import { isJsonObject, isSameJson, type Json, ownValue, pointerBelow } from '../platform/json/json.ts'
import { counted } from '../platform/wording.ts'
import type { DriverSchemas } from './redact-config.ts'
import { redactSpec } from './redact-spec.ts'

const { eventChanges: maxChanges, eventChangesBytes: maxChangesBytes } = v2.limits
const maxTextLength = 500

/** A text is omitted if the field did not exist. It is a string verbatim, and anything else as canonical JSON. */
export interface FieldChange {
  readonly field: string
  readonly before?: string
  readonly after?: string
}

/** The part of a resource that people write. */
export interface ResourceContent {
  readonly kind: v2.ResourceKind
  readonly name?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly spec: Json
}

/**
 * In the order of their pointers' keys, metadata first. If some do not fit, a last entry counts them; its
 * field is the resource itself (the empty pointer).
 */
export function changedFields(
  before: ResourceContent,
  after: ResourceContent,
  schemas: DriverSchemas,
): FieldChange[] {
  const changes: FieldChange[] = []
  collect(openPair(metadataOf(before)), openPair(metadataOf(after)), '/metadata', changes)
  // Most edits change little, and redacting a spec is expensive.
  if (!isSameJson(before.spec, after.spec))
    collect(specPair(before, schemas), specPair(after, schemas), '/spec', changes)
  return withinBounds(changes)
}

/** A value, and its redacted form. */
interface Pair {
  readonly plain: Json
  readonly shown: Json
}

function metadataOf({ name, labels }: ResourceContent): Json {
  const metadata: Record<string, Json> = {}
  if (name !== undefined) metadata['name'] = name
  if (labels !== undefined) metadata['labels'] = labels
  return metadata
}

function openPair(value: Json): Pair {
  return { plain: value, shown: value }
}

function specPair({ kind, spec }: ResourceContent, schemas: DriverSchemas): Pair {
  return { plain: spec, shown: redactSpec(kind, spec, schemas) }
}

function collect(
  before: Pair | undefined,
  after: Pair | undefined,
  pointer: string,
  changes: FieldChange[],
): void {
  if (isSameJson(before?.plain, after?.plain)) return
  const [members, otherMembers] = [membersOf(before), membersOf(after)]
  if (members !== null && otherMembers !== null) {
    const keys = new Set([...members.keys(), ...otherMembers.keys()])
    for (const key of [...keys].sort())
      collect(members.get(key), otherMembers.get(key), pointerBelow(pointer, key), changes)
  } else changes.push(changeAt(pointer, before, after))
}

function changeAt(field: string, before: Pair | undefined, after: Pair | undefined): FieldChange {
  const change: { field: string; before?: string; after?: string } = { field }
  if (before !== undefined) change.before = shortened(textOf(before.shown))
  if (after !== undefined) change.after = shortened(textOf(after.shown))
  return change
}

/** Null if it is not an object, or is redacted as a whole. */
function membersOf(pair: Pair | undefined): Map<string, Pair> | null {
  if (pair === undefined || !isJsonObject(pair.plain) || !isJsonObject(pair.shown)) return null
  const { shown } = pair
  return new Map(
    Object.entries(pair.plain).map(([key, plain]) => [key, { plain, shown: ownValue(shown, key) ?? null }]),
  )
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

function shortened(text: string): string {
  // Half a surrogate pair would not survive UTF-8.
  return text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '')}…`
}

function withinBounds(changes: readonly FieldChange[]): FieldChange[] {
  if (changes.length <= maxChanges && sizeOf(changes) <= maxChangesBytes) return [...changes]
  const kept: FieldChange[] = []
  let bytes = sizeOf([rest(changes.length)])
  for (const change of changes) {
    const size = sizeOf([change])
    if (kept.length === maxChanges - 1 || bytes + size > maxChangesBytes) continue
    kept.push(change)
    bytes += size
  }
  return [...kept, rest(changes.length - kept.length)]
}

function rest(count: number): FieldChange {
  return { field: '', after: `and ${counted(count, 'more field')}` }
}

function sizeOf(changes: readonly FieldChange[]): number {
  return Buffer.byteLength(JSON.stringify(changes))
}
