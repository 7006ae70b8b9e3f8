// words/stale-words.ts: why the data on the page is not updated, in words.
import type { StaleReason } from '@pulseward/contract'

export const staleWords: Readonly<Record<StaleReason, string>> = {
  storage_unavailable: 'Decisions cannot be stored, so no checks run and no notifications are sent.',
  controller_stalled: 'The controller makes no progress, so no checks run and no notifications are sent.',
  stale_snapshot: 'No newer snapshot of the fleet was taken.',
}
