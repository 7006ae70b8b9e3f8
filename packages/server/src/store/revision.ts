// store/revision.ts: what a monitor, a route, a group, a policy or a destination was before it changed, and until when. Only
// changes are kept, for as long as events are: what never changed costs nothing. A form has what rules compare and names of
// credentials at most, so it holds no secret. What destinations and routes are now is kept too, so that the next process
// sees what changed while none was running.
import type { Instant } from '../deciding/health/health.ts'

/** `Descriptions`: labels and tags of many monitors. `Record`: everything, before this kind of record was kept. */
export const revisionKinds = [
  'Descriptions',
  'EscalationPolicy',
  'Group',
  'Monitor',
  'NotificationEndpoint',
  'Record',
  'Route',
] as const
export type RevisionKind = (typeof revisionKinds)[number]

/** `none`: there was no such thing. `unknown`: it changed while no process was running. */
export type RevisionForm = Readonly<Record<string, unknown>> | 'none' | 'unknown'

export interface StoredRevision {
  readonly kind: RevisionKind
  readonly id: string
  /** Null: it is in force. */
  readonly until: Instant | null
  /** Null to remove one that was in force. */
  readonly form: RevisionForm | null
}

export type KeptRevision = StoredRevision & { readonly form: RevisionForm }

export interface RevisionQuery {
  readonly monitorId: string
  readonly at: Instant
}

/** A revision as a row; `until` is `inForce` for what is in force. */
export interface RevisionRow {
  readonly kind: string
  readonly id: string
  readonly until: number
  /** Null to remove it. */
  readonly body: string | null
}

export type KeptRevisionRow = RevisionRow & { readonly body: string }

/** After every instant. */
export const inForce = Number.MAX_SAFE_INTEGER

export const sharedKinds: readonly RevisionKind[] = revisionKinds.filter((kind) => kind !== 'Monitor')

export function revisionRow({ kind, id, until, form }: StoredRevision): RevisionRow {
  return { kind, id, until: until ?? inForce, body: form === null ? null : JSON.stringify(form) }
}

export function revisionOf({ kind, id, until, body }: KeptRevisionRow): KeptRevision {
  return {
    kind: kind as RevisionKind,
    id,
    until: until === inForce ? null : until,
    form: JSON.parse(body),
  }
}
