import {
  answered,
  codePoints,
  hostileNotification,
  longNotification,
  notificationOf,
} from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Color, Severity } from '../driver.ts'
import { opsgenie } from './opsgenie.ts'

const api_key = 'key-of-a-test'

function requestOf(...parameters: Parameters<typeof notificationOf>) {
  const { url, headers, body } = opsgenie.buildRequest({ api_key }, notificationOf(...parameters))
  expect(headers['authorization']).toBe('GenieKey key-of-a-test')
  return { url, body: JSON.parse(body!) }
}

describe('an Opsgenie request', () => {
  it('creates an alert for red', () => {
    expect(requestOf()).toEqual({
      url: 'https://api.opsgenie.com/v2/alerts',
      body: {
        alias: 'pulseward:checkout-api',
        message: 'Checkout API is down',
        description: [
          'Status: incident',
          'Severity: critical',
          'Seen: connection refused by shop.test:443',
          'Since: 2026-01-31 08:14:30 UTC',
          'Incident: 0mfx-7',
          'https://status.test/monitors/checkout-api',
        ].join('\n'),
        entity: 'checkout-api',
        source: 'Pulseward',
        priority: 'P1',
      },
    })
  })

  it('closes it for green by its alias, even after a rename', () => {
    expect(requestOf({ color: 'green', monitor: 'Renamed', seen: null })).toEqual({
      url: 'https://api.opsgenie.com/v2/alerts/pulseward:checkout-api/close?identifierType=alias',
      body: { source: 'Pulseward', note: 'Renamed has recovered' },
    })
  })

  it.each<Color>(['cyan', 'gray'])('is a note on it for %s', (color) => {
    expect(requestOf({ color }).url).toBe(
      'https://api.opsgenie.com/v2/alerts/pulseward:checkout-api/notes?identifierType=alias',
    )
  })

  it.each<[Severity, string]>([
    ['critical', 'P1'],
    ['warning', 'P3'],
    ['info', 'P5'],
  ])('has a priority for %s', (severity, priority) => {
    expect(requestOf({ severity }).body.priority).toBe(priority)
  })

  it('goes to the region of the account', () => {
    const request = opsgenie.buildRequest({ api_key, region: 'eu' }, notificationOf())
    expect(request.url).toBe('https://api.eu.opsgenie.com/v2/alerts')
  })

  it('keeps to the limits of Opsgenie', () => {
    const { body } = requestOf({ ...longNotification, monitorId: 'x'.repeat(128) })
    expect(codePoints(body.message)).toBe(130)
    expect(codePoints(body.description)).toBeLessThanOrEqual(15_000)
    expect(body.alias.length).toBeLessThanOrEqual(250)
  })

  it('does not mention anyone', () => {
    expect(JSON.stringify(requestOf(hostileNotification).body)).not.toMatch(/@(everyone|here|channel)/)
  })
})

it.each<[ActionOutcome, ReturnType<typeof answered>]>([
  [{ kind: 'accepted' }, answered(202, { result: 'Request will be processed' })],
  [
    { kind: 'retry', reason: 'Opsgenie answered 429', retryAfterMs: 60_000 },
    answered(429, { message: 'TooManyRequests' }, { 'x-ratelimit-period-in-sec': '60' }),
  ],
  [{ kind: 'retry', reason: 'the provider answered 429', retryAfterMs: null }, answered(429)],
  [{ kind: 'retry', reason: 'the provider answered 503', retryAfterMs: null }, answered(503)],
  [{ kind: 'rejected', reason: 'the provider answered 422' }, answered(422, { message: 'no' })],
  [{ kind: 'rejected', reason: 'the provider answered 401' }, answered(401)],
  [{ kind: 'gone', reason: 'the provider answered 410: the destination is gone' }, answered(410)],
])('%j is what Opsgenie means by %j', (outcome, answer) => {
  expect(opsgenie.classifyResponse(answer)).toEqual(outcome)
})
