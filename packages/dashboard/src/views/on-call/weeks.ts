// views/on-call/weeks.ts: the shifts of a schedule as rows of weeks. Each piece of a week is one shift, or the part of it that
// is in the week, placed by what the clocks show: a hand-over at 09:00 stands at the same place of every day.
import type { v2 } from '@pulseward/contract'
import { daysLater, msOf, type ShownTime, stretchInWords, timeInWords, type WallClock } from './wall-clock.ts'

export const weeksShown = 8

export interface Piece {
  readonly shift: ShownShift
  /** Shares of the week, from 0 to 1. */
  readonly start: number
  readonly end: number
  /** Whether the shift began before this week, or goes on after it. */
  readonly isContinued: boolean
  readonly goesOn: boolean
}

export interface Week {
  readonly monday: ShownTime
  readonly days: readonly ShownTime[]
  /** In the order of time. What is after the last known shift is in none. */
  readonly pieces: readonly Piece[]
}

/** A shift as the clocks of its schedule show it. */
export interface ShownShift {
  /** Null: a gap. */
  readonly personRef: string | null
  readonly name: string | null
  readonly isOverride: boolean
  readonly fromMs: number
  readonly toMs: number
  readonly from: ShownTime
  readonly to: ShownTime
  /** It is at the edge of what was read: it may have begun before, or end later. */
  readonly isOpenBefore: boolean
  readonly isOpenAfter: boolean
}

export function shownShifts(list: v2.ShiftList, clock: WallClock): readonly ShownShift[] {
  return list.shifts.map(({ from, to, personRef, name, isOverride }) => ({
    personRef: personRef ?? null,
    name: name ?? personRef ?? null,
    isOverride,
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    from: clock.shownAt(Date.parse(from)),
    to: clock.shownAt(Date.parse(to)),
    isOpenBefore: from === list.from,
    isOpenAfter: to === list.to,
  }))
}

/** From when to when, without an end that is only that of what was read. */
export function shiftInWords({ from, to, isOpenBefore, isOpenAfter }: ShownShift): string {
  if (isOpenBefore && isOpenAfter) return 'for all of this time'
  if (isOpenBefore) return `until ${timeInWords(to)}`
  return isOpenAfter ? `from ${timeInWords(from)}` : stretchInWords(from, to)
}

/** What is left of it: no person takes over in the past. */
export function stretchLeft({ from, to }: ShownShift, now: ShownTime) {
  return { from: from < now && now < to ? now : from, to }
}

export function weeksOf(shifts: readonly ShownShift[], firstMonday: ShownTime): readonly Week[] {
  return Array.from({ length: weeksShown }, (_, index) => {
    const monday = daysLater(firstMonday, 7 * index)
    return {
      monday,
      days: Array.from({ length: 7 }, (_day, number) => daysLater(monday, number)),
      pieces: piecesIn(shifts, monday),
    }
  })
}

function piecesIn(shifts: readonly ShownShift[], monday: ShownTime): readonly Piece[] {
  const next = daysLater(monday, 7)
  const pieces: Piece[] = []
  for (const shift of shifts) {
    if (shift.to <= monday || shift.from >= next) continue
    // While clocks show an hour for the second time, a shift begins before the one before it ends: it stands after it.
    const start = Math.max(shareOf(monday, shift.from), pieces.at(-1)?.end ?? 0)
    const end = shareOf(monday, shift.to)
    if (end > start)
      pieces.push({ shift, start, end, isContinued: shift.from < monday, goesOn: shift.to > next })
  }
  return pieces
}

/** The place of a time in the week, from 0 to 1. */
export function shareOf(monday: ShownTime, shown: ShownTime): number {
  const share = (msOf(shown) - msOf(monday)) / (msOf(daysLater(monday, 7)) - msOf(monday))
  return Math.min(1, Math.max(0, share))
}
