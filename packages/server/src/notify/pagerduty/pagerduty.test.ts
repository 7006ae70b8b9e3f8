import {
  answered,
  codePoints,
  hostileNotification,
  longNotification,
  notificationOf,
} from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Color } from '../driver.ts'
import { pagerduty } from './pagerduty.ts'

const routing_key = '0123456789abcdef0123456789abcdef'

function eventOf(...parameters: Parameters<typeof notificationOf>) {
  const { url, body } = pagerduty.buildRequest({ routing_key }, notificationOf(...parameters))
  return { url, event: JSON.parse(body!) }
}

describe('a PagerDuty event', () => {
  it('triggers for red', () => {
    const { url, event } = eventOf()
    expect(url).toBe('https://events.pagerduty.com/v2/enqueue')
    expect(event).toEqual({
      routing_key,
      event_action: 'trigger',
      dedup_key: 'pulseward:checkout-api',
      payload: {
        summary: 'Checkout API is down: connection refused by shop.test:443',
        source: 'checkout-api',
        severity: 'critical',
        timestamp: '2026-01-31T08:15:00.000Z',
        custom_details: {
          status: 'incident',
          severity: 'critical',
          seen: 'connection refused by shop.test:443',
          since: '2026-01-31 08:14:30 UTC',
          incident: '0mfx-7',
        },
      },
      client: 'Pulseward',
      client_url: 'https://status.test/monitors/checkout-api',
      links: [{ href: 'https://status.test/monitors/checkout-api', text: 'Open in Pulseward' }],
    })
  })

  it('resolves for green what was triggered, even after a rename', () => {
    const { url, event } = eventOf({ color: 'green', monitor: 'Renamed' })
    expect(url).toBe('https://events.pagerduty.com/v2/enqueue')
    expect(event).toEqual({ routing_key, event_action: 'resolve', dedup_key: 'pulseward:checkout-api' })
  })

  it('triggers a warning for yellow under the same key', () => {
    const { event } = eventOf({ color: 'yellow', severity: 'warning' })
    expect(event).toMatchObject({ dedup_key: 'pulseward:checkout-api', payload: { severity: 'warning' } })
  })

  it.each<Color>(['cyan', 'gray'])('is a change event for %s, which pages no one', (color) => {
    const { url, event } = eventOf({ color, severity: 'info', link: null })
    expect(url).toBe('https://events.pagerduty.com/v2/change/enqueue')
    expect(Object.keys(event).sort()).toEqual(['payload', 'routing_key'])
    expect(event.payload).not.toHaveProperty('severity')
  })

  it('goes to the region of the account', () => {
    const urlOf = (config: object) => pagerduty.buildRequest({ routing_key, ...config }, notificationOf()).url
    expect(urlOf({ region: 'eu' })).toBe('https://events.eu.pagerduty.com/v2/enqueue')
    expect(urlOf({ api_url: 'https://proxy.test/pd/' })).toBe('https://proxy.test/pd/v2/enqueue')
  })

  it('keeps to the limits of PagerDuty', () => {
    const { payload, dedup_key } = eventOf({ ...longNotification, monitorId: 'x'.repeat(128) }).event
    expect(codePoints(payload.summary)).toBe(1_024)
    expect(dedup_key.length).toBeLessThanOrEqual(255)
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(512 * 1_024)
  })

  it('does not mention anyone', () => {
    expect(eventOf(hostileNotification).event.payload.summary).not.toMatch(/@(everyone|here|channel)/)
  })
})

it.each<[ActionOutcome, ReturnType<typeof answered>]>([
  [{ kind: 'accepted' }, answered(202, { status: 'success' })],
  [
    { kind: 'retry', reason: 'the provider answered 429', retryAfterMs: 120_000 },
    answered(429, { status: 'throttle exceeded' }),
  ],
  [
    { kind: 'retry', reason: 'the provider answered 429', retryAfterMs: 9_000 },
    answered(429, '', { 'retry-after': '9' }),
  ],
  [{ kind: 'retry', reason: 'the provider answered 500', retryAfterMs: null }, answered(500)],
  [
    { kind: 'gone', reason: 'PagerDuty answered 400: it does not know the routing key' },
    answered(400, { status: 'invalid event', errors: ['Invalid routing key'] }),
  ],
  [
    { kind: 'rejected', reason: 'the provider answered 400' },
    answered(400, { status: 'invalid event', errors: ["'payload' is missing"] }),
  ],
])('%j is what PagerDuty means by %j', (outcome, answer) => {
  expect(pagerduty.classifyResponse(answer)).toEqual(outcome)
})
