// simulation/model/moved-time.ts: what the model knows of one monitor after a restart whose clock is behind. Nothing that
// was kept lies in the future: what would is taken to be now, and what runs from it runs from now.
import type { ModelEpisode, ModelMonitor } from './monitor-state.ts'

export function withoutFuture(monitor: ModelMonitor, now: number): ModelMonitor {
  const { plan, episode } = monitor
  const settleMs = (plan.recovery?.settleSeconds ?? plan.intervalSeconds) * 1000
  return {
    ...monitor,
    episode: episode === null ? null : clampedEpisode(episode, now, settleMs),
  }
}

function clampedEpisode(episode: ModelEpisode, now: number, settleMs: number): ModelEpisode {
  const { incident, verification, dueSince } = episode
  const countsFrom = Math.min(verification?.countsFrom ?? now, now + settleMs)
  return {
    ...episode,
    firstFailureAt: Math.min(episode.firstFailureAt, now),
    dueSince: dueSince === null ? null : Math.min(dueSince, now),
    incident: incident && {
      ...incident,
      openedAt: Math.min(incident.openedAt, now),
      lastRedAt: Math.min(incident.lastRedAt, now),
    },
    verification: verification && { ...verification, countsFrom },
  }
}
