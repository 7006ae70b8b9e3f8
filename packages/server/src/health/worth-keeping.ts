// health/worth-keeping.ts: whether another run would miss the new state. While an incident is open, another failure only
// counts on: nothing is decided by it, so it is stored once a minute and not with every check. In a storm that is most
// of what there would be to write.
import type { Episode, Health } from './health.ts'

const keptEveryMs = 60_000

export function isWorthKeeping(before: Health, after: Health): boolean {
  if (before.episode === null || after.episode === null || after.episode.incident === null) return true
  return (
    minuteOf(before.episode) !== minuteOf(after.episode) ||
    differ(before, after, healthThatCounts) ||
    differ(before.episode, after.episode, episodeThatCounts)
  )
}

/** Everything but the generation, which the next run begins anew; the episode is compared by itself. */
const healthThatCounts: readonly (keyof Health)[] = [
  ...(['lifecycle', 'checkRevision', 'known', 'lastOutcome'] as const),
  ...(['intervention', 'hold', 'warning', 'maintenance'] as const),
]

/** Everything but the failures and the last of them. */
const episodeThatCounts: readonly (keyof Episode)[] = [
  ...(['id', 'firstFailureAt', 'healthyStreak', 'thresholdReachedAt', 'announced', 'recovery'] as const),
  ...(['verification', 'withheld', 'suppressedBy', 'suppressionReported', 'incident'] as const),
]

/** States are never mutated, so a part that is another object may be another, and is written for good measure. */
function differ<Part>(before: Part, after: Part, keys: readonly (keyof Part)[]): boolean {
  return keys.some((key) => before[key] !== after[key])
}

function minuteOf({ lastFailureAt }: Episode): number {
  return Math.floor(lastFailureAt / keptEveryMs)
}
