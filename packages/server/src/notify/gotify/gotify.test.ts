import { answered, hostileNotification, notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Color } from '../driver.ts'
import { gotify } from './gotify.ts'

const config = { api_url: 'https://push.test/gotify/', token: 'app-token' }

function messageOf(...parameters: Parameters<typeof notificationOf>) {
  const { url, headers, body } = gotify.buildRequest(config, notificationOf(...parameters))
  expect(url).toBe('https://push.test/gotify/message')
  expect(headers['X-Gotify-Key']).toBe('app-token')
  return JSON.parse(body!)
}

describe('a Gotify message', () => {
  it('is plain text with a link to click on', () => {
    expect(messageOf()).toEqual({
      title: 'Checkout API is down',
      message: [
        'Status: incident',
        'Severity: critical',
        'Seen: connection refused by shop.test:443',
        'Since: 2026-01-31 08:14:30 UTC',
        'Incident: 0mfx-7',
        'https://status.test/monitors/checkout-api',
      ].join('\n'),
      priority: 8,
      extras: {
        'client::display': { contentType: 'text/plain' },
        'client::notification': { click: { url: 'https://status.test/monitors/checkout-api' } },
      },
    })
    expect(messageOf({ link: null }).extras).toEqual({ 'client::display': { contentType: 'text/plain' } })
  })

  it.each<[Color, number]>([
    ['red', 8],
    ['yellow', 5],
    ['green', 5],
    ['cyan', 2],
    ['gray', 2],
  ])('gives %s the priority %i', (color, priority) => {
    expect(messageOf({ color }).priority).toBe(priority)
  })

  it('does not mention anyone', () => {
    expect(messageOf(hostileNotification).message).not.toMatch(/@(everyone|here|channel)/)
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200, { id: 25 })],
  ['rejected', answered(200, '<html>')],
  ['rejected', answered(401, { error: 'Unauthorized', errorCode: 401 })],
  ['retry', answered(429, '', { 'retry-after': '4' })],
  ['retry', answered(502)],
  ['gone', answered(410)],
])('%s is what Gotify means by %j', (kind, answer) => {
  expect(gotify.classifyResponse(answer).kind).toBe(kind)
})
