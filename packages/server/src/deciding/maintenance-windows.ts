// deciding/maintenance-windows.ts: when a monitor is in maintenance, by wall-clock time that is passed in. A
// window begins when the local time of its zone shows its start: once if the clocks show it twice, at the
// jump if they skip it. Its duration is elapsed time. Windows that touch or overlap count as one.
import type { MaintenanceDefinition } from '../config/fleet-file/definition.ts'
import { CronInstants } from './cron-instants.ts'

/** No window ends later: years in dates have four digits. */
const farthestMs = Date.UTC(9999, 0, 1)

export type WindowState =
  /** The earliest possible end: an endless chain of adjoining windows is followed only so far. */
  | { readonly active: true; readonly untilMs: number; readonly name?: string }
  | { readonly active: false; readonly nextAtMs: number | null }

export interface OpenWindow {
  readonly fromMs: number
  readonly untilMs: number
}

/** How many adjoining windows are followed to find the end, and how many searches that may take in total. */
const followedAtMost = 100
const searchesAtMost = 400

interface Window {
  readonly name: string | undefined
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
      definition.kind === 'once' ? new SingleWindow(definition) : new RecurringWindow(definition),
    )
  }

  at(wallMs: number): WindowState {
    const open = this.#openAt(wallMs)
    if (open === null) return { active: false, nextAtMs: this.#nextAfter(wallMs) }
    let { untilMs } = open
    const most = Math.min(followedAtMost, Math.ceil(searchesAtMost / this.#windows.length))
    for (let followed = 0; followed < most && untilMs < farthestMs; followed++) {
      const later = this.#openAt(untilMs)
      if (later === null) break
      untilMs = later.untilMs
    }
    return { active: true, untilMs, ...(open.name === undefined ? {} : { name: open.name }) }
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

  /** Of several, the one that is open longest. */
  #openAt(wallMs: number): { readonly untilMs: number; readonly name: string | undefined } | null {
    let open: { untilMs: number; name: string | undefined } | null = null
    for (const window of this.#windows) {
      const untilMs = window.endAt(wallMs)
      if (untilMs !== null && (open === null || untilMs > open.untilMs)) open = { untilMs, name: window.name }
    }
    return open
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
  readonly name: string | undefined
  readonly durationMs: number
  readonly #startMs: number
  readonly #endMs: number

  constructor({ name, startMs, endMs }: MaintenanceDefinition & { readonly kind: 'once' }) {
    this.name = name
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

class RecurringWindow implements Window {
  readonly name: string | undefined
  readonly durationMs: number
  readonly #starts: CronInstants

  constructor({ name, cron, durationMs, timezone }: MaintenanceDefinition & { readonly kind: 'cron' }) {
    this.name = name
    this.durationMs = durationMs
    this.#starts = new CronInstants(cron, timezone)
  }

  endAt(wallMs: number): number | null {
    const start = this.#starts.upTo(wallMs)
    if (start === null) return null
    const endMs = Math.min(start + this.durationMs, farthestMs)
    return wallMs < endMs ? endMs : null
  }

  nextAfter(wallMs: number): number | null {
    return this.#starts.after(wallMs)
  }
}
