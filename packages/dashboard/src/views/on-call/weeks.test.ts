import type { v2 } from '@pulseward/contract'
import { expect, it } from 'vitest'
import { WallClock } from './wall-clock.ts'
import { shareOf, shiftInWords, shownShifts, stretchLeft, weeksOf, weeksShown } from './weeks.ts'

const berlin = WallClock.of('Europe/Berlin')!

function weeks(...shifts: v2.Shift[]) {
  const list = { scheduleRef: 'primary', timezone: 'Europe/Berlin', from: '', to: '', shifts }
  return weeksOf(shownShifts(list, berlin), '2026-03-23T00:00')
}

const shift = (from: string, to: string, personRef?: string): v2.Shift => ({
  from,
  to,
  isOverride: false,
  ...(personRef === undefined ? {} : { personRef }),
})

it('has eight weeks of seven days', () => {
  const rows = weeks()
  expect(rows).toHaveLength(weeksShown)
  expect(rows[0]!.days).toHaveLength(7)
  expect(rows[7]!.monday).toBe('2026-05-11T00:00')
})

it('places a hand-over at 09:00 alike before and after the clocks change', () => {
  const [first, second] = weeks(
    shift('2026-03-22T23:00:00.000Z', '2026-03-23T08:00:00.000Z', 'bo'),
    shift('2026-03-23T08:00:00.000Z', '2026-03-30T07:00:00.000Z', 'ana'),
    shift('2026-03-30T07:00:00.000Z', '2026-04-06T07:00:00.000Z'),
  )
  const nine = 9 / (7 * 24)
  expect(first!.pieces.map(({ start, end }) => [start, end])).toEqual([
    [0, nine],
    [nine, 1],
  ])
  expect(second!.pieces[0]).toMatchObject({ start: 0, end: nine, isContinued: true, goesOn: false })
  expect(second!.pieces[1]).toMatchObject({ start: nine, end: 1, goesOn: true })
  expect(second!.pieces[1]!.shift).toMatchObject({ personRef: null, name: null })
})

it('lets no piece stand over another while clocks show an hour twice', () => {
  const list = weeksOf(
    shownShifts(
      {
        scheduleRef: 'primary',
        timezone: 'Europe/Berlin',
        from: '',
        to: '',
        shifts: [
          // Until 02:30 for the first time, and until 02:15 for the second.
          shift('2026-10-24T22:00:00.000Z', '2026-10-25T00:30:00.000Z', 'ana'),
          shift('2026-10-25T00:30:00.000Z', '2026-10-25T01:15:00.000Z', 'bo'),
          shift('2026-10-25T01:15:00.000Z', '2026-10-25T22:00:00.000Z', 'ana'),
        ],
      },
      berlin,
    ),
    '2026-10-19T00:00',
  )
  const pieces = list[0]!.pieces
  for (const [index, piece] of pieces.entries())
    expect(piece.start).toBeGreaterThanOrEqual(pieces[index - 1]?.end ?? 0)
  expect(pieces.map(({ shift: { personRef } }) => personRef)).toEqual(['ana', 'ana'])
})

it('does not say when a shift begins or ends that was not read whole', () => {
  const list = {
    scheduleRef: 'primary',
    timezone: 'Europe/Berlin',
    from: '2026-03-22T23:00:00.000Z',
    to: '2026-05-17T22:00:00.000Z',
    shifts: [
      shift('2026-03-22T23:00:00.000Z', '2026-03-23T08:00:00.000Z', 'bo'),
      shift('2026-03-23T08:00:00.000Z', '2026-03-30T07:00:00.000Z', 'ana'),
      shift('2026-03-30T07:00:00.000Z', '2026-05-17T22:00:00.000Z', 'bo'),
    ],
  }
  const [first, second, last] = shownShifts(list, berlin)
  expect([first!, second!, last!].map(shiftInWords)).toEqual([
    'until Mon 23 Mar, 09:00',
    'Mon 23 Mar, 09:00 – Mon 30 Mar, 09:00',
    'from Mon 30 Mar, 09:00',
  ])
  expect(stretchLeft(second!, '2026-03-25T12:00')).toEqual({
    from: '2026-03-25T12:00',
    to: '2026-03-30T09:00',
  })
  expect(stretchLeft(second!, '2026-03-01T12:00').from).toBe('2026-03-23T09:00')
})

it('leaves out what is not known, and keeps places within the week', () => {
  expect(weeks(shift('2026-03-22T23:00:00.000Z', '2026-03-24T23:00:00.000Z', 'ana'))[1]!.pieces).toEqual([])
  expect(shareOf('2026-03-23T00:00', '2026-03-01T00:00')).toBe(0)
  expect(shareOf('2026-03-23T00:00', '2026-04-01T00:00')).toBe(1)
})
