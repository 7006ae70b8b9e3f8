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
import { victorops } from './victorops.ts'

const config = { api_key: '558e7ebc-key', routing_key: 'database' }

function messageOf(...parameters: Parameters<typeof notificationOf>) {
  const { url, body } = victorops.buildRequest(config, notificationOf(...parameters))
  expect(url).toBe('https://alert.victorops.com/integrations/generic/20131114/alert/558e7ebc-key/database')
  return JSON.parse(body!)
}

describe('a VictorOps message', () => {
  it('opens an incident for red', () => {
    expect(messageOf()).toEqual({
      message_type: 'CRITICAL',
      entity_id: 'pulseward:checkout-api',
      entity_display_name: 'Checkout API is down',
      state_message: [
        'Status: incident',
        'Severity: critical',
        'Seen: connection refused by shop.test:443',
        'Since: 2026-01-31 08:14:30 UTC',
        'Incident: 0mfx-7',
        'https://status.test/monitors/checkout-api',
      ].join('\n'),
      state_start_time: 1_769_847_270,
      monitoring_tool: 'Pulseward',
      alert_url: 'https://status.test/monitors/checkout-api',
    })
  })

  it('recovers it for green, even after a rename', () => {
    expect(messageOf({ color: 'green', monitor: 'Renamed' })).toMatchObject({
      message_type: 'RECOVERY',
      entity_id: 'pulseward:checkout-api',
    })
  })

  it.each<[Color, string]>([
    ['yellow', 'WARNING'],
    ['cyan', 'INFO'],
    ['gray', 'INFO'],
  ])('has for %s the type %s', (color, type) => {
    expect(messageOf({ color }).message_type).toBe(type)
  })

  it('keeps to the limits of VictorOps and mentions no one', () => {
    expect(codePoints(messageOf(longNotification).state_message)).toBeLessThanOrEqual(20_480)
    expect(JSON.stringify(messageOf(hostileNotification))).not.toMatch(/@(everyone|here|channel)/)
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200, { result: 'success', entity_id: 'x' })],
  ['rejected', answered(200, { result: 'failure', message: 'no' })],
  ['rejected', answered(404)],
  ['retry', answered(429)],
  ['retry', answered(503)],
  ['gone', answered(410)],
])('%s is what VictorOps means by %j', (kind, answer) => {
  expect(victorops.classifyResponse(answer).kind).toBe(kind)
})
