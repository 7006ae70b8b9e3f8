// simulation/model/untold-model.ts: behaviour.md §4, "Nothing goes untold": the incidents that a destination
// should have been notified of by a red and was not. A green or a digest reports them. If behaviour.md makes
// an exception or leaves it open, an entry is not certain: it may be reported but need not be.
import type { Instant, ModelAction, ModelMonitor, ModelUntold } from './monitor-state.ts'
import type { Step } from './step.ts'

/** Every destination of red should be notified of an incident that opens. */
export function oweReds(step: Step): void {
  const { monitor, around } = step
  const { firstFailureAt, incident } = step.episode!
  const owed = monitor.plan.destinations.red.filter((endpoint) => around.plan.endpoints.has(endpoint))
  const entries = owed.map((endpoint) => ({
    incident: incident!.number,
    endpoint,
    from: firstFailureAt,
    to: null,
    since: null,
    triedUntil: around.now,
    isCertain: !around.isDead(endpoint) && monitor.maintenance === null,
    isHushed: false,
  }))
  // What was not reported before a snooze is reported by the new red.
  const others = monitor.untold.filter((one) => one.incident !== incident!.number)
  monitor.untold = [...others, ...entries]
}

/** An incident closes. Dismissed incidents are not reported. */
export function closeUntold({ monitor, around }: Step, incident: number, isCertain: boolean): void {
  const told = monitor.untold.filter((entry) => entry.incident !== incident || !entry.isHushed)
  monitor.untold = told.map((entry) =>
    entry.incident === incident
      ? {
          ...entry,
          to: around.now,
          since: entry.since ?? around.now,
          isCertain: entry.isCertain && isCertain && monitor.maintenance === null,
        }
      : entry,
  )
}

type Red = Pick<ModelAction, 'incident' | 'endpoint'> & Partial<Pick<ModelAction, 'followUp'>>

/** If another red is to follow, which a dismissal may cancel, the incident may still count as untold. */
export function redArrived({ monitor }: Step, { incident, endpoint, followUp }: Red): void {
  const isSame = (one: Red) => one.incident === incident && one.endpoint === endpoint
  const isFollowed =
    followUp?.incident === incident ||
    monitor.actions.some((one) => one.color === 'red' && (isSame(one) || one.followUp?.incident === incident))
  monitor.untold = isFollowed
    ? monitor.untold.map((one) => (isSame(one) ? { ...one, isCertain: false } : one))
    : monitor.untold.filter((one) => !isSame(one))
}

export function redRejected({ monitor }: Step, { incident, endpoint }: Red, at: Instant): void {
  monitor.untold = monitor.untold.map((one) =>
    one.incident === incident && one.endpoint === endpoint && !one.isHushed
      ? { ...one, since: one.since ?? at }
      : one,
  )
}

/** The incident is dismissed, so it is not reported. */
export function hushUntold({ monitor }: Step, incident: number): void {
  monitor.untold = monitor.untold.map((one) =>
    one.incident === incident ? { ...one, since: null, isHushed: true } : one,
  )
}

/** What the dismissal cancelled counts as untold; whether a red without an answer arrived is not known. */
export function reopenUntold({ monitor, around }: Step, incident: number): void {
  const mayArrive = ({ endpoint }: ModelUntold) =>
    [...monitor.actions, ...monitor.unknown].some(
      (one) => one.color === 'red' && one.endpoint === endpoint && one.incident === incident,
    )
  monitor.untold = monitor.untold.map((one) => {
    if (one.incident !== incident) return one
    const reopened = { ...one, isHushed: false, triedUntil: around.now }
    return mayArrive(one) ? { ...reopened, isCertain: false } : { ...reopened, since: around.now }
  })
}

/** A red or a green has ended without reporting anything. */
export function triedInVain({ monitor }: Step, { endpoint }: ModelAction, at: Instant): void {
  monitor.untold = monitor.untold.map((one) => (one.endpoint === endpoint ? { ...one, triedUntil: at } : one))
}

/** A green reports the incidents that had ended when it started. */
export function greenArrived({ monitor }: Step, { endpoint, startedAt }: ModelAction): void {
  const isCarried = (one: ModelUntold) =>
    one.endpoint === endpoint && one.to !== null && one.to <= (startedAt ?? 0)
  monitor.untold = monitor.untold.filter((one) => !isCarried(one))
}

/** A control, a window or a change of the fleet intervened. */
export function doubtUntold(monitor: ModelMonitor, endpoint: string | null): readonly ModelUntold[] {
  if (monitor.untold.length === 0) return monitor.untold
  return monitor.untold.map((one) =>
    endpoint === null || one.endpoint === endpoint ? { ...one, isCertain: false } : one,
  )
}

/**
 * A digest that started at this time has ended: it was delivered or dropped. It did not contain what a green
 * is about to report.
 */
export function digested(
  monitor: ModelMonitor,
  endpoint: string,
  startedAt: Instant,
): readonly ModelUntold[] {
  const isCarried = monitor.actions.some((one) => one.color === 'green' && one.endpoint === endpoint)
  const isIn = (one: ModelUntold) => one.endpoint === endpoint && one.since !== null && one.since < startedAt
  return isCarried ? monitor.untold : monitor.untold.filter((one) => !isIn(one))
}

export function movedUntold(untold: readonly ModelUntold[], stepMs: number): readonly ModelUntold[] {
  return untold.map((one) => ({
    ...one,
    from: one.from + stepMs,
    to: one.to === null ? null : one.to + stepMs,
    since: one.since === null ? null : one.since + stepMs,
    triedUntil: one.triedUntil + stepMs,
  }))
}

/** An instant of a clock that was ahead is moved back to the start of the process. */
export function notAhead(one: ModelUntold, now: Instant): ModelUntold {
  const back = (instant: Instant | null) => (instant === null ? null : Math.min(instant, now))
  return { ...one, from: Math.min(one.from, now), to: back(one.to), since: back(one.since) }
}
