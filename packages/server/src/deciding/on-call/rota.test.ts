import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LayerDefinition, ScheduleDefinition } from '../../config/fleet-file/on-call.ts'
import { LocalTime } from '../../platform/local-time.ts'
import { Rota } from './rota.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
const local = (text: string) => Date.parse(`${text}Z`)
const everyDay = [0, 1, 2, 3, 4, 5, 6]

const turns = (people: string[], start: string, everyMs = weekMs): LayerDefinition => ({
  people,
  everyMs,
  startMs: local(start),
  hours: null,
})
const schedule = (timezone: string, ...layers: LayerDefinition[]): ScheduleDefinition => ({
  timezone,
  layers,
  overrides: [],
})
const shown = (rota: Rota, from: string, to: string) =>
  rota
    .shifts(Date.parse(from), Date.parse(to))
    .map(({ person, fromMs }) => `${new Date(fromMs).toISOString().slice(0, 16)} ${person}`)

describe('a weekly rotation', () => {
  const weekly = turns(['ana', 'bo'], '2026-03-02T09:00')

  it('hands over at 09:00 local time on both sides of the change to summer time', () => {
    expect(
      shown(new Rota(schedule('Europe/Berlin', weekly)), '2026-03-22T00:00Z', '2026-04-07T00:00Z'),
    ).toEqual(['2026-03-22T00:00 ana', '2026-03-23T08:00 bo', '2026-03-30T07:00 ana', '2026-04-06T07:00 bo'])
  })

  it('has nobody before it starts', () => {
    const rota = new Rota(schedule('UTC', weekly))
    expect(rota.personAt(Date.parse('2026-03-02T08:59:59.999Z'))).toBeNull()
    expect(rota.personAt(Date.parse('2026-03-02T09:00Z'))).toBe('ana')
  })

  it('says until when, exactly', () => {
    const rota = new Rota(schedule('Europe/Berlin', weekly))
    expect(rota.dutyAt(Date.parse('2026-03-29T12:00Z')).untilMs).toBe(Date.parse('2026-03-30T07:00Z'))
    expect(
      new Rota(schedule('UTC', turns(['ana'], '2026-01-01T00:00'))).dutyAt(local('2026-05-01T00:00')).untilMs,
    ).toBeNull()
  })
})

describe('layers', () => {
  const weekend: LayerDefinition = {
    ...turns(['cy'], '2026-03-02T00:00'),
    hours: [{ days: [6, 0], fromMinute: 0, toMinute: 1440 }],
  }

  it('cover earlier ones only where they have somebody', () => {
    const rota = new Rota(schedule('UTC', turns(['ana', 'bo'], '2026-03-02T09:00'), weekend))
    expect(shown(rota, '2026-03-06T00:00Z', '2026-03-10T00:00Z')).toEqual([
      '2026-03-06T00:00 ana',
      '2026-03-07T00:00 cy',
      '2026-03-09T00:00 ana',
      '2026-03-09T09:00 bo',
    ])
  })

  it('know hours that end on the next day', () => {
    const night: LayerDefinition = {
      ...turns(['ana'], '2026-03-02T00:00'),
      hours: [{ days: [1], fromMinute: 22 * 60, toMinute: 6 * 60 }],
    }
    expect(shown(new Rota(schedule('UTC', night)), '2026-03-09T00:00Z', '2026-03-12T00:00Z')).toEqual([
      '2026-03-09T00:00 null',
      '2026-03-09T22:00 ana',
      '2026-03-10T06:00 null',
    ])
  })

  it('are all covered by an override', () => {
    const overrides = [{ fromMs: local('2026-03-07T12:00'), toMs: local('2026-03-07T18:00'), person: 'bo' }]
    const rota = new Rota({ ...schedule('UTC', turns(['ana'], '2026-03-02T09:00'), weekend), overrides })
    expect(shown(rota, '2026-03-07T00:00Z', '2026-03-08T00:00Z')).toEqual([
      '2026-03-07T00:00 cy',
      '2026-03-07T12:00 bo',
      '2026-03-07T18:00 cy',
    ])
  })
})

describe('daylight saving', () => {
  const split = (fromMinute: number): ScheduleDefinition =>
    schedule(
      'Europe/Berlin',
      {
        ...turns(['ana'], '2026-01-01T00:00'),
        hours: [{ days: everyDay, fromMinute: 0, toMinute: fromMinute }],
      },
      { ...turns(['bo'], '2026-01-01T00:00'), hours: [{ days: everyDay, fromMinute, toMinute: 1440 }] },
    )

  it('hands over at the jump if the clocks skip the time of the hand-over', () => {
    expect(shown(new Rota(split(150)), '2026-03-28T23:00Z', '2026-03-29T22:00Z')).toEqual([
      '2026-03-28T23:00 ana',
      '2026-03-29T01:00 bo',
    ])
  })

  it('hands over once, at the first of two, if the clocks show it twice', () => {
    expect(shown(new Rota(split(150)), '2026-10-24T22:00Z', '2026-10-25T23:00Z')).toEqual([
      '2026-10-24T22:00 ana',
      '2026-10-25T00:30 bo',
    ])
  })
})

