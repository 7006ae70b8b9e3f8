import { checkFixture, notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import { runNotifier } from '../runner.ts'
import { log } from './log.ts'

describe('the log notifier', () => {
  it('writes one line with the identities beside it', async () => {
    using fixture = checkFixture()
    const written: unknown[] = []
    const delivery = { driver: log, config: {}, notification: notificationOf(), timeoutMs: 100, secrets: [] }
    const write = (message: string, fields: object): void => void written.push([message, fields])
    expect(await runNotifier(delivery, { network: fixture.network, log: write })).toMatchObject({
      kind: 'accepted',
    })
    expect(written).toEqual([
      [
        'Checkout API is down: connection refused by shop.test:443',
        expect.objectContaining({ monitorId: 'checkout-api', color: 'red', incidentId: '0mfx-7' }),
      ],
    ])
  })
})
