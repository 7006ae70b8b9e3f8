import { describe, expect, it } from 'vitest'
import { undoneStorm } from './storm-work.ts'

const shape = { monitors: 100, recoverable: 10, intervalSeconds: 10, policies: 5, people: 20 }
const calm = {
  open_seconds: 10,
  close_seconds: 11,
  history: { opened: 106, openedAndClosed: 100, interventionsStarted: 4, paged: 106 },
  arrived: { webhook: 200, slack: 2, recovery: 4, page: 40, people: 20, mostPagesInAMinute: 1 },
}

describe('a storm', () => {
  it('took place when every incident was opened and closed and the providers heard of it', () => {
    expect(undoneStorm(shape, calm)).toEqual([])
  })

  it.each([
    ['incidents did not open', { open_seconds: null }],
    ['incidents did not close', { close_seconds: null }],
    ['the history lacks one', { history: { ...calm.history, openedAndClosed: 99 } }],
    ['nothing arrived', { arrived: { ...calm.arrived, webhook: 0, slack: 0 } }],
    ['recovery actions were lost', { arrived: { ...calm.arrived, recovery: 3 } }],
    ['an incident belongs to no page', { history: { ...calm.history, paged: 105 } }],
    ['a person was not paged', { arrived: { ...calm.arrived, people: 19 } }],
    ['a person was paged twice in a minute', { arrived: { ...calm.arrived, mostPagesInAMinute: 2 } }],
  ])('did not take place when %s', (_, changed) => {
    expect(undoneStorm(shape, { ...calm, ...changed })).toHaveLength(1)
  })
})
