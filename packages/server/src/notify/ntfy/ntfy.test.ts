import { answered, hostileNotification, longNotification, notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Color } from '../driver.ts'
import { ntfy } from './ntfy.ts'

function messageOf(...parameters: Parameters<typeof notificationOf>) {
  return JSON.parse(ntfy.buildRequest({ topic: 'alerts' }, notificationOf(...parameters)).body!)
}

describe('an ntfy message', () => {
  it('is published as JSON to the server', () => {
    const request = ntfy.buildRequest({ topic: 'alerts', token: 'tk_1' }, notificationOf())
    expect(request).toMatchObject({ url: 'https://ntfy.sh', headers: { authorization: 'Bearer tk_1' } })
    expect(JSON.parse(request.body!)).toEqual({
      topic: 'alerts',
      title: 'Checkout API is down',
      message: [
        'Status: incident',
        'Severity: critical',
        'Seen: connection refused by shop.test:443',
        'Since: 2026-01-31 08:14:30 UTC',
        'Incident: 0mfx-7',
      ].join('\n'),
      priority: 5,
      tags: ['red_circle'],
      click: 'https://status.test/monitors/checkout-api',
    })
  })

  it('sends no credentials without a token', () => {
    expect(ntfy.buildRequest({ topic: 'alerts' }, notificationOf()).headers).not.toHaveProperty(
      'authorization',
    )
  })

  it.each<[Color, number]>([
    ['red', 5],
    ['yellow', 4],
    ['green', 3],
    ['cyan', 2],
    ['gray', 2],
  ])('gives %s the priority %i', (color, priority) => {
    expect(messageOf({ color }).priority).toBe(priority)
  })

  it('keeps to the limits of ntfy, in bytes', () => {
    const { title, message } = messageOf({ ...longNotification, seen: '🔥'.repeat(5_000) })
    expect(Buffer.byteLength(title)).toBeLessThanOrEqual(1_024)
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096)
    expect(Buffer.byteLength(message)).toBeGreaterThan(4_000)
  })

  it('is plain text without mentions', () => {
    const hostile = messageOf(hostileNotification)
    expect(hostile).not.toHaveProperty('markdown')
    expect(hostile.message).not.toMatch(/@(everyone|here|channel)/)
  })

  it('never shows its topic, which is enough to post', () => {
    expect(ntfy.target({ topic: 'alerts', api_url: 'https://ntfy.test/x' })).toBe('https://ntfy.test')
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200, { id: 'x', event: 'message' })],
  ['rejected', answered(200, '<html>')],
  ['retry', answered(429, { code: 42_901, http: 429, error: 'limit reached: too many requests' })],
  ['rejected', answered(429, { code: 42_908, http: 429, error: 'limit reached: daily message quota' })],
  ['rejected', answered(403, { code: 40_301, http: 403, error: 'forbidden' })],
  ['gone', answered(410)],
])('%s is what ntfy means by %j', (kind, answer) => {
  expect(ntfy.classifyResponse(answer).kind).toBe(kind)
})
