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
import { datadog } from './datadog.ts'

const api_key = 'key-of-a-test'

function eventOf(...parameters: Parameters<typeof notificationOf>) {
  const { url, headers, body } = datadog.buildRequest({ api_key }, notificationOf(...parameters))
  expect(url).toBe('https://api.datadoghq.com/api/v1/events')
  expect(headers['DD-API-KEY']).toBe(api_key)
  return JSON.parse(body!)
}

describe('a Datadog event', () => {
  it('is an error for red', () => {
    expect(eventOf()).toEqual({
      title: 'Checkout API is down',
      text: [
        'Status: incident',
        'Severity: critical',
        'Seen: connection refused by shop.test:443',
        'Since: 2026-01-31 08:14:30 UTC',
        'Incident: 0mfx-7',
        'https://status.test/monitors/checkout-api',
      ].join('\n'),
      alert_type: 'error',
      priority: 'normal',
      aggregation_key: 'pulseward:checkout-api',
      date_happened: 1_769_847_300,
      tags: ['monitor_id:checkout-api'],
    })
  })

  it.each<[Color, string, string]>([
    ['yellow', 'warning', 'normal'],
    ['green', 'success', 'normal'],
    ['cyan', 'info', 'low'],
    ['gray', 'info', 'low'],
  ])('has for %s the type %s and %s priority, under the same key', (color, alert_type, priority) => {
    expect(eventOf({ color, monitor: 'Renamed' })).toMatchObject({
      alert_type,
      priority,
      aggregation_key: 'pulseward:checkout-api',
    })
  })

  it('goes to the site of the organization, with its tags', () => {
    const config = { api_key, site: 'datadoghq.eu' as const, tags: ['team:payments'] }
    const { url, body } = datadog.buildRequest(config, notificationOf())
    expect(url).toBe('https://api.datadoghq.eu/api/v1/events')
    expect(JSON.parse(body!).tags).toEqual(['team:payments', 'monitor_id:checkout-api'])
    expect(datadog.target(config)).toBe('https://api.datadoghq.eu')
  })

  it('keeps to the limits of Datadog', () => {
    const event = eventOf({ ...longNotification, monitorId: 'x'.repeat(128) })
    expect(codePoints(event.title)).toBe(100)
    expect(codePoints(event.text)).toBeLessThanOrEqual(4_000)
    expect(event.aggregation_key.length).toBeLessThanOrEqual(100)
  })

  it('notifies no handle and is not read as Markdown', () => {
    expect(eventOf(hostileNotification).text).not.toMatch(/@(everyone|here|channel)/)
    expect(eventOf({ monitor: '%%%', seen: '%%% @pagerduty' }).text).toMatch(
      /^Status: [\s\S]*@\u200bpagerduty/,
    )
  })
})

it.each<[ActionOutcome['kind'], number | null, ReturnType<typeof answered>]>([
  ['accepted', null, answered(202, { status: 'ok' })],
  ['rejected', null, answered(200, '<html>')],
  ['retry', 42_000, answered(429, { errors: ['Too many requests'] }, { 'x-ratelimit-reset': '42' })],
  ['retry', null, answered(429)],
  ['rejected', null, answered(403, { errors: ['Forbidden'] })],
  ['gone', null, answered(410)],
])('%s (wait %s) is what Datadog means by %j', (kind, retryAfterMs, answer) => {
  const outcome = datadog.classifyResponse(answer)
  expect(outcome.kind).toBe(kind)
  if (outcome.kind === 'retry') expect(outcome.retryAfterMs).toBe(retryAfterMs)
})
