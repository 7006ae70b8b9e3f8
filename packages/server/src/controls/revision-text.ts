// controls/revision-text.ts: revisions as clients see them. Each is bound to its subject, so that the revision of one
// incident never matches another, and the control revision of a monitor matches nothing else. Opaque to clients.
import { stableHash } from '../platform/string-hash.ts'

export type RevisedKind = 'Monitor' | 'Incident' | 'Action'

export function revisionText(kind: RevisedKind, id: string, revision: number): string {
  return `${revision}-${stableHash(`${kind} ${id}`).toString(36)}`
}

/** Null if the text is not a revision of this subject. */
export function revisionIn(text: string, kind: RevisedKind, id: string): number | null {
  const revision = Number.parseInt(text, 10)
  return revision > 0 && revisionText(kind, id, revision) === text ? revision : null
}
