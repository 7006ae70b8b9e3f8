// client/subjects/stale-note.ts: the line over a table whose data the service does not keep up to date.
import type { Stale, StaleReason } from '@pulseward/contract'
import { type Block, note } from '../table/block.ts'
import { moment } from '../table/values.ts'

const words: Readonly<Record<StaleReason, string>> = {
  storage_unavailable: 'decisions cannot be stored, so no checks run and no notifications are sent',
  controller_stalled: 'the controller makes no progress, so no checks run and no notifications are sent',
  stale_snapshot: 'no newer snapshot of the fleet was taken',
}

/** A service of an earlier version says nothing about it. */
export function staleNote({ stale = null }: { readonly stale?: Stale | null }): Block[] {
  if (stale === null) return []
  // A newer service may have further reasons.
  return [note(['Stale, as of ', moment(stale.since), `: ${words[stale.reason] ?? stale.reason}.`])]
}
