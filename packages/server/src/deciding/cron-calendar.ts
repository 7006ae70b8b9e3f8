// deciding/cron-calendar.ts: the times that a cron expression names, in a calendar without clock changes. The
// library parses the expression but is asked only whether single days match: its own search for the next time
// may walk through years. Which days of a month match depends on the month, its length and the weekday of its
// first day, so each such shape is computed once, and a search is arithmetic over months.
import { Cron } from 'croner'
import { forgetOldest } from '../platform/forget-oldest.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const minutesOfDay = 1_440

/** The calendar repeats after 400 years: what has not matched by then never will. */
const mostMonths = 400 * 12

const mostExpressions = 1_000
const expressions = new Map<string, CronCalendar>()

/** Any year works as the one in which an expression is first evaluated. */
const firstMs = Date.UTC(2000, 0, 1)

export class CronCalendar {
  readonly #cron: Cron
  /** Per month of the year: whether the expression can match in it at all. */
  readonly #hasMonth: readonly boolean[]
  /** For each minute of the day: the first named minute from it on, and the last one up to it; -1 for none. */
  readonly #minuteFrom = new Int16Array(minutesOfDay).fill(-1)
  readonly #minuteUpTo = new Int16Array(minutesOfDay).fill(-1)
  /** One bit per day of the month, by the shape of the month. */
  readonly #daysByShape = new Map<number, number>()

  /** Returns a shared instance per expression. */
  static of(expression: string): CronCalendar {
    const known = expressions.get(expression)
    if (known !== undefined) return known
    if (expressions.size >= mostExpressions) forgetOldest(expressions)
    const made = new CronCalendar(expression)
    expressions.set(expression, made)
    return made
  }

  constructor(expression: string) {
    this.#cron = compiled(expression)
    this.#hasMonth = monthsOf(expression)
    const named = new Set(minutesOf(this.#cron))
    for (let minute = 0, last = -1; minute < minutesOfDay; minute++) {
      if (named.has(minute)) last = minute
      this.#minuteUpTo[minute] = last
    }
    for (let minute = minutesOfDay - 1, first = -1; minute >= 0; minute--) {
      if (named.has(minute)) first = minute
      this.#minuteFrom[minute] = first
    }
  }

  /** The first time after this one. */
  after(localMs: number): number | null {
    const minute = Math.floor(localMs / minuteMs) + 1
    const day = Math.floor(minute / minutesOfDay)
    const within = this.#minuteFrom[minute - day * minutesOfDay]!
    if (within >= 0 && this.#matches(day)) return day * dayMs + within * minuteMs
    const next = this.#search(day + 1, 1)
    return next === null ? null : next * dayMs + this.#firstMinute * minuteMs
  }

  /** The last time up to this one. */
  upTo(localMs: number): number | null {
    const minute = Math.floor(localMs / minuteMs)
    const day = Math.floor(minute / minutesOfDay)
    const within = this.#minuteUpTo[minute - day * minutesOfDay]!
    if (within >= 0 && this.#matches(day)) return day * dayMs + within * minuteMs
    const previous = this.#search(day - 1, -1)
    return previous === null ? null : previous * dayMs + this.#minuteUpTo.at(-1)! * minuteMs
  }

  /** -1 for an expression that never matches. */
  get #firstMinute(): number {
    return this.#minuteFrom[0]!
  }

  #matches(day: number): boolean {
    const date = new Date(day * dayMs)
    const days = this.#daysIn(date.getUTCFullYear(), date.getUTCMonth())
    return (days & (1 << (date.getUTCDate() - 1))) !== 0
  }

  /** The first matching day, from this one on, forwards or backwards. */
  #search(from: number, step: 1 | -1): number | null {
    if (this.#firstMinute < 0) return null
    const date = new Date(from * dayMs)
    let year = date.getUTCFullYear()
    let month = date.getUTCMonth()
    // In the first month, only the days that lie ahead in this direction.
    let wanted = step > 0 ? -1 << (date.getUTCDate() - 1) : (2 << (date.getUTCDate() - 1)) - 1
    for (let walked = 0; walked <= mostMonths; walked++) {
      const days = this.#hasMonth[month] ? this.#daysIn(year, month) & wanted : 0
      if (days !== 0) {
        const dayOfMonth = step > 0 ? Math.clz32(days & -days) : Math.clz32(days)
        return Date.UTC(year, month, 32 - dayOfMonth) / dayMs
      }
      wanted = -1
      month += step
      if (month < 0 || month > 11) {
        year += step
        month = (month + 12) % 12
      }
    }
    return null
  }

  #daysIn(year: number, month: number): number {
    const firstDay = Date.UTC(year, month, 1)
    const length = (Date.UTC(year, month + 1, 1) - firstDay) / dayMs
    const shape = (month * 32 + length) * 7 + new Date(firstDay).getUTCDay()
    const known = this.#daysByShape.get(shape)
    if (known !== undefined) return known
    let days = 0
    const atMs = this.#firstMinute * minuteMs
    if (this.#hasMonth[month])
      for (let day = 0; day < length; day++)
        if (this.#cron.match(new Date(firstDay + day * dayMs + atMs))) days |= 1 << day
    this.#daysByShape.set(shape, days)
    return days
  }
}

function compiled(expression: string): Cron {
  return new Cron(expression, { paused: true, mode: '5-part', timezone: 'UTC' })
}

/** An expression of another form, such as @yearly, may match in any month. */
function monthsOf(expression: string): boolean[] {
  const [, , , month, , ...others] = expression.trim().split(/\s+/)
  if (month === undefined || others.length > 0) return Array.from({ length: 12 }, () => true)
  const firsts = compiled(`0 0 1 ${month} *`)
  return Array.from({ length: 12 }, (_, index) => firsts.match(new Date(Date.UTC(2000, index, 1))))
}

/**
 * The named minutes of a day. Minutes, hours and days are independent fields, so one matching time reveals
 * all hours and minutes.
 */
function minutesOf(cron: Cron): number[] {
  const first = cron.nextRun(new Date(firstMs - 1_000))
  if (first === null) return []
  const isNamed = (hour: number, minute: number) =>
    cron.match(new Date(new Date(first).setUTCHours(hour, minute, 0, 0)))
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
    isNamed(hour, first.getUTCMinutes()),
  )
  const minutes = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) =>
    isNamed(first.getUTCHours(), minute),
  )
  return hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute))
}
