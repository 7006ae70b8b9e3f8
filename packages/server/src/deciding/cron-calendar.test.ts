import { Cron } from 'croner'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LocalTime } from '../platform/local-time.ts'
import { CronCalendar } from './cron-calendar.ts'
import { MaintenanceWindows } from './maintenance-windows.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const at = (text: string) => Date.parse(text)

afterEach(() => {
  vi.restoreAllMocks()
})

const field = (values: readonly string[]) => fc.constantFrom(...values)
const expressions = fc
  .tuple(
    field(['*', '0', '59', '*/7', '5-20', '1,31,58']),
    field(['*', '0', '23', '*/5', '8-17', '2,3']),
    field(['*', '1', '29', '31', '*/10', '10-12', 'L', '15W', '?']),
    field(['*', '2', '4,6', 'JAN-MAR', '*/5', '12']),
    field(['*', '0', '7', 'MON-FRI', '1#1', '5L', '2,4', '+5']),
  )
  .map((fields) => fields.join(' '))
  .filter((expression) => library(expression).nextRun(new Date(at('2000-01-01T00:00:00Z'))) !== null)

function library(expression: string): Cron {
  return new Cron(expression, { paused: true, mode: '5-part', timezone: 'UTC' })
}

/** Looks at every day, and on one that matches at every minute. */
function scanOf(cron: Cron) {
  const matchingDay = Math.floor(cron.nextRun(new Date(at('2000-01-01T00:00:00Z')))!.getTime() / dayMs)
  const minutesOn = (day: number) =>
    Array.from({ length: 1_440 }, (_, minute) => day * dayMs + minute * minuteMs).filter((ms) =>
      cron.match(new Date(ms)),
    )
  const someMinuteMs = minutesOn(matchingDay)[0]! - matchingDay * dayMs
  const daysFrom = function* (day: number, step: 1 | -1) {
    for (let days = 0; days < 400 * 366; days++, day += step)
      if (cron.match(new Date(day * dayMs + someMinuteMs))) yield day
  }
  const first = (day: number, step: 1 | -1, isIn: (ms: number) => boolean) => {
    for (const matching of daysFrom(day, step)) {
      const found = minutesOn(matching).filter(isIn)
      if (found.length > 0) return step === 1 ? found[0]! : found.at(-1)!
    }
    return null
  }
  return {
    after: (ms: number) => first(Math.floor(ms / dayMs), 1, (one) => one > ms),
    upTo: (ms: number) => first(Math.floor(ms / dayMs), -1, (one) => one <= ms),
  }
}

