import { promptlyMs } from '@pulseward/testing'
import { checkFixture } from '@pulseward/testing/network'
import { TcpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { errorInWords, runCall } from './outbound-call.ts'

describe('runCall', () => {
  it('gives what the work gave', async () => {
    using fixture = checkFixture()
    expect(await runCall(fixture.network, 1_000, async () => 7)).toEqual({ kind: 'gave', value: 7 })
  })

  it('aborts at the deadline and takes the answer that comes then', async () => {
    using fixture = checkFixture()
    const end = await runCall(
      fixture.network,
      20,
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
    )
    expect(end).toEqual({ kind: 'gave', value: 'stopped' })
  })

  it('ends shortly after the deadline for work that never does', async () => {
    using fixture = checkFixture()
    const began = performance.now()
    const end = await runCall(fixture.network, 50, () => new Promise(() => {}))
    expect(end).toEqual({ kind: 'overran', mayHaveLeft: false })
    expect(performance.now() - began).toBeLessThan(promptlyMs)
  })

  it('ends as at its deadline when its caller gives up, before it began or later', async () => {
    using fixture = checkFixture()
    const caller = new AbortController()
    const stops = ({ signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve('stopped')
        else signal.addEventListener('abort', () => resolve('stopped'))
      })
    const later = runCall(fixture.network, 60_000, stops, caller.signal)
    caller.abort()
    expect(await later).toEqual({ kind: 'gave', value: 'stopped' })
    const before = await runCall(fixture.network, 60_000, stops, AbortSignal.abort())
    expect(before).toEqual({ kind: 'gave', value: 'stopped' })
  })

  it('takes an exception for a value, at once or later', async () => {
    using fixture = checkFixture()
    const error = new Error('a bug')
    const thrown = { kind: 'threw', error, mayHaveLeft: false }
    const throwsAtOnce = (): Promise<never> => {
      throw error
    }
    expect(await runCall(fixture.network, 1_000, throwsAtOnce)).toEqual(thrown)
    expect(await runCall(fixture.network, 1_000, () => Promise.reject(error))).toEqual(thrown)
  })

  it('knows that something may have left once a connection came about', async () => {
    await using target = await TcpTarget.start()
    using fixture = checkFixture()
    const crash = (port: number) =>
      runCall(fixture.network, 1_000, async ({ network }) => {
        const socket = await network.connect({ host: '127.0.0.1', port })
        socket.destroy()
        throw new Error('a bug')
      })
    expect(await crash(target.port)).toMatchObject({ kind: 'threw', mayHaveLeft: true })
    await target.refuses()
    expect(await crash(target.port)).toMatchObject({ kind: 'threw', mayHaveLeft: false })
  })

  it('knows that something may have left when it is told so', async () => {
    using fixture = checkFixture()
    const end = await runCall(fixture.network, 20, ({ departs }) => {
      departs()
      return new Promise(() => {})
    })
    expect(end).toEqual({ kind: 'overran', mayHaveLeft: true })
  })
})

describe('errorInWords', () => {
  it('is one short line, whatever was thrown', () => {
    expect(errorInWords(new Error(`a\nb${'x'.repeat(1_000)}`))).toMatch(/^"a b.{70,80}…"$/)
    expect(errorInWords(null)).toBe('"null"')
  })
})
