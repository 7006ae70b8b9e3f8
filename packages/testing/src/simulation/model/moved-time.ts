// simulation/model/moved-time.ts: service time is set with the wall clock, and the model's instants move along, so that
// they keep their distance. Instants that an earlier process recorded do not move; none counts as later than now.
import type { Arrival, ModelEpisode, ModelMonitor } from './monitor-state.ts'
import { movedUntold } from './untold-model.ts'

type Move = (instant: number) => number

export function movedBy(monitor: ModelMonitor, stepMs: number): ModelMonitor {
  const move: Move = (instant) => instant + stepMs
  const moved = ({ from, to, process }: Arrival) => ({
    from: move(from),
    to: move(to),
    process,
    isMoved: true,
  })
  const arrivals = Object.entries(monitor.arrivals).map(([place, one]) => [place, moved(one)])
  return {
    ...monitor,
    episode: monitor.episode === null ? null : movedEpisode(monitor.episode, move),
    plannedAt: move(monitor.plannedAt),
    recoveriesAt: monitor.recoveriesAt.map(move),
    arrivals: Object.fromEntries(arrivals),
    untold: movedUntold(monitor.untold, stepMs),
    actions: monitor.actions.map((action) => ({
      ...action,
      startedAt: action.startedAt === null ? null : move(action.startedAt),
      notBefore: { from: move(action.notBefore.from), to: move(action.notBefore.to) },
    })),
  }
}

function movedEpisode(episode: ModelEpisode, move: Move): ModelEpisode {
  const { incident, verification, firstFailureAt, dueSince } = episode
  return {
    ...episode,
    isMoved: true,
    firstFailureAt: move(firstFailureAt),
    dueSince: dueSince === null ? null : move(dueSince),
    incident: incident && {
      ...incident,
      openedAt: move(incident.openedAt),
      lastRedAt: move(incident.lastRedAt),
    },
    verification: verification && { ...verification, countsFrom: move(verification.countsFrom) },
  }
}
