// deciding/actions/local-time.ts: between instants and what the clocks of a time zone show, written as if it were UTC. Clocks
// are put forward and back: a time that they skip is the instant of the jump, one that they show twice is the first.
const hourMs = 3_600_000

/** No jump is larger than this (a day, when a country crossed the date line), and none follows another sooner. */
export const largestJumpMs = 26 * hourMs

const fields = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

export class LocalTime {
  /** Null for UTC, the default, whose clocks nobody moves. */
  readonly #format: Intl.DateTimeFormat | null

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

  /** How far the clocks are ahead of UTC. */
  offsetMs(instantMs: number): number {
    if (this.#format === null) return 0
    const wholeSecondMs = Math.floor(instantMs / 1000) * 1000
    const shown = new Map(
      this.#format.formatToParts(wholeSecondMs).map(({ type, value }) => [type, Number(value)]),
    )
    const [year, month, day, hour, minute, second] = fields.map((field) => shown.get(field)!)
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - wholeSecondMs
  }

  localMs(instantMs: number): number {
    return instantMs + this.offsetMs(instantMs)
  }

  instantMs(localMs: number): number {
    const before = this.offsetMs(localMs - largestJumpMs)
    const after = this.offsetMs(localMs + largestJumpMs)
    // The larger offset is the earlier instant: the first of two, or, before a jump forward, one that is not shown.
    const candidates = [localMs - Math.max(before, after), localMs - Math.min(before, after)]
    const shown = candidates.find((instant) => this.localMs(instant) === localMs)
    return shown ?? this.#jumpBetween(candidates[0]!, candidates[1]!)
  }

  /** The first instant at which the clocks have jumped. */
  #jumpBetween(lowMs: number, highMs: number): number {
    const offsetAfter = this.offsetMs(highMs)
    while (highMs - lowMs > 1000) {
      const middleMs = Math.floor((lowMs + highMs) / 2000) * 1000
      if (this.offsetMs(middleMs) === offsetAfter) highMs = middleMs
      else lowMs = middleMs
    }
    return highMs
  }
}
