import { describe, expect, it } from 'vitest'
import { undoneStorm } from './storm-work.ts'

const shape = { monitors: 100, recoverable: 10, intervalSeconds: 10 }
const calm = {
  open_seconds: 10,
  close_seconds: 11,
  history: { openedAndClosed: 100, interventionsStarted: 4 },
  arrived: { webhook: 200, slack: 2, recovery: 4 },
}

describe('a storm', () => {
  it('took place when every incident was opened and closed and the providers heard of it', () => {
    expect(undoneStorm(shape, calm)).toEqual([])
  })

  it.each([
    ['incidents did not open', { open_seconds: null }],
    ['incidents did not close', { close_seconds: null }],
    ['the history lacks one', { history: { openedAndClosed: 99, interventionsStarted: 4 } }],
    ['nothing arrived', { arrived: { webhook: 0, slack: 0, recovery: 4 } }],
    ['recovery actions were lost', { arrived: { webhook: 200, slack: 2, recovery: 3 } }],
  ])('did not take place when %s', (_, changed) => {
    expect(undoneStorm(shape, { ...calm, ...changed })).toHaveLength(1)
  })
})
