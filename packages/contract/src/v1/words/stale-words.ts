// v1/words/stale-words.ts: why data is not kept up to date, in words.
import type { StaleReason } from '../stale.ts'

export const staleWords: Readonly<Record<StaleReason, string>> = {
  storage_unavailable: 'Decisions cannot be stored, so no checks run and no notifications are sent.',
  controller_stalled: 'The controller makes no progress, so no checks run and no notifications are sent.',
  stale_snapshot: 'No newer snapshot of the fleet was taken.',
}