/** Every zone whose offset changes in these years, and days of such changes, found between four weeks that differ. */
const fromMs = Date.parse('2020-01-01T00:00Z')
const toMs = Date.parse('2036-01-01T00:00Z')
const changing = Intl.supportedValuesOf('timeZone').flatMap((timezone) => {
  const zone = LocalTime.of(timezone)
  const differ = (from: number, to: number) => zone.offsetMs(from) !== zone.offsetMs(to)
  const days: number[] = []
  for (let first = fromMs; first < toMs; first += 4 * weekMs) {
    if (!differ(first, first + 4 * weekMs)) continue
    let day = first
    while (!differ(day, day + dayMs)) day += dayMs
    days.push(day)
  }
  return days.length > 0 ? [{ timezone, days }] : []
})

/** Another reading of the same rules: the runtime's calendar asked minute by minute. */
class WallClock {
  readonly #format: Intl.DateTimeFormat
  #latestMs = Number.NEGATIVE_INFINITY

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  }

  at(instantMs: number): number {
    this.#latestMs = Math.max(this.#latestMs, local(this.#format.format(instantMs).replace(' ', 'T')))
    return this.#latestMs
  }
}

const rotation = fc.record({
  zone: fc.constantFrom(...changing),
  change: fc.nat(),
  people: fc.constantFrom(['ana', 'bo'], ['ana', 'bo', 'cy']),
  everyMs: fc.constantFrom(hourMs, 12 * hourMs, dayMs, 3 * dayMs, weekMs),
  startMinute: fc.integer({ min: 0, max: 1439 }),
})

describe('around every change of clocks, 2020 to 2035', () => {
  it('finds more than a hundred zones that change', () => {
    expect(changing.length).toBeGreaterThan(100)
  })

  it('a rotation has no gap and no overlap, and hands over at its wall-clock times', () => {
    fc.assert(
      fc.property(rotation, ({ zone: { timezone, days }, change, people, everyMs, startMinute }) => {
        const startMs = local('2019-06-03T00:00') + startMinute * minuteMs
        const rota = new Rota(schedule(timezone, { people, everyMs, startMs, hours: null }))
        const day = days[change % days.length]!
        const clock = new WallClock(timezone)
        for (let at = day - dayMs; at < day - hourMs; at += minuteMs * 15) clock.at(at)
        const shifts = rota.shifts(day - hourMs, day + 2 * dayMs)
        expect(shifts[0]!.fromMs).toBe(day - hourMs)
        expect(shifts.at(-1)!.untilMs).toBe(day + 2 * dayMs)
        for (const [index, shift] of shifts.entries()) {
          expect(shift.untilMs).toBeGreaterThan(shift.fromMs)
          if (index > 0) expect(shift.fromMs).toBe(shifts[index - 1]!.untilMs)
        }
        for (let at = day - hourMs; at < day + 2 * dayMs; at += minuteMs) {
          const wanted = people[Math.floor((clock.at(at) - startMs) / everyMs) % people.length]
          const shift = shifts.find((one) => one.fromMs <= at && at < one.untilMs)
          if (shift?.person !== wanted || rota.personAt(at) !== wanted)
            throw new Error(`${timezone} at ${new Date(at).toISOString()}: ${shift?.person}, not ${wanted}`)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('hours cover every day but the skipped part of it, and nothing besides', { tags: 'long' }, () => {
    const hours = fc.record({
      zone: fc.constantFrom(...changing),
      change: fc.nat(),
      fromMinute: fc.integer({ min: 0, max: 1439 }),
      toMinute: fc.integer({ min: 1, max: 1440 }),
    })
    fc.assert(
      fc.property(hours, ({ zone: { timezone, days }, change, fromMinute, toMinute }) => {
        fc.pre(fromMinute !== toMinute)
        const layer = turns(['ana'], '2019-06-03T00:00')
        const rota = new Rota(
          schedule(timezone, { ...layer, hours: [{ days: everyDay, fromMinute, toMinute }] }),
        )
        const day = days[change % days.length]!
        const clock = new WallClock(timezone)
        for (let at = day - dayMs; at < day; at += minuteMs * 15) clock.at(at)
        for (let at = day; at < day + dayMs; at += minuteMs) {
          const minute = (clock.at(at) % dayMs) / minuteMs
          const isIn =
            fromMinute < toMinute
              ? fromMinute <= minute && minute < toMinute
              : minute >= fromMinute || minute < toMinute
          if ((rota.personAt(at) !== null) !== isIn)
            throw new Error(`${timezone} at ${new Date(at).toISOString()}: ${rota.personAt(at)}`)
        }
      }),
      { numRuns: 60 },
    )
  })
})
