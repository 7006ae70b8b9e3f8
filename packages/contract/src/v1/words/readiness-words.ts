// v1/words/readiness-words.ts: why the service is not ready, in words.
import type { ReadinessReason } from '../health.ts'

export const readinessWords: Readonly<Record<ReadinessReason, string>> = {
  no_snapshot: 'No snapshot of the fleet was taken yet.',
  empty_snapshot: 'The snapshot of the fleet is empty.',
  stale_snapshot: 'The snapshot of the fleet is too old.',
  admission_not_initialized: 'The fleet is still being loaded.',
  controller_stalled: 'The controller makes no progress.',
  storage_unavailable: 'Decisions cannot be stored.',
  standby: 'This process stands by for the active one.',
  files_differ: 'Its fleet files are not those of the active process, so it does not take over.',
}
