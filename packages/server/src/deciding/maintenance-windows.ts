// deciding/maintenance-windows.ts: when a monitor is in maintenance, by wall-clock time that is passed in. A window
// begins when the clocks of its time zone show its start: once if they show it twice, at the jump if they skip it. Its
// duration is elapsed time. Windows that touch or overlap count as one.
import { Cron } from 'croner'
import type { MaintenanceDefinition } from '../config/fleet-file/definition.ts'

const hourMs = 3_600_000

/** No jump is larger than this (a day, when a country crossed the date line), and none follows another sooner. */
const largestJumpMs = 26 * hourMs

const fields = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

export type WindowState =
  /** At the earliest: windows that follow each other without end are followed only so far. */
  | { readonly active: true; readonly untilMs: number }
  | { readonly active: false; readonly nextAtMs: number | null }

export interface OpenWindow {
  readonly fromMs: number
  readonly untilMs: number
}

/** How many adjoining windows are followed to find the end. */
const followedAtMost = 100

interface Window {
  readonly durationMs: number
  /** The end of the window that is open at the instant; null when none is. */
  endAt(wallMs: number): number | null
  /** The next beginning after the instant. */
  nextAfter(wallMs: number): number | null
}

export class MaintenanceWindows {
  readonly #windows: readonly Window[]

  constructor(definitions: readonly MaintenanceDefinition[]) {
    this.#windows = definitions.map((definition) =>
      definition.kind === 'once'
        ? new SingleWindow(definition.startMs, definition.endMs)
        : new RecurringWindow(definition.cron, definition.durationMs, definition.timezone),
    )
  }

  at(wallMs: number): WindowState {
    let untilMs = this.#endAt(wallMs)
    if (untilMs === null) return { active: false, nextAtMs: this.#nextAfter(wallMs) }
    for (let followed = 0; followed < followedAtMost; followed++) {
      const later = this.#endAt(untilMs)
      if (later === null) break
      untilMs = later
    }
    return { active: true, untilMs }
  }

  /**
   * When a window is open between two instants, the earliest first; the first may have begun before. Null when a
   * definition has more than so many windows in that time: each costs a search in the calendar.
   */
  between(fromMs: number, toMs: number, most: number): readonly OpenWindow[] | null {
    const found: OpenWindow[] = []
    for (const window of this.#windows) {
      const end = window.endAt(fromMs)
      if (end !== null) found.push({ fromMs, untilMs: end })
      let begin = window.nextAfter(fromMs)
      for (let count = 0; begin !== null && begin < toMs; count++) {
        if (count === most) return null
        found.push({ fromMs: begin, untilMs: begin + window.durationMs })
        begin = window.nextAfter(begin)
      }
    }
    return joined(found)
  }

  #endAt(wallMs: number): number | null {
    return this.#windows.reduce<number | null>((latest, window) => {
      const end = window.endAt(wallMs)
      return end !== null && (latest === null || end > latest) ? end : latest
    }, null)
  }

  #nextAfter(wallMs: number): number | null {
    return this.#windows.reduce<number | null>((earliest, window) => {
      const next = window.nextAfter(wallMs)
      return next !== null && (earliest === null || next < earliest) ? next : earliest
    }, null)
  }
}

/** Windows that touch or overlap are one. */
function joined(windows: readonly OpenWindow[]): readonly OpenWindow[] {
  const apart: OpenWindow[] = []
  for (const window of windows.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = apart.at(-1)
    if (last === undefined || window.fromMs > last.untilMs) apart.push(window)
    else
      apart[apart.length - 1] = {
        fromMs: last.fromMs,
        untilMs: Math.max(last.untilMs, window.untilMs),
      }
  }
  return apart
}

export function windowAt(definitions: readonly MaintenanceDefinition[], wallMs: number): WindowState {
  return new MaintenanceWindows(definitions).at(wallMs)
}

class SingleWindow implements Window {
  readonly durationMs: number
  readonly #startMs: number
  readonly #endMs: number

  constructor(startMs: number, endMs: number) {
    this.#startMs = startMs
    this.#endMs = endMs
    this.durationMs = endMs - startMs
  }

  endAt(wallMs: number): number | null {
    return this.#startMs <= wallMs && wallMs < this.#endMs ? this.#endMs : null
  }

  nextAfter(wallMs: number): number | null {
    return wallMs < this.#startMs ? this.#startMs : null
  }
}

// The expression is matched against what the clocks show, as if that were UTC. Jumps of the clocks are then treated the
// same way for every expression, which the library does not do.
class RecurringWindow implements Window {
  readonly durationMs: number
  readonly #cron: Cron
  readonly #local: LocalTime

  constructor(expression: string, durationMs: number, timezone: string) {
    this.#cron = new Cron(expression, { paused: true, mode: '5-part', timezone: 'UTC' })
    this.durationMs = durationMs
    this.#local = new LocalTime(timezone)
  }

  endAt(wallMs: number): number | null {
    const begunAt = this.#lastUpTo(wallMs)
    return begunAt !== null && wallMs < begunAt + this.durationMs ? begunAt + this.durationMs : null
  }

  nextAfter(wallMs: number): number | null {
    let shown = this.#cron.nextRun(new Date(this.#local.localMs(wallMs)))
    while (shown !== null) {
      const instant = this.#local.instantMs(shown.getTime())
      // The clocks show it for the second time: it began the first time.
      if (instant > wallMs) return instant
      shown = this.#cron.nextRun(shown)
    }
    return null
  }

  #lastUpTo(wallMs: number): number | null {
    // After the clocks were put back they show an earlier time than they have shown already.
    const aheadMs = Math.max(this.#local.offsetMs(wallMs), this.#local.offsetMs(wallMs - largestJumpMs))
    // Previous runs come strictly before the reference.
    let shown = this.#previous(new Date(wallMs + aheadMs + 1000))
    while (shown !== null) {
      const instant = this.#local.instantMs(shown.getTime())
      if (instant <= wallMs) return instant
      shown = this.#previous(shown)
    }
    return null
  }

  #previous(before: Date): Date | null {
    return this.#cron.previousRuns(1, before)[0] ?? null
  }
}

/**
 * Converts between instants and what the clocks of a time zone show, written as if that were UTC. A local time that the
 * clocks skip is the instant of the jump; one that they show twice is the first of the two.
 */
export class LocalTime {
  /** Null for UTC, the default, whose clocks never jump. */
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
