// simulation/model/on-call/wall-clock.ts: what the clocks of a zone show, asked of the calendar of the platform at every
// single moment, and never computed. oncall.md: a schedule is read by a clock that never goes back.

const hourMs = 3_600_000
const quarterMs = 900_000
/** Clocks are put back by three hours at most, at a full quarter of an hour. */
const furthestBackMs = 3 * hourMs
const longestDayMs = 27 * hourMs

const calendars = new Map<string, Intl.DateTimeFormat>()

function calendarOf(timezone: string): Intl.DateTimeFormat {
  let calendar = calendars.get(timezone)
  if (calendar === undefined) {
    calendar = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: timezone, hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
    calendars.set(timezone, calendar)
  }
  return calendar
}

/** In milliseconds, as if what the clock shows were UTC. */
function shownAt(timezone: string, instant: number): number {
  const parts = calendarOf(timezone).formatToParts(instant)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const second = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return second + (((instant % 1_000) + 1_000) % 1_000)
}

/** The latest time that the clocks have shown so far. */
export function latestShownAt(timezone: string, instant: number): number {
  let latest = shownAt(timezone, instant)
  const first = Math.ceil((instant - furthestBackMs) / quarterMs) * quarterMs
  for (let quarter = first; quarter <= instant; quarter += quarterMs)
    latest = Math.max(latest, shownAt(timezone, quarter - 1))
  return latest
}

/** When the clocks show this for the first time, or a later time if they skip it; within a day from now. */
export function whenShown(timezone: string, shown: number, now: number): number {
  let [before, after] = [now, now + longestDayMs]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (latestShownAt(timezone, middle) >= shown) after = middle
    else before = middle
  }
  return after
}
