// components/status-words.ts: the seven statuses in words, and the order in which people want to see them.
import type { Status } from '@pulseward/contract'

export const statusWords: Readonly<Record<Status, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  verifying: 'Verifying',
  down: 'Down',
  incident: 'Incident',
  unknown: 'Unknown',
  disabled: 'Disabled',
}

export const statusMeanings: Readonly<Record<Status, string>> = {
  up: 'The last checks succeeded.',
  degraded: 'It works, with a warning.',
  verifying: 'A recovery was accepted; healthy checks are being counted.',
  down: 'Checks fail; no incident is open.',
  incident: 'An incident is open.',
  unknown: 'There is no completed check yet, or Pulseward itself could not check.',
  disabled: 'It is configured but not checked.',
}

/** From healthy to unhealthy, then unknown. */
export const statusOrder: readonly Status[] = [
  ...(['up', 'degraded', 'verifying', 'down', 'incident', 'unknown', 'disabled'] as const),
]
