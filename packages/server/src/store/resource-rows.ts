// store/resource-rows.ts: converts resources and operations to rows of text and numbers, and back. Runs in the
// controller's thread, like rows.ts. The body of a resource is a line of JSON about it, followed by its spec verbatim.
import { kindNumber, resourceKinds } from '@pulseward/contract/v2/kinds'
import { isDeletion, type ResourceWrite, type StoredOperation, type StoredResource } from './resource.ts'
import type { Labels } from './selector.ts'

/** A write, as sent to the store thread. */
export interface ResourceWriteRow {
  readonly kind: number
  readonly id: string
  readonly change: number
  /** Null for a deletion. */
  readonly content: ResourceContent | null
}

export interface ResourceContent {
  /** Equal label sets have equal texts. */
  readonly labels: string
  readonly body: string
  readonly sealed: Uint8Array | null
}

/** The key of a resource. */
export interface ResourceKey {
  readonly kind: number
  readonly id: string
}

/** A version in stored form. */
export interface ResourceRow {
  readonly kind: number
  readonly id: string
  readonly labelSet: number
  readonly change: number
  readonly body: string
  readonly sealed: Uint8Array | null
}

/**
 * Rows as sent to the controller, and the label sets that they refer to: as columns, which are copied five times faster.
 */
export interface ResourceColumns {
  readonly kinds: readonly number[]
  readonly ids: readonly string[]
  readonly labelSets: readonly number[]
  readonly changes: readonly number[]
  readonly bodies: readonly string[]
  readonly sealed: readonly (Uint8Array | null)[]
  readonly labels: ReadonlyMap<number, string>
}

export interface OperationRow {
  readonly id: number
  readonly body: string
}

type Head = [uid: string, generation: number, createdAt: number, updatedAt: number, name: string | null]

export const monitorKind = kindNumber('Monitor')
export const credentialKind = kindNumber('Credential')

export function resourceWriteRow(write: ResourceWrite): ResourceWriteRow {
  const { id, change } = write
  const kind = kindNumber(write.kind)
  if (isDeletion(write)) return { kind, id, change, content: null }
  const { uid, generation, name, createdAt, updatedAt, labels, spec, sealed } = write
  const head: Head = [uid, generation, createdAt, updatedAt, name]
  const body = `${JSON.stringify(head)}\n${spec}`
  return { kind, id, change, content: { labels: labelsText(labels), body, sealed } }
}

export function resourceColumns(
  rows: readonly ResourceRow[],
  textsOf: (labelSets: ReadonlySet<number>) => ReadonlyMap<number, string>,
): ResourceColumns {
  const labelSets = rows.map(({ labelSet }) => labelSet)
  return {
    kinds: rows.map(({ kind }) => kind),
    ids: rows.map(({ id }) => id),
    labelSets,
    changes: rows.map(({ change }) => change),
    bodies: rows.map(({ body }) => body),
    sealed: rows.map(({ sealed }) => sealed),
    labels: textsOf(new Set(labelSets)),
  }
}

/** Resources share few label sets, so each is parsed once. */
export function resourcesOf(columns: ResourceColumns): StoredResource[] {
  const { kinds, labelSets, changes, bodies, sealed } = columns
  const sets = new Map(Array.from(columns.labels, ([number, text]) => [number, JSON.parse(text) as Labels]))
  return columns.ids.map((id, index) => {
    const body = bodies[index]!
    const headEnd = body.indexOf('\n')
    const [uid, generation, createdAt, updatedAt, name] = headOf(body, headEnd)
    return {
      kind: resourceKinds[kinds[index]!]!,
      id,
      uid,
      change: changes[index]!,
      generation,
      name,
      labels: sets.get(labelSets[index]!)!,
      spec: body.slice(headEnd + 1),
      sealed: sealed[index]!,
      createdAt,
      updatedAt,
    }
  })
}

export function uidIn({ body }: Pick<ResourceRow, 'body'>): string {
  return headOf(body)[0]
}

/** The line about a resource, which ends at `end`. */
export function headOf(body: string, end: number = body.indexOf('\n')): Head {
  return JSON.parse(body.slice(0, end))
}

export function operationRow({ id, ...rest }: StoredOperation): OperationRow {
  return { id, body: JSON.stringify(rest) }
}

export function operationOf({ id, body }: OperationRow): StoredOperation {
  return { id, ...JSON.parse(body) }
}

function labelsText(labels: Labels): string {
  const entries = Object.entries(labels)
  if (entries.length > 1) entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}
