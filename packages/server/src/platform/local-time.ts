// platform/local-time.ts: converts between instants and the local time of a time zone, written as if it were UTC. A local
// time that the clocks skip maps to the instant of the jump; one that they show twice maps to the first of the two. The
// runtime's calendar is slow, so each day of a zone is looked up once: its offset, or its jump.
import { forgetOldest } from './forget-oldest.ts'

const dayMs = 86_400_000

/** No jump is larger than this (a day, when a country crossed the date line), and two jumps are never closer together. */
const largestJumpMs = 26 * 3_600_000

const fields = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

/** The offsets of one UTC day, which has at most one jump. */
interface Day {
  readonly beforeMs: number
  readonly afterMs: number
  /** Infinity if there is no jump. */
  readonly jumpAtMs: number
}

/** The clocks of a zone are put forward or back. */
export interface ClockChange {
  readonly atMs: number
  /** What they would have shown, and what they show, at that moment. */
  readonly fromLocalMs: number
  readonly toLocalMs: number
}

const withoutOffset: Day = { beforeMs: 0, afterMs: 0, jumpAtMs: Number.POSITIVE_INFINITY }

/** Eleven years of days per zone, a few hundred kilobytes. */
const mostDays = 4_096
const mostZones = 64
const zones = new Map<string, LocalTime>()

export class LocalTime {
  /** Null for UTC, the default, which has no jumps. */
  readonly #format: Intl.DateTimeFormat | null
  readonly #days = new Map<number, Day>()

  /** Returns a shared instance per zone. */
  static of(timezone: string): LocalTime {
    const known = zones.get(timezone)
    if (known !== undefined) return known
    if (zones.size >= mostZones) forgetOldest(zones)
    const made = new LocalTime(timezone)
    zones.set(timezone, made)
    return made
  }

  constructor(timezone: string) {
    if (timezone === 'UTC') this.#format = null
    else
      this.#format = new Intl.DateTimeFormat('en-US', {
        timeZone: timezone,
        calendar: 'iso8601',
        numberingSystem: 'latn',
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      })
  }

  /** How far local time is ahead of UTC. */
  offsetMs(instantMs: number): number {
    const { beforeMs, afterMs, jumpAtMs } = this.#dayOf(Math.floor(instantMs / dayMs))
    return instantMs < jumpAtMs ? beforeMs : afterMs
  }

  localMs(instantMs: number): number {
    return instantMs + this.offsetMs(instantMs)
  }

  /** The latest local time shown up to an instant. After clocks are put back, they show earlier times again. */
  latestShownMs(instantMs: number): number {
    let latest = this.localMs(instantMs)
    for (let day = Math.floor((instantMs - largestJumpMs) / dayMs); day * dayMs <= instantMs; day++) {
      const { beforeMs, afterMs, jumpAtMs } = this.#dayOf(day)
      if (afterMs < beforeMs && jumpAtMs <= instantMs) latest = Math.max(latest, jumpAtMs + beforeMs - 1)
    }
    return latest
  }

  instantMs(localMs: number): number {
    const before = this.offsetMs(localMs - largestJumpMs)
    const after = this.offsetMs(localMs + largestJumpMs)
    // The larger offset gives the earlier instant: the first of two, or, before a jump forward, one that is not shown.
    const candidates = [localMs - Math.max(before, after), localMs - Math.min(before, after)]
    const shown = candidates.find((instant) => this.localMs(instant) === localMs)
    return shown ?? jumpBetween(candidates[0]!, candidates[1]!, (instant) => this.offsetMs(instant))
  }

  /** The first change from one instant to another, both included; null if there is none. */
  clockChangeBetween(firstMs: number, lastMs: number): ClockChange | null {
    // A change at midnight belongs to the day before.
    for (let day = Math.ceil(firstMs / dayMs) - 1; day * dayMs < lastMs; day++) {
      const { beforeMs, afterMs, jumpAtMs: atMs } = this.#dayOf(day)
      if (firstMs <= atMs && atMs <= lastMs)
        return { atMs, fromLocalMs: atMs + beforeMs, toLocalMs: atMs + afterMs }
    }
    return null
  }

  #dayOf(number: number): Day {
    if (this.#format === null) return withoutOffset
    const known = this.#days.get(number)
    if (known !== undefined) return known
    if (this.#days.size >= mostDays) forgetOldest(this.#days)
    const day = dayWith(number, this.#format)
    this.#days.set(number, day)
    return day
  }
}

function dayWith(number: number, format: Intl.DateTimeFormat): Day {
  const offsetAt = (instantMs: number) => offsetBy(format, instantMs)
  const [startMs, endMs] = [number * dayMs, (number + 1) * dayMs]
  const [beforeMs, afterMs] = [offsetAt(startMs), offsetAt(endMs)]
  const jumpAtMs = beforeMs === afterMs ? Number.POSITIVE_INFINITY : jumpBetween(startMs, endMs, offsetAt)
  return { beforeMs, afterMs, jumpAtMs }
}

/** Rounded down to the second: clocks jump at whole seconds. */
function offsetBy(format: Intl.DateTimeFormat, instantMs: number): number {
  const wholeSecondMs = Math.floor(instantMs / 1000) * 1000
  const shown = new Map(format.formatToParts(wholeSecondMs).map(({ type, value }) => [type, Number(value)]))
  const [year, month, day, hour, minute, second] = fields.map((field) => shown.get(field)!)
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - wholeSecondMs
}

/** The first instant after the jump. */
function jumpBetween(lowMs: number, highMs: number, offsetAt: (instantMs: number) => number): number {
  const offsetAfter = offsetAt(highMs)
  while (highMs - lowMs > 1000) {
    const middleMs = Math.floor((lowMs + highMs) / 2000) * 1000
    if (offsetAt(middleMs) === offsetAfter) highMs = middleMs
    else lowMs = middleMs
  }
  return highMs
}
