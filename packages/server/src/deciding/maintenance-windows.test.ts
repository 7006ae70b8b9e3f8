import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LocalTime } from '../platform/local-time.ts'
import { MaintenanceCalendar } from './maintenance-watch.ts'
import { MaintenanceWindows, windowAt } from './maintenance-windows.ts'

const hourMs = 3_600_000
const at = (text: string) => Date.parse(text)
const cron = (expression: string, durationMs: number, timezone = 'UTC') =>
  ({ kind: 'cron', cron: expression, durationMs, timezone }) as const
const once = (start: string, end: string) => ({ kind: 'once', startMs: at(start), endMs: at(end) }) as const
const shown = (definitions: Parameters<typeof windowAt>[0], instant: string) => {
  const state = windowAt(definitions, at(instant))
  const next = state.active ? state.untilMs : state.nextAtMs
  return `${state.active ? 'until' : 'next'} ${next === null ? 'never' : new Date(next).toISOString().slice(0, 16)}`
}

describe('a window with a start and an end', () => {
  const window = [once('2026-05-01T10:00:00Z', '2026-05-01T12:00:00Z')]

  it.each([
    ['2026-05-01T09:59:59.999Z', 'next 2026-05-01T10:00'],
    ['2026-05-01T10:00:00Z', 'until 2026-05-01T12:00'],
    ['2026-05-01T11:59:59.999Z', 'until 2026-05-01T12:00'],
    ['2026-05-01T12:00:00Z', 'next never'],
  ])('at %s: %s', (instant, expected) => {
    expect(shown(window, instant)).toBe(expected)
  })
})

describe('a recurring window', () => {
  const berlin = (expression: string, durationMs = hourMs) => [cron(expression, durationMs, 'Europe/Berlin')]

  it.each([
    ['2026-06-07T00:59:59Z', 'next 2026-06-07T01:00'],
    ['2026-06-07T01:00:00Z', 'until 2026-06-07T02:00'],
    ['2026-06-07T01:59:59.999Z', 'until 2026-06-07T02:00'],
    ['2026-06-07T02:00:00Z', 'next 2026-06-14T01:00'],
    ['2026-12-06T01:30:00Z', 'next 2026-12-06T02:00'],
  ])('begins by the clocks of its time zone: %s, %s', (instant, expected) => {
    expect(shown(berlin('0 3 * * 0'), instant)).toBe(expected)
  })

  it.each(['30 2 * * *', '30 2,14 * * *', '30 2-2 * * *'])(
    'begins at the jump when its start does not exist: %s',
    (expression) => {
      expect(shown(berlin(expression), '2026-03-29T00:59:59Z')).toBe('next 2026-03-29T01:00')
      expect(shown(berlin(expression), '2026-03-29T01:00:00Z')).toBe('until 2026-03-29T02:00')
      expect(shown(berlin(expression), '2026-03-29T02:00:00Z')).not.toMatch(/^until/)
    },
  )

  it.each(['30 2 * * *', '30 2,14 * * *', '30 */2 * * *'])(
    'begins once when its start exists twice: %s',
    (expression) => {
      expect(shown(berlin(expression, hourMs / 2), '2026-10-25T00:29:00Z')).toBe('next 2026-10-25T00:30')
      expect(shown(berlin(expression, hourMs / 2), '2026-10-25T00:30:00Z')).toBe('until 2026-10-25T01:00')
      expect(shown(berlin(expression, hourMs / 2), '2026-10-25T01:30:00Z')).toMatch(/^next 2026-10-2[56]T/)
    },
  )

  it('does not begin again in the hour that the clocks show again', () => {
    expect(shown(berlin('30 2 * * *', hourMs / 2), '2026-10-25T01:15:00Z')).toBe('next 2026-10-26T01:30')
  })

  it('is found open in the hour that the clocks show again', () => {
    expect(shown(berlin('45 2 * * *', 2 * hourMs), '2026-10-25T01:15:00Z')).toBe('until 2026-10-25T02:45')
  })

  it('lasts as long as it says, whatever the clocks do meanwhile', () => {
    expect(shown(berlin('0 1 * * *', 3 * hourMs), '2026-03-29T00:30:00Z')).toBe('until 2026-03-29T03:00')
    expect(shown(berlin('0 1 * * *', 3 * hourMs), '2026-10-25T00:30:00Z')).toBe('until 2026-10-25T02:00')
  })

  it('begins at the jump when a midnight is skipped', () => {
    const beirut = [cron('0 0 * * *', hourMs, 'Asia/Beirut')]
    expect(shown(beirut, '2024-03-30T21:59:00Z')).toBe('next 2024-03-30T22:00')
    expect(shown(beirut, '2024-03-30T22:00:00Z')).toBe('until 2024-03-30T23:00')
  })

  it('is one with the next when they overlap or touch', () => {
    expect(shown([cron('0 * * * *', hourMs)], '2026-06-07T00:30:00Z')).toBe('until 2026-06-11T05:00')
    expect(
      shown(
        [cron('0 3 * * *', hourMs), once('2026-06-07T04:00:00Z', '2026-06-07T05:00:00Z')],
        '2026-06-07T03:30:00Z',
      ),
    ).toBe('until 2026-06-07T05:00')
  })

  it('is found open when it is longer than its interval', () => {
    expect(shown([cron('0 0 1 * *', 40 * 24 * hourMs)], '2026-06-07T00:30:00Z')).toMatch(/^until/)
  })
})

