// views/on-call/dragged-stretch.ts: the time that is dragged over in the rows of a calendar, in whole hours.
import { hoursLater, type ShownTime } from './wall-clock.ts'
import type { Week } from './weeks.ts'

export interface Stretch {
  readonly from: ShownTime
  readonly to: ShownTime
}

/** A row of the calendar, and the share of its width, from 0 to 1. */
export interface PlaceInWeeks {
  readonly row: number
  readonly share: number
}

const hoursOfWeek = 7 * 24

/** The hours of both places and all between them, whichever was first. */
export function stretchBetween(weeks: readonly Week[], one: PlaceInWeeks, other: PlaceInWeeks): Stretch {
  const [first, last] = [hourAt(weeks, one), hourAt(weeks, other)].sort()
  return { from: first!, to: hoursLater(last!, 1) }
}

function hourAt(weeks: readonly Week[], { row, share }: PlaceInWeeks): ShownTime {
  const hour = Math.min(hoursOfWeek - 1, Math.max(0, Math.floor(share * hoursOfWeek)))
  return hoursLater(weeks[Math.min(weeks.length - 1, Math.max(0, row))]!.monday, hour)
}
