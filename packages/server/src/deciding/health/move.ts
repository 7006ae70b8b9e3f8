// deciding/health/move.ts: a monitor's health after the service's clock was set: every instant in it moves by the same step, so
// that no duration changes. No decision is made here.
import type { Episode, Health } from './health.ts'

export function movedHealth(state: Health, stepMs: number): Health {
  const { episode, intervention, warning } = state
  const startedAt = intervention?.startedAt ?? null
  return {
    ...state,
    episode: episode === null ? null : movedEpisode(episode, stepMs),
    intervention: startedAt === null ? intervention : { ...intervention!, startedAt: startedAt + stepMs },
    warning: warning === null ? null : { ...warning, since: warning.since + stepMs },
  }
}

function movedEpisode(episode: Episode, stepMs: number): Episode {
  const { firstFailureAt, lastFailureAt, warnedSince, thresholdReachedAt, verification, incident } = episode
  return {
    ...episode,
    ...(warnedSince === undefined ? {} : { warnedSince: warnedSince + stepMs }),
    firstFailureAt: firstFailureAt + stepMs,
    lastFailureAt: lastFailureAt + stepMs,
    thresholdReachedAt: thresholdReachedAt === null ? null : thresholdReachedAt + stepMs,
    verification:
      verification === null ? null : { ...verification, countsFrom: verification.countsFrom + stepMs },
    incident:
      incident === null
        ? null
        : { ...incident, openedAt: incident.openedAt + stepMs, lastRedAt: incident.lastRedAt + stepMs },
  }
}
