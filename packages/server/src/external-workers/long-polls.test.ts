import { describe, expect, it, vi } from 'vitest'
import type { Capability } from './job.ts'
import { LongPolls, type Poll } from './long-polls.ts'

const depth: Capability = { kind: 'check', jobType: 'depth', version: '1' }
const mail: Capability = { kind: 'check', jobType: 'mail', version: '1' }
const key = 'check depth 1'

function pollOf(workerId: string, digest = 'of-berlin', capabilities = [depth]): Poll {
  return { worker: { principal: 'berlin', workerId }, digest, capabilities, capacity: 1, limit: 1 }
}

const namesIn = (polls: LongPolls<string>, line = key) =>
  [...polls.waitingFor(line)].map(({ worker }) => worker.workerId).join(' ')

describe('polls that wait', () => {
  it('stand in every line that their worker can do something of, and leave all of them at once', async () => {
    const polls = new LongPolls<string>(10)
    const first = polls.wait(pollOf('a', 'x', [depth, mail]), 60_000, 'nothing', () => {})
    void polls.wait(pollOf('b'), 60_000, 'nothing', () => {})
    expect([namesIn(polls), namesIn(polls, 'check mail 1')]).toEqual(['a b', 'a'])
    for (const poll of polls.waitingFor(key)) if (poll.worker.workerId === 'a') poll.answer('work')
    expect(await first).toBe('work')
    expect([namesIn(polls), namesIn(polls, 'check mail 1'), polls.size]).toEqual(['b', '', 1])
    polls.close()
  })

  it('are answered with nothing after their time', async () => {
    vi.useFakeTimers()
    try {
      const polls = new LongPolls<string>(10)
      const poll = polls.wait(pollOf('a'), 25_000, 'nothing', () => {})
      vi.advanceTimersByTime(24_999)
      expect(polls.size).toBe(1)
      vi.advanceTimersByTime(1)
      expect(await poll).toBe('nothing')
      expect(polls.size).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('leave when their client is gone, so that nobody is offered what it will not start', async () => {
    const polls = new LongPolls<string>(10)
    let hangUp = () => {}
    const poll = polls.wait(pollOf('a'), 60_000, 'nothing', (giveUp) => {
      hangUp = giveUp
    })
    hangUp()
    expect(await poll).toBe('nothing')
    expect(namesIn(polls)).toBe('')
  })

  it('end with the token that they came with, and no other', async () => {
    const polls = new LongPolls<string>(10)
    const revoked = polls.wait(pollOf('a', 'revoked'), 60_000, 'nothing', () => {})
    void polls.wait(pollOf('b', 'kept'), 60_000, 'nothing', () => {})
    polls.endThoseOf(new Set(['revoked']), () => new Error('revoked'))
    await expect(revoked).rejects.toThrow('revoked')
    expect(namesIn(polls)).toBe('b')
    polls.close()
  })

  it('are no more than allowed, and none once the service ends', async () => {
    const polls = new LongPolls<string>(1)
    const poll = polls.wait(pollOf('a'), 60_000, 'nothing', () => {})
    expect(polls.isFull).toBe(true)
    polls.close()
    expect(await poll).toBe('nothing')
    expect(await polls.wait(pollOf('b'), 60_000, 'nothing', () => {})).toBe('nothing')
  })
})
