// simulation/pushes/push-jobs.ts: which monitors of a fleet report by themselves, and when they are expected. A changed check
// is a job that is expected at other times.
import type { ModelTiming } from '../../push-simulation/push-model.ts'
import { type FleetPlan, numberOf, type PlannedJob, type PlannedMonitor } from '../fleet-plan.ts'

/** Every third monitor reports by itself. Unchanged monitors stay the same objects. */
export function withPushJobs(plan: FleetPlan): FleetPlan {
  const monitors = Array.from(
    plan.monitors,
    ([id, one]) => [id, numberOf(id) % 3 === 1 ? asJob(one) : one] as const,
  )
  return { ...plan, monitors: new Map(monitors) }
}

function asJob(monitor: PlannedMonitor): PlannedMonitor {
  const job = jobOf(monitor)
  return JSON.stringify(job) === JSON.stringify(monitor.job) ? monitor : { ...monitor, job }
}

function jobOf({ id, checkVersion }: PlannedMonitor): PlannedJob {
  const isOfCron = numberOf(id) % 2 === 0
  return {
    everySeconds: isOfCron ? null : 60 + 10 * (checkVersion % 7),
    graceSeconds: 10 + 5 * (checkVersion % 3),
    earlySeconds: isOfCron ? 15 : 0,
    maxRuntimeSeconds: numberOf(id) % 4 === 1 ? null : 90,
  }
}

const secondMs = 1_000

export function timingOf({
  everySeconds,
  graceSeconds,
  earlySeconds,
  maxRuntimeSeconds,
}: PlannedJob): ModelTiming {
  return {
    everyMs: everySeconds === null ? null : everySeconds * secondMs,
    graceMs: graceSeconds * secondMs,
    earlyMs: earlySeconds * secondMs,
    ...(maxRuntimeSeconds === null ? {} : { maxRuntimeMs: maxRuntimeSeconds * secondMs }),
  }
}
