// deciding/cron-instants.ts: the instants that a cron expression names in a time zone. An instant comes when
// the local time of the zone shows it: once if the clocks show it twice, at the jump if they skip it. The
// expression is matched against local time as if it were UTC, so that clock changes are treated the same way
// for every expression, which the library does not do.

import { LocalTime } from '../platform/local-time.ts'
import { CronCalendar } from './cron-calendar.ts'

export class CronInstants {
  readonly #calendar: CronCalendar
  readonly #local: LocalTime

  constructor(cron: string, timezone: string) {
    this.#calendar = CronCalendar.of(cron)
    this.#local = LocalTime.of(timezone)
  }

  /** The first instant after this one. */
  after(wallMs: number): number | null {
    // A time that the clocks show again has already come the first time.
    const shown = this.#calendar.after(this.#local.latestShownMs(wallMs))
    return shown === null ? null : this.#local.instantMs(shown)
  }

  /** The last instant up to this one. */
  upTo(wallMs: number): number | null {
    const shown = this.#calendar.upTo(this.#local.latestShownMs(wallMs))
    return shown === null ? null : this.#local.instantMs(shown)
  }
}
