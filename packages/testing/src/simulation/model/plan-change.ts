// simulation/model/plan-change.ts: behaviour.md §7 for a changed monitor: disabled or enabled, removed or
// added again, with another check or another recovery.
import type { PlannedMonitor } from '../fleet-plan.ts'
import { hasOtherRecovery, onChangedCheck, onChangedRecovery, onOff } from './health-model.ts'
import { cancelUnwanted } from './ledger-model.ts'
import { freshMonitor } from './monitor-state.ts'
import type { Step } from './step.ts'

/** next: undefined if the monitor is no longer in the fleet. */
export function changePlan(step: Step, next: PlannedMonitor | undefined): void {
  const { monitor } = step
  const before = monitor.plan
  monitor.plannedAt = step.around.now
  if (next === undefined) {
    onOff(step, 'removed')
    monitor.isRemoved = true
    monitor.snooze = null
    monitor.plan = { ...before, enabled: false }
    return
  }
  if (monitor.isRemoved) comeBack(step, next)
  monitor.plan = next
  if (!next.enabled) {
    if (before.enabled) onOff(step, 'disabled')
    if (hasOtherRecovery(before, next)) onChangedRecovery(step)
    return
  }
  cancelUnwanted(step)
  if (before.checkVersion !== next.checkVersion) onChangedCheck(step)
  if (hasOtherRecovery(before, next)) onChangedRecovery(step)
}

/**
 * The monitor starts anew, without a hold, but keeps its identity: so its cooldowns and what was started for
 * it stay. A control that was decided for the previous one does not apply.
 */
function comeBack({ monitor }: Step, next: PlannedMonitor): void {
  const { actions, arrivals, unknown } = monitor
  const controlRevision = monitor.controlRevision + 1
  Object.assign(monitor, { ...freshMonitor(next), actions, arrivals, unknown, controlRevision })
}
