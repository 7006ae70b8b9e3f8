// deciding/on-call/rota.ts: who is on call by a schedule, at any moment and over a span of time. Schedules are written in
// wall-clock times, and read by a wall clock that never goes back: after clocks are put back it stands still until they
// have caught up. So each moment belongs to exactly one turn of a rotation, a hand-over at 09:00 is at 09:00 all year,
// and a time that the clocks skip is the moment of the jump.
import type { HoursDefinition, LayerDefinition, ScheduleDefinition } from '../../config/fleet-file/on-call.ts'
import { LocalTime } from '../../platform/local-time.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** How far ahead the end of a shift is looked for: by then every weekly pattern and every long turn has changed. */
const furthestMs = 400 * dayMs

/** A span in which the same person, or nobody, is on call. */
export interface Shift {
  readonly person: string | null
  readonly fromMs: number
  readonly untilMs: number
}

export class Rota {
  readonly #schedule: ScheduleDefinition
  readonly #zone: LocalTime

  constructor(schedule: ScheduleDefinition) {
    this.#schedule = schedule
    this.#zone = LocalTime.of(schedule.timezone)
  }

  personAt(instantMs: number): string | null {
    return personAt(this.#schedule, this.#zone.latestShownMs(instantMs))
  }

  /** When somebody else, or nobody, takes over; null if that is more than a year away. */
  untilMs(instantMs: number): number | null {
    const [shift] = this.#shifts(instantMs, instantMs + furthestMs)
    return shift === undefined || shift.untilMs >= instantMs + furthestMs ? null : shift.untilMs
  }

  /** From one moment to another, without gaps: each shift begins where the one before it ends. */
  shifts(fromMs: number, toMs: number): Shift[] {
    return [...this.#shifts(fromMs, toMs)]
  }

  *#shifts(fromMs: number, toMs: number): Generator<Shift> {
    let beganMs = fromMs
    let localMs = this.#zone.latestShownMs(fromMs)
    let person = personAt(this.#schedule, localMs)
    while (beganMs < toMs) {
      localMs = nextChange(this.#schedule, localMs)
      const atMs = Number.isFinite(localMs) ? this.#zone.instantMs(localMs) : Number.POSITIVE_INFINITY
      const next = atMs < toMs ? personAt(this.#schedule, localMs) : null
      if (atMs < toMs && next === person) continue
      const untilMs = Math.min(atMs, toMs)
      // Two changes within skipped time happen at once.
      if (untilMs > beganMs) yield { person, fromMs: beganMs, untilMs }
      beganMs = untilMs
      person = next
    }
  }
}

function personAt({ layers, overrides }: ScheduleDefinition, localMs: number): string | null {
  const override = overrides.find(({ fromMs, toMs }) => fromMs <= localMs && localMs < toMs)
  if (override !== undefined) return override.person
  for (const layer of layers.toReversed()) {
    const person = personInLayer(layer, localMs)
    if (person !== null) return person
  }
  return null
}

function personInLayer({ people, everyMs, startMs, hours }: LayerDefinition, localMs: number): string | null {
  if (localMs < startMs) return null
  if (hours !== null && !hours.some((one) => isWithin(one, localMs))) return null
  return people[Math.floor((localMs - startMs) / everyMs) % people.length]!
}

/** Whether a wall-clock time is within these hours. */
export function isWithin({ days, fromMinute, toMinute }: HoursDefinition, localMs: number): boolean {
  const day = Math.floor(localMs / dayMs)
  const minute = (localMs - day * dayMs) / minuteMs
  if (fromMinute < toMinute) return days.includes(weekdayOf(day)) && fromMinute <= minute && minute < toMinute
  const isFirstPart = days.includes(weekdayOf(day)) && fromMinute <= minute
  return isFirstPart || (days.includes(weekdayOf(day - 1)) && minute < toMinute)
}

/** The next wall-clock time at which the answer may be another; infinite if there is none. */
function nextChange({ layers, overrides }: ScheduleDefinition, localMs: number): number {
  let next = Number.POSITIVE_INFINITY
  const consider = (at: number) => {
    if (at > localMs && at < next) next = at
  }
  for (const { fromMs, toMs } of overrides) {
    consider(fromMs)
    consider(toMs)
  }
  for (const { people, everyMs, startMs, hours } of layers) {
    consider(startMs)
    const turn = Math.floor((localMs - startMs) / everyMs)
    if (people.length > 1 && turn >= 0) consider(startMs + (turn + 1) * everyMs)
    for (const one of hours ?? []) considerHours(one, localMs, consider)
  }
  return next
}

function considerHours(
  { days, fromMinute, toMinute }: HoursDefinition,
  localMs: number,
  consider: (at: number) => void,
): void {
  const today = Math.floor(localMs / dayMs)
  // Hours that began yesterday may end today, and the same weekday comes again after seven days.
  for (let day = today - 1; day <= today + 7; day++) {
    if (!days.includes(weekdayOf(day))) continue
    const endsOn = fromMinute < toMinute ? day : day + 1
    consider(day * dayMs + fromMinute * minuteMs)
    consider(endsOn * dayMs + toMinute * minuteMs)
  }
}

/** Sunday is 0; the first day of 1970 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}
