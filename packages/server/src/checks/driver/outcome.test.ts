import { LoopbackRun } from '@pulseward/testing/checks'
import { Type } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { ConnectError } from '../../platform/network/network.ts'
import { defineCheck } from '../driver.ts'
import { CheckFailure, deadlinePassed, outcomeOfError, successWithin, UnusableConfig } from './outcome.ts'

const run = new LoopbackRun(5_000)
afterAll(() => run[Symbol.dispose]())

describe('an error of the network', () => {
  it.each([
    ['ABORTED', 'timeout', 'no connection within 5 s'],
    ['CROWDED', 'no_data', 'no connection'],
    ['UNSUPPORTED', 'no_data', 'no connection'],
    ['UNUSABLE', 'no_data', 'no connection'],
    ['REFUSED', 'failure', 'no connection'],
  ])('%s is %s', (code, status, reason) => {
    expect(outcomeOfError(new ConnectError(code, 'no connection', 'local'), run)).toMatchObject({
      status,
      reason,
      evidence: 'local',
    })
  })

  it('is a timeout in the words of the step that the deadline stopped', () => {
    expect(outcomeOfError(deadlinePassed('no reply from shop.test:443'), run)).toMatchObject({
      status: 'timeout',
      reason: 'no reply from shop.test:443 within 5 s',
    })
  })
})

describe('a failure of the check', () => {
  it('is the word of the target unless it says otherwise', () => {
    expect(outcomeOfError(new CheckFailure('it is down'), run)).toMatchObject({
      status: 'failure',
      reason: 'it is down',
      evidence: 'target',
    })
    expect(outcomeOfError(new CheckFailure('no such key', 'local'), run).evidence).toBe('local')
  })
})

describe('a configuration that cannot be sent', () => {
  it('says nothing about the target', () => {
    expect(outcomeOfError(new UnusableConfig('the header cannot be sent'), run)).toMatchObject({
      status: 'no_data',
      reason: 'the header cannot be sent',
    })
  })
})

describe('a defined check', () => {
  const throwing = (error: Error) =>
    defineCheck({
      summary: 'Throws.',
      config: Type.Object({}),
      target: () => 'nowhere',
      check: () => Promise.reject(error),
    })

  it('answers with the outcome of what its driver throws', async () => {
    const outcome = await throwing(new CheckFailure('it is down')).check({}, run)
    expect(outcome).toMatchObject({ status: 'failure', reason: 'it is down' })
  })

  it('throws on what neither the target nor the network did', async () => {
    await expect(throwing(new TypeError('a bug')).check({}, run)).rejects.toThrow('a bug')
  })
})

describe('a success', () => {
  it('carries a warning when it took longer than allowed', () => {
    expect(successWithin(600, '500ms').warning).toBe('it took 600 ms, more than 500 ms')
    expect(successWithin(500, '500ms').warning).toBeNull()
  })
})
