// projection/shift-calendar.ts: the shifts of a schedule as a calendar program reads them: of all people or of one person, from
// the beginning of the last month to half a year ahead. Both ends are beginnings of months, so that a shift that they cut
// stays the same event for a month.
import { createHash } from 'node:crypto'
import { rotaOf } from '../deciding/on-call/recipients.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type CalendarEvent, icalendar } from './icalendar.ts'

const monthsBefore = 1
const monthsAhead = 7
const mostShifts = 5_000

export class ShiftCalendar {
  readonly #fleet: Fleet
  readonly #engine: EngineReading

  constructor(fleet: Fleet, engine: EngineReading) {
    this.#fleet = fleet
    this.#engine = engine
  }

  /** Null if the schedule is not in force. */
  of(schedule: string, person: string | null): string | null {
    const definition = this.#fleet.definition.schedules.get(schedule)
    if (definition === undefined) return null
    const now = this.#engine.now()
    const spans = rotaOf(definition).calendar(
      monthFrom(now, -monthsBefore),
      monthFrom(now, monthsAhead),
      mostShifts,
    )
    const events: (CalendarEvent & { readonly person: string })[] = []
    for (const { person: who, fromMs, untilMs } of spans) {
      const last = events.at(-1)
      if (who === null || (person !== null && who !== person)) continue
      // Whether an override says so makes no other shift.
      if (last?.person === who && last.toMs === fromMs) events[events.length - 1] = { ...last, toMs: untilMs }
      else {
        const uid = uidOf(schedule, who, fromMs)
        const summary = person === null ? `${this.#nameOf(who)} (${schedule})` : `On call: ${schedule}`
        events.push({ uid, fromMs, toMs: untilMs, summary, person: who })
      }
    }
    const name = person === null ? `On call: ${schedule}` : `On call: ${schedule}, ${this.#nameOf(person)}`
    return icalendar({ name, writtenAtMs: now, events })
  }

  #nameOf(person: string): string {
    return this.#fleet.definition.people.get(person)?.name ?? person
  }
}

function uidOf(schedule: string, person: string, fromMs: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([schedule, person, fromMs]))
    .digest('hex')
  return `${digest.slice(0, 32)}@pulseward`
}

/** The beginning of a month in UTC. */
function monthFrom(nowMs: number, months: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)
}
