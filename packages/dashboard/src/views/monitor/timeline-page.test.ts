import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../data/history.ts'
import { editsOnPage, nextParameter, olderPageOf } from './timeline-page.ts'

const pageOf = (ids: readonly number[], next_cursor: string | null) => ({
  events: ids.map((id) => ({ id: String(id) }) as HistoryEvent),
  next_cursor,
})
const edits = [1, 4, 7, 10, 13].map(
  (id): v2.Event => ({ id: String(id), kind: 'resource_updated', time: '' }),
)
const idsOf = (found: readonly v2.Event[]) => found.map(({ id }) => Number(id))

/** Three pages of one log, each as its address names it. */
const first = pageOf([12, 11, 9], 'second')
const second = pageOf([8, 6], 'third')
const third = pageOf([3, 2], null)

describe('the pages of a timeline', () => {
  it('have every edit of the monitor once, also those between two pages', () => {
    const older = olderPageOf(nextParameter(first))
    const oldest = olderPageOf(nextParameter(second))
    expect([older?.cursor, oldest?.cursor]).toEqual(['second', 'third'])
    expect([
      idsOf(editsOnPage(edits, first, null)),
      idsOf(editsOnPage(edits, second, older)),
      idsOf(editsOnPage(edits, third, oldest)),
    ]).toEqual([[10, 13], [7], [1, 4]])
  })

  it('have no edit twice when the address has the cursor alone', () => {
    const older = olderPageOf('second')
    expect(older).toEqual({ cursor: 'second', beforeId: null })
    expect(idsOf(editsOnPage([...edits, { ...edits[0]!, id: '9' }], second, older))).toEqual([7])
  })

  it('have all edits of a monitor to which nothing else happened', () => {
    expect(idsOf(editsOnPage(edits, pageOf([], null), null))).toEqual([1, 4, 7, 10, 13])
    expect(nextParameter(pageOf([], null))).toBeNull()
  })
})
