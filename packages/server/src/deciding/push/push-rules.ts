// deciding/push/push-rules.ts: when a job that reports by itself is expected, derived once from what its
// monitor says. A due is when a signal is expected; the window of a due reaches from as long before it as a
// signal may count for it to the end of its grace.
import { earlyMsOf, type PushConfig } from '../../config/push-check.ts'
import { parseDuration } from '../../platform/duration.ts'
import { LocalTime } from '../../platform/local-time.ts'
import { CronInstants } from '../cron-instants.ts'
import type { Instant } from '../health/health.ts'

export type Timing =
  | { readonly kind: 'every'; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly instants: CronInstants; readonly earlyMs: number }

export interface PushRules {
  readonly timing: Timing
  readonly graceMs: number
  readonly maxRuntimeMs: number | null
  readonly firstWithinMs: number | null
  /** The zone in which people read its times. */
  readonly timezone: string
}

const minuteMs = 60_000
const graceOfCronMs = 5 * minuteMs

export function pushRules(config: PushConfig): PushRules {
  const { cron, every = '', timezone = 'UTC', grace = '', max_runtime = '', first_within = '' } = config
  const everyMs = parseDuration(every) ?? minuteMs
  const usualGraceMs = cron === undefined ? Math.max(minuteMs, everyMs / 10) : graceOfCronMs
  return {
    timing:
      cron === undefined
        ? { kind: 'every', everyMs }
        : { kind: 'cron', instants: new CronInstants(cron, timezone), earlyMs: earlyMsOf(config) },
    graceMs: parseDuration(grace) ?? usualGraceMs,
    maxRuntimeMs: parseDuration(max_runtime),
    firstWithinMs: parseDuration(first_within),
    timezone,
  }
}

/** When the next signal is expected after one that came now; null for an expression that never matches again. */
export function dueAfterSignal({ timing }: PushRules, now: Instant): Instant | null {
  return timing.kind === 'every' ? now + timing.everyMs : timing.instants.after(now + timing.earlyMs)
}

/** The first due after dueAt whose grace is not over yet: windows that passed together count once. */
export function dueStillOpen(rules: PushRules, dueAt: Instant, now: Instant): Instant | null {
  const { timing, graceMs } = rules
  if (timing.kind === 'every') {
    const windows = Math.floor((now - graceMs - dueAt) / timing.everyMs) + 1
    return dueAt + Math.max(1, windows) * timing.everyMs
  }
  return timing.instants.after(Math.max(dueAt, now - graceMs))
}

/** Since when a signal counted for this due. */
export function windowBegan({ timing, graceMs }: PushRules, dueAt: Instant): Instant {
  return dueAt - Math.max(graceMs, timing.kind === 'cron' ? timing.earlyMs : 0)
}

/** An instant as people of that zone write it: with its day if that is another than the one of now. */
export function clockTime({ timezone }: PushRules, at: Instant, now: Instant): string {
  const local = LocalTime.of(timezone)
  const text = new Date(local.localMs(at)).toISOString()
  const isToday = text.slice(0, 10) === new Date(local.localMs(now)).toISOString().slice(0, 10)
  const time = isToday ? text.slice(11, 16) : `${text.slice(0, 10)} ${text.slice(11, 16)}`
  return timezone === 'UTC' ? `${time} UTC` : `${time} (${timezone})`
}
