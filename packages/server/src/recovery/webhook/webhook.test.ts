import { intervention, recoverOnce } from '@pulseward/testing/recovery'
import { answers, HttpTarget, type ReceivedRequest, readRequest } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { webhook } from './webhook.ts'

const call = (url: string, more: object = {}, allowLoopback = true): Promise<ActionOutcome> =>
  recoverOnce(webhook, { url, ...more }, { allowLoopback })

async function received(more: object): Promise<ReceivedRequest> {
  await using target = await HttpTarget.start()
  expect(await call(target.url('/restart'), more)).toEqual({ kind: 'accepted' })
  return readRequest(target.requests[0]!)
}

describe('the webhook recovery', () => {
  it('posts a description as JSON', async () => {
    const { method, headers, body } = await received({ headers: { 'X-Key': 'k' } })
    expect(method).toBe('POST')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-key')).toBe('k')
    expect(JSON.parse(body)).toEqual({
      monitor_id: 'checkout-api',
      monitor: intervention.monitor,
      action_id: '0mfx-9',
      incident_id: null,
      summary: 'connection refused by shop.test:443',
      at: '2026-01-31T08:15:00.000Z',
      link: null,
    })
  })

  it('sends the configured body and method unchanged', async () => {
    const more = { method: 'PUT', body: '<restart/>', headers: { 'Content-Type': 'text/xml' } }
    const { method, headers, body } = await received(more)
    expect([method, headers.get('content-type'), body]).toEqual(['PUT', 'text/xml', '<restart/>'])
  })

  it('sends no body with a GET', async () => {
    const { method, body } = await received({ method: 'GET' })
    expect([method, body]).toEqual(['GET', ''])
  })

  it.each([502, 504, 520, 524])(
    'does not know whether the action ran when a gateway answers %i',
    async (status) => {
      await using target = await HttpTarget.start()
      target.behave(answers({ status }))
      expect(await call(target.url())).toEqual({
        kind: 'unknown',
        reason: `a gateway before the webhook answered ${status}: the action may have run`,
      })
    },
  )

  it.each([400, 408, 425, 429, 500, 501, 503])('takes %i for a definite rejection', async (status) => {
    await using target = await HttpTarget.start()
    target.behave(answers({ status }))
    expect(await call(target.url())).toEqual({ kind: 'rejected', reason: `the webhook answered ${status}` })
  })

  it('reaches loopback only if the setting allows it', async () => {
    await using target = await HttpTarget.start()
    expect(await call(target.url(), {}, false)).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('network.allow_loopback_notify'),
    })
    expect(target.acceptedSockets).toBe(0)
  })
})
