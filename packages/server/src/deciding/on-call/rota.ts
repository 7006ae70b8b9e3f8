// deciding/on-call/rota.ts: who is on call by a schedule, at any moment and over a span of time. Schedules are written in
// wall-clock times, and read by a wall clock that never goes back: after clocks are put back it stands still until they
// have caught up. So each moment belongs to exactly one turn of a rotation, a hand-over at 09:00 is at 09:00 all year,
// and a time that the clocks skip is the moment of the jump.
import type { HoursDefinition, LayerDefinition, ScheduleDefinition } from '../../config/fleet-file/on-call.ts'
import { LocalTime } from '../../platform/local-time.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const minutesOfDay = 1_440
const minutesOfWeek = 7 * minutesOfDay

/** How far ahead the end of a shift is looked for: by then every weekly pattern and every long turn has changed. */
const furthestMs = 400 * dayMs
/** What runs beside checks looks at no more times at which a person may take over: some milliseconds. */
const mostChanges = 5_000

/** A span in which one person is on call, or a gap. */
export interface Shift {
  readonly person: string | null
  readonly fromMs: number
  readonly untilMs: number
}

/** A span that is also the same in whether an override says so. */
export interface CalendarShift extends Shift {
  readonly isOverride: boolean
}

/** Who is on call; until when, and who then. */
export interface Duty {
  readonly person: string | null
  /** Null if nothing changes within a year. */
  readonly untilMs: number | null
  readonly next: string | null
}

interface OnCall {
  readonly person: string | null
  readonly isOverride: boolean
}

export class Rota {
  readonly #schedule: ScheduleDefinition
  readonly #zone: LocalTime
  /** The minutes of a week, from Sunday, at which hours of layers begin or end; in order. */
  readonly #weeklyEdges: readonly number[]
  #duty: (Duty & { readonly fromMs: number }) | null = null

  constructor(schedule: ScheduleDefinition) {
    this.#schedule = schedule
    this.#zone = LocalTime.of(schedule.timezone)
    this.#weeklyEdges = weeklyEdges(schedule.layers)
  }

  personAt(instantMs: number): string | null {
    return onCallAt(this.#schedule, this.#zone.latestShownMs(instantMs)).person
  }

  /** Remembered until it changes. */
  dutyAt(instantMs: number): Duty {
    const known = this.#duty
    if (known !== null && known.fromMs <= instantMs && instantMs < (known.untilMs ?? known.fromMs + dayMs))
      return known
    const endMs = instantMs + furthestMs
    const shifts = merged(this.#spans(instantMs, endMs, mostChanges))
    const { person, untilMs } = shifts.next().value ?? { person: null, untilMs: endMs }
    const next = shifts.next().value
    this.#duty = { person, fromMs: instantMs, untilMs: next ? untilMs : null, next: next?.person ?? null }
    return this.#duty
  }

  /** From one moment to another, without gaps: each shift begins where the one before it ends. */
  shifts(fromMs: number, toMs: number): Shift[] {
    return [...merged(this.#spans(fromMs, toMs, Number.POSITIVE_INFINITY))]
  }

  /** The same, with overrides apart. It ends before `toMs` if there is too much of it. */
  calendar(fromMs: number, toMs: number, most: number): CalendarShift[] {
    return this.#spans(fromMs, toMs, mostChanges).take(most).toArray()
  }

  *#spans(fromMs: number, toMs: number, changes: number): Generator<CalendarShift> {
    let beganMs = fromMs
    let localMs = this.#zone.latestShownMs(fromMs)
    let onCall = onCallAt(this.#schedule, localMs)
    for (let left = changes; beganMs < toMs && left > 0; left--) {
      localMs = nextChange(this.#schedule, this.#weeklyEdges, localMs)
      const atMs = Number.isFinite(localMs) ? this.#zone.instantMs(localMs) : Number.POSITIVE_INFINITY
      const next = atMs < toMs ? onCallAt(this.#schedule, localMs) : nobody
      const isSame = next.person === onCall.person && next.isOverride === onCall.isOverride
      if (atMs < toMs && isSame && left > 1) continue
      const untilMs = Math.min(atMs, toMs)
      // Two changes within skipped time happen at once.
      if (untilMs > beganMs) yield { ...onCall, fromMs: beganMs, untilMs }
      beganMs = untilMs
      onCall = next
    }
  }
}

const nobody: OnCall = { person: null, isOverride: false }

/** Without regard to overrides. */
function* merged(spans: Iterable<CalendarShift>): Generator<Shift> {
  let open: { person: string | null; fromMs: number; untilMs: number } | undefined
  for (const { person, fromMs, untilMs } of spans) {
    if (open?.person === person) open.untilMs = untilMs
    else {
      if (open !== undefined) yield open
      open = { person, fromMs, untilMs }
    }
  }
  if (open !== undefined) yield open
}

function onCallAt({ layers, overrides }: ScheduleDefinition, localMs: number): OnCall {
  const override = overrides.find(({ fromMs, toMs }) => fromMs <= localMs && localMs < toMs)
  if (override !== undefined) return { person: override.person, isOverride: true }
  for (const layer of layers.toReversed()) {
    const person = personInLayer(layer, localMs)
    if (person !== null) return { person, isOverride: false }
  }
  return nobody
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
function nextChange(
  { layers, overrides }: ScheduleDefinition,
  edges: readonly number[],
  localMs: number,
): number {
  let next = Number.POSITIVE_INFINITY
  const consider = (at: number) => {
    if (at > localMs && at < next) next = at
  }
  for (const { fromMs, toMs } of overrides) {
    consider(fromMs)
    consider(toMs)
  }
  for (const { people, everyMs, startMs } of layers) {
    consider(startMs)
    const turn = Math.floor((localMs - startMs) / everyMs)
    if (people.length > 1 && turn >= 0) consider(startMs + (turn + 1) * everyMs)
  }
  if (edges.length > 0) {
    const day = Math.floor(localMs / dayMs)
    const weekMs = (day - weekdayOf(day)) * dayMs
    const minute = (localMs - weekMs) / minuteMs
    consider(weekMs + (edges.find((edge) => edge > minute) ?? edges[0]! + minutesOfWeek) * minuteMs)
  }
  return next
}

function weeklyEdges(layers: readonly LayerDefinition[]): number[] {
  const edges = layers.flatMap(({ hours }) =>
    (hours ?? []).flatMap(({ days, fromMinute, toMinute }) =>
      days.flatMap((day) => {
        const lastDay = fromMinute < toMinute ? day : day + 1
        return [day * minutesOfDay + fromMinute, (lastDay * minutesOfDay + toMinute) % minutesOfWeek]
      }),
    ),
  )
  return [...new Set(edges)].sort((one, other) => one - other)
}

/** Sunday is 0; the first day of 1970 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}
