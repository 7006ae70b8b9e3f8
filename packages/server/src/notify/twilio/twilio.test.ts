import {
  answered,
  codePoints,
  hostileNotification,
  longNotification,
  notificationOf,
} from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Notification } from '../driver.ts'
import { twilio } from './twilio.ts'

const account_sid = `AC${'0'.repeat(32)}`
const config = { account_sid, auth_token: 'secret', from: '+15005550006', to: '+15005550010' }

function fieldsOf(notification: Notification, more: object = {}): Record<string, string> {
  const { url, headers, body } = twilio.buildRequest({ ...config, ...more }, notification)
  expect(url).toBe(`https://api.twilio.com/2010-04-01/Accounts/${account_sid}/Messages.json`)
  expect(headers).toEqual({
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${account_sid}:secret`).toString('base64')}`,
  })
  return Object.fromEntries(new URLSearchParams(body!))
}

describe('a text message', () => {
  it('is one sentence and the link', () => {
    expect(fieldsOf(notificationOf())).toEqual({
      To: '+15005550010',
      From: '+15005550006',
      Body: 'Checkout API is down: connection refused by shop.test:443\nhttps://status.test/monitors/checkout-api',
    })
    expect(fieldsOf(notificationOf({ color: 'green', seen: null, link: null }))['Body']).toBe(
      'Checkout API has recovered',
    )
  })

  it('may come from a messaging service', () => {
    const from = `MG${'a'.repeat(32)}`
    const fields = fieldsOf(notificationOf(), { from })
    expect(fields).toMatchObject({ MessagingServiceSid: from })
    expect(fields).not.toHaveProperty('From')
  })

  it('stays short and never cuts its link, which is dropped if it is too long', () => {
    const { Body } = fieldsOf(longNotification)
    expect(codePoints(Body!)).toBe(320)
    expect(Body).toMatch(/…\nhttps:\/\/status\.test\/monitors\/checkout-api$/)
    const endless = fieldsOf({ ...longNotification, link: `https://a.test/${'x'.repeat(600)}` })
    expect(codePoints(endless['Body']!)).toBe(320)
    expect(endless['Body']).not.toContain('a.test')
  })

  it('does not mention anyone', () => {
    expect(fieldsOf(hostileNotification)['Body']).not.toMatch(/@(everyone|here|channel)/)
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(201, { sid: 'SM1', status: 'queued' })],
  ['rejected', answered(200, '<html>')],
  ['gone', answered(400, { code: 21_211, message: "Invalid 'To' Phone Number" })],
  ['gone', answered(400, { code: 21_610, message: 'unsubscribed recipient' })],
  ['gone', answered(400, { code: 21_614 })],
  ['rejected', answered(400, { code: 21_608 })],
  ['rejected', answered(401, { code: 20_003 })],
  ['retry', answered(429, { code: 20_429 }, { 'retry-after': '2' })],
  ['retry', answered(503)],
])('%s is what Twilio means by %j', (kind, answer) => {
  expect(twilio.classifyResponse(answer).kind).toBe(kind)
})
