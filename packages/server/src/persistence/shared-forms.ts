// persistence/shared-forms.ts: what monitors share, as revisions have it: routes, groups, policies, and of a destination its
// type alone, because its options may contain what is secret. It says what changed since it was last asked.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { KeptRevision, RevisionForm, RevisionKind } from '../store/revision.ts'

export interface SharedChange {
  readonly kind: RevisionKind
  readonly id: string
  /** `none` if there was no such thing. */
  readonly before: RevisionForm
  /** Null if it is gone. */
  readonly now: RevisionForm | null
}

interface Known {
  readonly kind: RevisionKind
  readonly id: string
  readonly form: RevisionForm
  readonly text: string
  /** What it was made from; a definition is never changed in place. */
  readonly source: unknown
}

type Head = Pick<FleetDefinition, 'routes' | 'groups' | 'escalationPolicies' | 'endpoints'>

export class SharedForms {
  #known = new Map<string, Known>()
  #head: Head | null = null

  constructor(kept: readonly KeptRevision[]) {
    for (const { kind, id, form } of kept)
      this.#known.set(`${kind} ${id}`, { kind, id, form, text: JSON.stringify(form), source: null })
  }

  changed(head: Head): SharedChange[] {
    if (isSame(this.#head, head)) return []
    this.#head = head
    const now = new Map<string, Known>()
    const changes: SharedChange[] = []
    for (const { kind, id, source, form } of entriesOf(head)) {
      const key = `${kind} ${id}`
      const before = this.#known.get(key)
      if (before !== undefined && before.source === source) {
        now.set(key, before)
        continue
      }
      const made = form()
      const text = JSON.stringify(made)
      now.set(key, { kind, id, form: made, text, source })
      if (before?.text !== text) changes.push({ kind, id, before: before?.form ?? 'none', now: made })
    }
    for (const [key, { kind, id, form }] of this.#known)
      if (!now.has(key)) changes.push({ kind, id, before: form, now: null })
    this.#known = now
    return changes
  }
}

function isSame(one: Head | null, other: Head): boolean {
  if (one === null) return false
  return (
    one.routes === other.routes &&
    one.groups === other.groups &&
    one.escalationPolicies === other.escalationPolicies &&
    one.endpoints === other.endpoints
  )
}

interface Entry extends Pick<Known, 'kind' | 'id' | 'source'> {
  readonly form: () => RevisionForm
}

function* entriesOf({ routes, groups, escalationPolicies, endpoints }: Head): Iterable<Entry> {
  for (const route of routes)
    yield { kind: 'Route', id: route.name, source: route, form: () => ({ ...route }) }
  for (const [id, members] of groups) yield { kind: 'Group', id, source: members, form: () => ({ members }) }
  for (const [id, policy] of escalationPolicies)
    yield { kind: 'EscalationPolicy', id, source: policy, form: () => ({ ...policy }) }
  for (const [id, endpoint] of endpoints)
    yield { kind: 'NotificationEndpoint', id, source: endpoint, form: () => ({ type: endpoint.type }) }
}
