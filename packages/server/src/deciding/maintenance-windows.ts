// deciding/maintenance-windows.ts: when a monitor is in maintenance, by wall-clock time that is passed in. A
// window begins when the local time of its zone shows its start: once if the clocks show it twice, at the
// jump if they skip it. Its duration is elapsed time. Windows that touch or overlap count as one.
import type { MaintenanceDefinition } from '../config/fleet-file/definition.ts'
import { CronCalendar } from './cron-calendar.ts'
import { LocalTime } from './local-time.ts'

/** No window ends later: years in dates have four digits. */
const farthestMs = Date.UTC(9999, 0, 1)

export type WindowState =
  /** The earliest possible end: an endless chain of adjoining windows is followed only so far. */
  | { readonly active: true; readonly untilMs: number }
  | { readonly active: false; readonly nextAtMs: number | null }

export interface OpenWindow {
  readonly fromMs: number
  readonly untilMs: number
}

/** How many adjoining windows are followed to find the end, and how many searches that may take in total. */
const followedAtMost = 100
const searchesAtMost = 400

interface Window {
  readonly durationMs: number
  /** The end of the window that is open at the instant; null if none is. */
  endAt(wallMs: number): number | null
  /** The next start after the instant. */
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
    const most = Math.min(followedAtMost, Math.ceil(searchesAtMost / this.#windows.length))
    for (let followed = 0; followed < most && untilMs < farthestMs; followed++) {
      const later = this.#endAt(untilMs)
      if (later === null) break
      untilMs = later
    }
    return { active: true, untilMs }
  }

  /**
   * When a window is open between two instants, earliest first; the first may have begun before. Null if a
   * definition has more than `most` windows in that time, because each costs a search in the calendar.
   */
  between(fromMs: number, toMs: number, most: number): readonly OpenWindow[] | null {
    const found: OpenWindow[] = []
    for (const window of this.#windows) {
      const end = window.endAt(fromMs)
      if (end !== null) found.push({ fromMs, untilMs: end })
      let begin = window.nextAfter(fromMs)
      for (let count = 0; begin !== null && begin < toMs; count++) {
        if (count === most) return null
        found.push({ fromMs: begin, untilMs: Math.min(begin + window.durationMs, farthestMs) })
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

/** Joins windows that touch or overlap. */
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

// The expression is matched against local time as if it were UTC. Clock changes are then treated the same way
// for every expression, which the library does not do.
class RecurringWindow implements Window {
  readonly durationMs: number
  readonly #calendar: CronCalendar
  readonly #local: LocalTime

  constructor(expression: string, durationMs: number, timezone: string) {
    this.#calendar = CronCalendar.of(expression)
    this.durationMs = durationMs
    this.#local = LocalTime.of(timezone)
  }

  endAt(wallMs: number): number | null {
    const shown = this.#calendar.upTo(this.#local.latestShownMs(wallMs))
    if (shown === null) return null
    const endMs = Math.min(this.#local.instantMs(shown) + this.durationMs, farthestMs)
    return wallMs < endMs ? endMs : null
  }

  nextAfter(wallMs: number): number | null {
    // A start that the clocks show a second time has already happened the first time.
    const shown = this.#calendar.after(this.#local.latestShownMs(wallMs))
    return shown === null ? null : this.#local.instantMs(shown)
  }
}
