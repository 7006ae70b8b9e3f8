import { checkFixture, notificationOf } from '@pulseward/testing/notify'
import { TcpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { type ActionOutcome, accepted, rejected, retry } from '../platform/action-outcome.ts'
import { closed } from '../platform/schema.ts'
import { defineNotifier, type Notifier, type NotifyRun } from './driver.ts'
import { runNotifier } from './runner.ts'

function notifier(notify: (run: NotifyRun) => unknown): Notifier {
  return defineNotifier({
    summary: 'For a test.',
    needs: 'Nothing.',
    config: closed({}),
    rate: { maxInFlight: 1, perSecond: null },
    limits: null,
    target: () => 'a test',
    notify: (_config, _notification, run) => notify(run) as Promise<ActionOutcome>,
  })
}

async function run(driver: Notifier, secrets: string[] = [], timeoutMs = 100): Promise<ActionOutcome> {
  using fixture = checkFixture()
  const delivery = { driver, config: {}, notification: notificationOf(), timeoutMs, secrets }
  return await runNotifier(delivery, { network: fixture.network, log: () => {} })
}

describe('runNotifier', () => {
  it('returns the outcome of the driver', async () => {
    expect(await run(notifier(async () => accepted()))).toEqual({ kind: 'accepted' })
    expect(await run(notifier(async () => retry('busy', 7)))).toEqual({
      kind: 'retry',
      reason: 'busy',
      retryAfterMs: 7,
    })
  })

  it('redacts secrets in reasons and notes', async () => {
    expect(
      await run(
        notifier(async () => rejected('not with s3cret')),
        ['s3cret'],
      ),
    ).toMatchObject({
      reason: 'not with [redacted]',
    })
    expect(
      await run(
        notifier(async () => accepted('by s3cret')),
        ['s3cret'],
      ),
    ).toMatchObject({
      note: 'by [redacted]',
    })
  })

  it('rejects for a driver that fails before anything left', async () => {
    const driver = notifier(() => {
      throw new Error('s3cret bug')
    })
    expect(await run(driver, ['s3cret'])).toEqual({
      kind: 'rejected',
      reason: 'the notifier itself failed: "[redacted] bug"',
    })
  })

  it('does not know what became of a message when the driver fails after a connection', async () => {
    await using target = await TcpTarget.start()
    const driver = notifier(async ({ network }) => {
      const socket = await network.connect({ host: '127.0.0.1', port: target.port })
      socket.destroy()
      throw new Error('a bug')
    })
    expect(await run(driver, [], 2_000)).toMatchObject({ kind: 'unknown' })
  })

  it('does not know what became of a message when the driver fails after writing to the log', async () => {
    const driver = notifier((given) => {
      given.log('hello', {})
      throw new Error('a bug')
    })
    expect(await run(driver)).toMatchObject({ kind: 'unknown' })
  })

  it('ends a driver that ignores its deadline', async () => {
    expect(await run(notifier(() => new Promise(() => {})))).toEqual({
      kind: 'retry',
      reason: 'no outcome within 100 ms; the notifier did not stop by itself',
      retryAfterMs: null,
    })
  })

  it.each([
    undefined,
    null,
    'yes',
    { kind: 'fine' },
    { kind: 'retry', reason: 'x', retryAfterMs: Number.NaN },
  ])('does not know what %j means', async (value) => {
    expect(await run(notifier(async () => value))).toMatchObject({ kind: 'unknown' })
  })
})
