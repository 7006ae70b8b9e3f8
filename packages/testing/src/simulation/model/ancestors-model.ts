// simulation/model/ancestors-model.ts: behaviour.md §6: which ancestors suppress a monitor, and whose check it waits for.
import { statusOf } from './monitor-state.ts'
import type { Step, Surroundings } from './step.ts'

/** How much later the service may notice something. */
const noticedMs = 1_100

const inTrouble: ReadonlySet<string> = new Set(['incident', 'verifying', 'down'])

/** The parents of a monitor, and all their ancestors. */
function ancestorsOf(id: string, around: Pick<Surroundings, 'plan'>): ReadonlySet<string> {
  const ancestors = new Set(around.plan.monitors.get(id)?.parents ?? [])
  for (const ancestor of ancestors)
    for (const parent of around.plan.monitors.get(ancestor)?.parents ?? []) ancestors.add(parent)
  return ancestors
}

/** The ancestors in trouble. */
export function suppressing({ id, around }: Pick<Step, 'id' | 'around'>): readonly string[] {
  return [...ancestorsOf(id, around)].filter((ancestor) => {
    const monitor = around.monitor(ancestor)
    return monitor !== undefined && inTrouble.has(statusOf(monitor))
  })
}

/**
 * A monitor waits for a parent that was not checked since the first failure, up to one interval of the parent. Counted
 * from the first failure at the earliest and from when the opening was due at the latest: behaviour.md leaves that open.
 */
export function waitsForParent(step: Step, dueSince: number): boolean {
  const { around } = step
  const { firstFailureAt, process, isMoved } = step.episode!
  const firstFailureMs = firstFailureAt - (around.now - around.nowMs)
  // What an earlier process saw of a parent is not known here.
  const isKnown = process === around.process && !isMoved
  let mayWait = false
  for (const id of ancestorsOf(step.id, around)) {
    const parent = around.monitor(id)
    // A job has no next check that could be waited for.
    if (parent === undefined || !parent.plan.enabled || parent.plan.job !== undefined) continue
    const intervalMs = parent.plan.intervalSeconds * 1000
    const isChecked = parent.lastCheckMs !== null && parent.lastCheckMs >= firstFailureMs
    if (isChecked || around.now > dueSince + intervalMs + noticedMs) continue
    mayWait = true
    const isParent = step.monitor.plan.parents.includes(id)
    const isStale = (parent.lastCheckMs ?? 0) < firstFailureMs - noticedMs
    // A snoozed parent is not checked, so nothing waits for it.
    const isAwaited = isParent && parent.snooze === null
    if (isKnown && isAwaited && isStale && around.nowMs < firstFailureMs + intervalMs - noticedMs) return true
  }
  return mayWait && !wasJudged(step)
}

function wasJudged({ id, monitor, episode, around }: Step): boolean {
  // Without a destination nothing shows that it was notified again.
  const isUnseen = monitor.plan.destinations.red.length === 0
  const isToldAgain = episode?.incident?.retell === true && (isUnseen || around.shows(id, { color: 'red' }))
  return (
    isToldAgain ||
    around.shows(id, { type: 'incident_opened' }) ||
    around.shows(id, { type: 'action_queued', kind: 'intervention' })
  )
}