describe('the times of a cron expression', () => {
  const instants = fc.integer({ min: at('2019-01-01T00:00:00Z'), max: at('2033-01-01T00:00:00Z') })

  // Not against the library's own search: from the 22nd of February it does not find the first of March with `*/10`.
  const agree = 'are those at which the library says that the expression matches, looked at one by one'
  it(agree, () => agreesWithTheLibrary(10))
  it(`${agree}, often`, { tags: 'long' }, () => agreesWithTheLibrary(60))

  function agreesWithTheLibrary(numRuns: number): void {
    fc.assert(
      fc.property(expressions, instants, (expression, ms) => {
        const calendar = new CronCalendar(expression)
        const scan = scanOf(library(expression))
        expect(calendar.after(ms)).toBe(scan.after(ms))
        expect(calendar.upTo(ms)).toBe(scan.upTo(ms))
      }),
      { numRuns },
    )
  }

  it.each([
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    ['0 0 29 2 +1', '2026-01-01T00:00:00Z', '2044-02-29T00:00:00.000Z'],
    ['@yearly', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
  ])('come after years: %s after %s is %s', (expression, after, next) => {
    const ms = new CronCalendar(expression).after(at(after))
    expect(ms === null ? null : new Date(ms).toISOString()).toBe(next)
  })

  it('never come where the calendar has no such day', () => {
    const calendar = new CronCalendar('0 0 31 2 *')
    expect([calendar.after(0), calendar.upTo(0)]).toEqual([null, null])
  })
})

describe('the clocks of a time zone', () => {
  it('are those of the runtime, at every second', () => {
    const zones = [
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Casablanca',
      'Asia/Kathmandu',
    ]
    const formats = new Map(
      zones.map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
      ]),
    )
    const seconds = fc.integer({
      min: at('1990-01-01T00:00:00Z') / 1000,
      max: at('2037-01-01T00:00:00Z') / 1000,
    })
    fc.assert(
      fc.property(fc.constantFrom(...zones), seconds, (zone, second) => {
        const shown = new Date(LocalTime.of(zone).localMs(second * 1000)).toISOString().slice(0, 19)
        expect(shown.replace('T', ' ')).toBe(formats.get(zone)!.format(second * 1000))
      }),
      { numRuns: 500 },
    )
  })

  /** Looks at the clocks minute by minute: a time begins when they show it first, or have skipped it. */
  function firstBegin(zone: string, cron: Cron, fromMs: number, toMs: number): number | null {
    const local = LocalTime.of(zone)
    let latest = Math.max(
      ...Array.from({ length: 27 * 60 }, (_, minutes) => local.localMs(fromMs - minutes * minuteMs)),
    )
    for (let ms = fromMs + minuteMs; ms <= toMs; ms += minuteMs) {
      const shown = local.localMs(ms)
      for (let one = latest + minuteMs; one <= shown; one += minuteMs)
        if (cron.match(new Date(one))) return ms
      latest = Math.max(latest, shown)
    }
    return null
  }

  it('begin a window when they show its start first, or skip it', () => {
    const jumps = fc.constantFrom(
      ['Europe/Berlin', '2026-03-29T01:00:00Z'],
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
      ['Pacific/Apia', '2011-12-30T10:00:00Z'],
      ['America/New_York', '2026-11-01T06:00:00Z'],
    )
    const minutes = fc.integer({ min: -26 * 60, max: 26 * 60 })
    const often = fc.constantFrom(
      '* * * * *',
      '*/20 * * * *',
      '30 2 * * *',
      '15 1,2 * * *',
      '0 0 * * *',
      '0 12 30 * *',
    )
    fc.assert(
      fc.property(jumps, minutes, often, ([zone = '', jump = ''], minute, expression) => {
        const fromMs = at(jump) + minute * minuteMs
        const window = { kind: 'cron', cron: expression, durationMs: 1, timezone: zone } as const
        const state = new MaintenanceWindows([window]).at(fromMs + 1)
        const next = state.active ? null : state.nextAtMs
        const toMs = fromMs + 2 * dayMs
        const begin = firstBegin(zone, library(expression), fromMs, toMs)
        expect(next !== null && next <= toMs ? next : null).toBe(begin)
      }),
      { numRuns: 60 },
    )
  })
})

describe('the work for the windows of a monitor', () => {
  const zone = 'Europe/Berlin'
  const nowMs = at('2026-06-07T00:30:00Z')
  const windows = (cron: (index: number) => string, durationMs: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'cron' as const,
      cron: cron(index),
      durationMs,
      timezone: zone,
    }))

  const worst: [string, ReturnType<typeof windows>][] = [
    ['every minute', windows(() => '* * * * *', minuteMs, 16)],
    ['every minute, for 90 days', windows(() => '* * * * *', 90 * dayMs, 16)],
    ['leap days, for ten years', windows((index) => `${index} 0 29 2 *`, 3_653 * dayMs, 16)],
    ['64, as older stores may have', windows(() => '* * * * *', minuteMs, 64)],
  ]

  it.each(worst)('asks the libraries a bounded number of times: %s', (_, definitions) => {
    const searches = [vi.spyOn(Cron.prototype, 'nextRun'), vi.spyOn(Cron.prototype, 'previousRuns')]
    const matches = vi.spyOn(Cron.prototype, 'match')
    const formats = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
    const ask = () => {
      const calendar = new MaintenanceWindows(definitions)
      calendar.at(nowMs)
      calendar.between(nowMs - 90 * dayMs, nowMs, 100)
    }
    const asked = () => [...searches, matches, formats].map((spy) => spy.mock.calls.length)
    ask()
    const distinct = new Set(definitions.map(({ cron }) => cron)).size
    const [next = 0, previous = 0, days = 0] = asked()
    // One to learn its minutes; then each shape of month that it meets: 14 of a February, 7 of every other month.
    expect(next).toBeLessThanOrEqual(distinct)
    expect(previous).toBe(0)
    expect(days).toBeLessThanOrEqual(distinct * (24 + 60 + 12 + (14 + 11 * 7) * 31))
    const cold = asked()
    ask()
    expect(asked()).toEqual(cold)
  })

  it('ends before the year 10000, however long a window is', () => {
    const longest = windows(() => '* * * * *', 999_999_999 * 3_600_000, 1)
    for (const timezone of ['UTC', zone])
      expect(new MaintenanceWindows([{ ...longest[0]!, timezone }]).at(nowMs)).toEqual({
        active: true,
        untilMs: at('9999-01-01T00:00:00Z'),
      })
  })
})
