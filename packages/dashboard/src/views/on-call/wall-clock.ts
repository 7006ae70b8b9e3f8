// views/on-call/wall-clock.ts: what the clocks of a time zone show, as schedules are written: 2026-03-02T09:00. Shown times
// are text that sorts by time; days and weeks are counted on it, whatever the clocks do in between.
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

export type ShownTime = string

export class WallClock {
  readonly zone: string
  readonly #format: Intl.DateTimeFormat

  private constructor(zone: string, format: Intl.DateTimeFormat) {
    this.zone = zone
    this.#format = format
  }

  /** Null for a zone that this browser does not know. */
  static of(zone: string): WallClock | null {
    try {
      return new WallClock(zone, new Intl.DateTimeFormat('sv-SE', { ...shownParts, timeZone: zone }))
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }

  shownAt(instantMs: number): ShownTime {
    const parts = new Map(this.#format.formatToParts(instantMs).map(({ type, value }) => [type, value]))
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}T${parts.get('hour')}:${parts.get('minute')}`
  }

  /** The first moment at which the clocks show it; of a time that they skip, as much later as they skip. */
  instantOf(shown: ShownTime): number {
    const shownMs = msOf(shown)
    const [before, after] = [shownMs - dayMs, shownMs + dayMs].map(
      (nearMs) => shownMs - this.#offsetAt(nearMs),
    )
    const found = [before!, after!].sort((one, other) => one - other).find((ms) => this.shownAt(ms) === shown)
    return found ?? before!
  }

  /** How far the clocks are ahead of UTC. */
  #offsetAt(instantMs: number): number {
    return msOf(this.shownAt(instantMs)) - Math.floor(instantMs / minuteMs) * minuteMs
  }
}

const shownParts = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

/** For distances between shown times; no moment. */
export function msOf(shown: ShownTime): number {
  return Date.parse(`${shown}Z`)
}

export function daysLater(shown: ShownTime, days: number): ShownTime {
  return shownOf(msOf(shown) + days * dayMs)
}

export function hoursLater(shown: ShownTime, hours: number): ShownTime {
  return shownOf(msOf(shown) + hours * hourMs)
}

/** The beginning of the Monday of its week. */
export function mondayOf(shown: ShownTime): ShownTime {
  const midnight = `${shown.slice(0, 10)}T00:00`
  const daysSinceMonday = (new Date(msOf(midnight)).getUTCDay() + 6) % 7
  return daysLater(midnight, -daysSinceMonday)
}

function shownOf(ms: number): ShownTime {
  return new Date(ms).toISOString().slice(0, 16)
}

const format = (parts: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' })
const day = format({ day: 'numeric', month: 'short' })
const weekday = format({ weekday: 'short', day: 'numeric', month: 'short' })

/** 12 Mar. */
export function dayInWords(shown: ShownTime): string {
  return day.format(msOf(shown))
}

/** Mon 12 Mar, 09:00. */
export function timeInWords(shown: ShownTime): string {
  return `${weekday.format(msOf(shown)).replace(',', '')}, ${shown.slice(11)}`
}

/** Mon 12 Mar, 09:00 – Tue 13 Mar, 09:00; within a day Mon 12 Mar, 09:00–17:00. */
export function stretchInWords(from: ShownTime, to: ShownTime): string {
  if (from.slice(0, 10) === to.slice(0, 10)) return `${timeInWords(from)}–${to.slice(11)}`
  return `${timeInWords(from)} – ${timeInWords(to)}`
}