describe('the clocks of a time zone', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Africa/Casablanca',
  ]

  it('show every instant that is computed from what they show', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({
          min: at('2010-01-01T00:00:00Z') / minuteMs,
          max: at('2030-01-01T00:00:00Z') / minuteMs,
        }),
        (zone, minute) => {
          const local = new LocalTime(zone)
          const instant = minute * minuteMs
          const first = local.instantMs(local.localMs(instant))
          expect(local.localMs(first)).toBe(local.localMs(instant))
          expect(first).toBeLessThanOrEqual(instant)
        },
      ),
    )
  })

  it('skip and repeat: half an hour on Lord Howe, a day in Samoa', () => {
    const lordHowe = new LocalTime('Australia/Lord_Howe')
    expect(lordHowe.instantMs(at('2026-10-04T02:15:00Z'))).toBe(at('2026-10-03T15:30:00Z'))
    expect(lordHowe.instantMs(at('2026-04-05T01:45:00Z'))).toBe(at('2026-04-04T14:45:00Z'))
    expect(new LocalTime('Pacific/Apia').instantMs(at('2011-12-30T12:00:00Z'))).toBe(
      at('2011-12-30T10:00:00Z'),
    )
  })
})

const minuteMs = 60_000

describe('the calendar', () => {
  const windows = [[], [cron('0 3 * * *', hourMs)], [once('2026-06-07T03:30:00Z', '2026-06-07T05:00:00Z')]]
  const calendar = (start: string) =>
    new MaintenanceCalendar({ values: windows, of: Uint32Array.of(0, 1, 2, 1, 0) }, at(start))
  const changes = (c: MaintenanceCalendar, instant: string) =>
    c.advance(at(instant)).map(({ rows, active }) => `${[...rows]} ${active}`)

  it('tells which monitors go in and out, and when to ask again', () => {
    const c = calendar('2026-06-07T02:00:00Z')
    expect(c.nextChangeAtMs).toBe(at('2026-06-07T03:00:00Z'))
    expect(changes(c, '2026-06-07T02:59:59Z')).toEqual([])
    expect(changes(c, '2026-06-07T03:00:00Z')).toEqual(['1,3 true'])
    expect(changes(c, '2026-06-07T03:30:00Z')).toEqual(['2 true'])
    expect(c.stateOf(3)).toEqual({ active: true, untilMs: at('2026-06-07T04:00:00Z') })
    expect(changes(c, '2026-06-07T06:00:00Z')).toEqual(['1,3 false', '2 false'])
    expect([c.stateOf(2), c.stateOf(0)]).toEqual([
      { active: false, nextAtMs: null },
      { active: false, nextAtMs: null },
    ])
    expect(c.nextChangeAtMs).toBe(at('2026-06-08T03:00:00Z'))
  })

  it('knows at once who is in a window when it begins', () => {
    expect(calendar('2026-06-07T03:30:00Z').stateOf(1).active).toBe(true)
  })

  it('says nothing of a window that began and ended unseen', () => {
    expect(changes(calendar('2026-06-07T02:00:00Z'), '2026-06-07T10:00:00Z')).toEqual([])
  })

  it('looks again when the clock is put back', () => {
    const c = calendar('2026-06-07T02:00:00Z')
    changes(c, '2026-06-07T06:00:00Z')
    expect(changes(c, '2026-06-07T03:15:00Z')).toEqual(['1,3 true'])
    expect(changes(c, '2026-06-07T04:00:00Z')).toEqual(['2 true', '1,3 false'])
  })

  it('agrees with the windows at every step of any clock', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 60 * 24 }), { maxLength: 40 }), (steps) => {
        const c = calendar('2026-06-06T00:00:00Z')
        const active = new Set<number>()
        let now = at('2026-06-06T00:00:00Z')
        for (const minutes of steps) {
          now += minutes * minuteMs
          for (const change of c.advance(now))
            for (const row of change.rows) change.active ? active.add(row) : active.delete(row)
          for (const row of [0, 1, 2, 3, 4])
            expect(active.has(row)).toBe(
              new MaintenanceWindows(windows[[0, 1, 2, 1, 0][row]!]!).at(now).active,
            )
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('the windows between two instants', () => {
  const between = (
    definitions: ConstructorParameters<typeof MaintenanceWindows>[0],
    from: string,
    to: string,
  ) =>
    new MaintenanceWindows(definitions)
      .between(at(from), at(to), 10)
      ?.map(({ fromMs, untilMs }) => [fromMs, untilMs].map((ms) => new Date(ms).toISOString().slice(5, 16)))
      .map((bounds) => bounds.join(' to ')) ?? null

  it('are told in order, with the one that is open at the beginning, and to the end of the last', () => {
    const nightly = cron('0 3 * * *', 2 * hourMs)
    expect(between([nightly], '2026-05-01T04:00:00Z', '2026-05-03T04:00:00Z')).toEqual([
      '05-01T04:00 to 05-01T05:00',
      '05-02T03:00 to 05-02T05:00',
      '05-03T03:00 to 05-03T05:00',
    ])
    expect(between([nightly], '2026-05-01T05:00:00Z', '2026-05-02T03:00:00Z')).toEqual([])
  })

  it('are one where they touch, overlap or hold each other', () => {
    const definitions = [
      cron('0 4 * * *', hourMs),
      once('2026-05-01T03:00:00Z', '2026-05-01T04:00:00Z'),
      once('2026-05-01T04:15:00Z', '2026-05-01T04:45:00Z'),
      once('2026-05-01T06:00:00Z', '2026-05-01T07:00:00Z'),
    ]
    expect(between(definitions, '2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z')).toEqual([
      '05-01T03:00 to 05-01T05:00',
      '05-01T06:00 to 05-01T07:00',
    ])
  })

  it('are not told where they are too many', () => {
    expect(between([cron('0 * * * *', 60_000)], '2026-05-01T00:30:00Z', '2026-05-01T10:30:00Z')).toHaveLength(
      10,
    )
    expect(between([cron('0 * * * *', 60_000)], '2026-05-01T00:30:00Z', '2026-05-01T11:30:00Z')).toBeNull()
  })

  it('are exactly the times at which a window is open', () => {
    const hours = fc.integer({ min: 0, max: 60 })
    const definition = fc.oneof(
      fc.tuple(hours, hours).map(([start, length]) => {
        const startMs = at('2026-10-24T00:00:00Z') + start * hourMs
        return { kind: 'once' as const, startMs, endMs: startMs + (length + 1) * hourMs }
      }),
      fc
        .tuple(fc.constantFrom('30 2 * * *', '0 */7 * * *', '0 0 25 10 *'), fc.integer({ min: 1, max: 40 }))
        .map(([expression, length]) => cron(expression, length * 900_000, 'Europe/Berlin')),
    )
    fc.assert(
      fc.property(fc.array(definition, { maxLength: 3 }), (definitions) => {
        const [fromMs, toMs] = [at('2026-10-24T00:00:00Z'), at('2026-10-27T00:00:00Z')]
        const windows = new MaintenanceWindows(definitions)
        const found = windows.between(fromMs, toMs, 100)!
        for (let ms = fromMs; ms < toMs; ms += 900_000)
          expect(found.some((open) => open.fromMs <= ms && ms < open.untilMs)).toBe(windows.at(ms).active)
      }),
      { numRuns: 30 },
    )
  })
})
