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

/** From healthy to unhealthy, then unknown. */
export const statusOrder: readonly Status[] = [
  ...(['up', 'degraded', 'verifying', 'down', 'incident', 'unknown', 'disabled'] as const),
]
