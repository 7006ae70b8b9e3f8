import { expect, it } from 'vitest'
import { stretchBetween } from './dragged-stretch.ts'
import { weeksOf } from './weeks.ts'

const weeks = weeksOf([], '2026-03-23T00:00')
const at = (row: number, hour: number) => ({ row, share: (hour + 0.5) / 168 })

it('has the hours of both ends, in whichever direction it is dragged', () => {
  const stretch = { from: '2026-03-24T09:00', to: '2026-03-24T18:00' }
  expect(stretchBetween(weeks, at(0, 33), at(0, 41))).toEqual(stretch)
  expect(stretchBetween(weeks, at(0, 41), at(0, 33))).toEqual(stretch)
})

it('goes on in the next weeks', () => {
  expect(stretchBetween(weeks, at(0, 160), at(2, 8))).toEqual({
    from: '2026-03-29T16:00',
    to: '2026-04-06T09:00',
  })
})

it('stays in what is shown', () => {
  expect(stretchBetween(weeks, { row: -3, share: -0.2 }, { row: 9, share: 1.4 })).toEqual({
    from: '2026-03-23T00:00',
    to: '2026-05-18T00:00',
  })
})
