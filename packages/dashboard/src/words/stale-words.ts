// words/stale-words.ts: why what is shown is not kept up to date, in words.
import type { StaleReason } from '@pulseward/contract'

export const staleWords: Readonly<Record<StaleReason, string>> = {
  storage_unavailable: 'Decisions cannot be stored, so nothing is checked and nobody is told.',
  controller_stalled: 'The controller makes no progress, so nothing is checked and nobody is told.',
  stale_snapshot: 'No newer snapshot of the fleet was taken.',
}
