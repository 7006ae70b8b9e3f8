// views/on-call/schedule-clock.ts: the clock that a schedule is written on, and the eight weeks that the page shows of it.
import type { v2 } from '@pulseward/contract'
import type { ShiftRange } from '../../data/on-call.ts'
import { daysLater, mondayOf, type ShownTime, WallClock } from './wall-clock.ts'
import { weeksShown } from './weeks.ts'

const utc = WallClock.of('UTC')!

export interface ScheduleClock {
  readonly clock: WallClock
  /** False if this browser does not know the zone: times are shown in UTC then, and nothing can be written. */
  readonly isOwn: boolean
}

export function clockOf({ spec: { timezone = 'UTC' } }: v2.Schedule): ScheduleClock {
  const own = WallClock.of(timezone)
  return own === null ? { clock: utc, isOwn: false } : { clock: own, isOwn: true }
}

/** The Monday of this week, or of one so many weeks later. */
export function mondayShown(clock: WallClock, nowMs: number, weeksLater = 0): ShownTime {
  return daysLater(mondayOf(clock.shownAt(nowMs)), 7 * weeksLater)
}

export function rangeOf(schedule: v2.Schedule, monday: ShownTime): ShiftRange {
  const { clock } = clockOf(schedule)
  const [from, to] = [monday, daysLater(monday, 7 * weeksShown)].map((shown) =>
    new Date(clock.instantOf(shown)).toISOString(),
  )
  return { scheduleId: schedule.metadata.id, from: from!, to: to! }
}
