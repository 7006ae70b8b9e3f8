// components/shown-change.ts: one field that a write changed, as the list of changes shows it.
import type { v2 } from '@pulseward/contract'

export interface ShownChange {
  readonly field: string
  /** Undefined if there was none. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export function shownChanges({ changes = [] }: Pick<v2.Event, 'changes'>): readonly ShownChange[] {
  return changes.map(({ field, before, after }) => ({ field, before, after }))
}
