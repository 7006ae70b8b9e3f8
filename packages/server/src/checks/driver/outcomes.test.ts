import { LoopbackRun } from '@pulseward/testing/checks'
import { afterAll, describe, expect, it } from 'vitest'
import { ConnectError } from '../../platform/network/network.ts'
import { abandonAtDeadline, networkFailure, successWithin } from './outcomes.ts'

describe('what the network said, as an outcome', () => {
  const run = new LoopbackRun(5_000)
  afterAll(() => run[Symbol.dispose]())

  it.each([
    ['ABORTED', 'timeout', 'no connection within 5 s'],
    ['CROWDED', 'no_data', 'no connection'],
    ['UNSUPPORTED', 'no_data', 'no connection'],
    ['REFUSED', 'failure', 'no connection'],
  ])('%s is %s', (code, status, reason) => {
    expect(networkFailure(new ConnectError(code, 'no connection', 'local'), run)).toMatchObject({
      status,
      reason,
    })
  })

  it('is thrown on when it is no word of the network', () => {
    expect(() => networkFailure(new TypeError('a bug'), run)).toThrow('a bug')
  })

  it('warns of a success that took longer than allowed', () => {
    expect(successWithin(600, '500ms').warning).toBe('it took 600 ms, more than 500 ms')
    expect(successWithin(500, '500ms').warning).toBeNull()
  })
})

describe('the deadline for steps of the network', () => {
  it('stops the step that is under way, once', () => {
    using run = new LoopbackRun()
    const abandon = abandonAtDeadline(run)
    const stopped: string[] = []
    abandon.onStop = () => stopped.push('first')
    abandon.onStop = () => stopped.push('second')
    run.expire()
    expect(stopped).toEqual(['second'])
  })

  it('stops a step at once that begins after it', () => {
    using run = new LoopbackRun()
    const abandon = abandonAtDeadline(run)
    run.expire()
    let stops = 0
    abandon.onStop = () => stops++
    expect(stops).toBe(1)
  })
})
