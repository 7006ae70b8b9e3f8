// bench/work-done.ts: whether the measured checks were done at all, succeeded, and reached the targets. A
// refused check costs less than a successful one, so figures with failures would look too good.

/** Totals since the start of the service, from its own metrics. */
export interface CheckCounts {
  readonly finished: number
  readonly succeeded: number
}

/** Connections that the targets accepted since they started, from their own counters. */
export interface SeenByTargets {
  readonly live: number
  readonly dead: number
}

export interface ChecksDone {
  readonly scheduled: number
  readonly scheduledPerSecond: number
  readonly finished: number
  readonly succeeded: number
  /** Service and targets cannot be read at the same moment, so the true count of live targets is between these. */
  readonly seenAtLeast: number
  readonly seenAtMost: number
}

/** Share of the scheduled checks; a row that is late at the end of a measurement is not missing. */
const leastDoneShare = 0.97
/** Share of the finished checks of live targets. */
const leastSuccessShare = 0.99
/**
 * One side knows of a check before the other does: a check in flight was already accepted, and one that
 * connected may still be in the backlog of its target. On a busy machine that is a second of checks.
 */
const agreementTolerance = { seconds: 1, share: 0.01 }

export async function readCheckCounts(url: string): Promise<CheckCounts> {
  const answer = await fetch(`${url}/metrics`)
  if (!answer.ok) throw new Error(`The metrics of the service answered ${answer.status}.`)
  return checkCountsIn(await answer.text())
}

export function checkCountsIn(metrics: string): CheckCounts {
  let [finished, succeeded] = [0, 0]
  for (const [, labels, count] of metrics.matchAll(/^pulseward_checks_total\{([^}]*)\} (\S+)$/gm)) {
    finished += Number(count)
    if (labels!.includes('outcome="success"')) succeeded += Number(count)
  }
  return { finished, succeeded }
}

/** Sentences about undone work; none if the figures measure what they claim. */
export function undoneChecks(done: ChecksDone, deadPercent = 0): string[] {
  const { scheduled, finished, succeeded, seenAtLeast, seenAtMost } = done
  const leastSucceeded = finished * (1 - deadPercent / 100) * leastSuccessShare
  const undone: string[] = []
  if (!(finished >= scheduled * leastDoneShare) || finished === 0)
    undone.push(`${amount(finished)} of ${amount(scheduled)} scheduled checks were done.`)
  if (!(succeeded >= leastSucceeded))
    undone.push(
      `${amount(succeeded)} of ${amount(finished)} checks succeeded; at least ${amount(leastSucceeded)} should have.`,
    )
  const tolerance =
    done.scheduledPerSecond * agreementTolerance.seconds + succeeded * agreementTolerance.share
  if (seenAtMost < succeeded - tolerance || seenAtLeast > succeeded + tolerance)
    undone.push(
      `The service says that ${amount(succeeded)} checks succeeded, but its targets saw between ${amount(seenAtLeast)} and ${amount(seenAtMost)}.`,
    )
  return undone
}

function amount(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}
