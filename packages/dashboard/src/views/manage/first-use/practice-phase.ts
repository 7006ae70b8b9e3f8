// views/manage/first-use/practice-phase.ts: how far the practice has come.
import type { HistoryEvent } from '../../../data/history.ts'

export type PracticePhase = 'waiting' | 'up' | 'failing' | 'incident' | 'recovering' | 'recovered'

/** events: of the practice monitor, newest first. */
export function phaseOf(
  isOn: boolean,
  hasIncident: boolean,
  health: string | undefined,
  events: readonly Pick<HistoryEvent, 'type'>[],
): PracticePhase {
  if (hasIncident) return isOn ? 'recovering' : 'incident'
  if (!isOn) return 'failing'
  const hasClosed = events.some(({ type }) => type === 'incident_closed')
  if (health === undefined || health === 'unknown') return 'waiting'
  return hasClosed && health === 'healthy' ? 'recovered' : 'up'
}
