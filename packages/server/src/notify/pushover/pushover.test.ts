import {
  answered,
  codePoints,
  hostileNotification,
  longNotification,
  notificationOf,
  notifyOnce,
} from '@pulseward/testing/notify'
import { answersBy, HttpTarget } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Color, Notification } from '../driver.ts'
import { pushover } from './pushover.ts'

const config = { token: 'app', user: 'me' }
const emergency = { retry: '1m', expire: '1h' }

function fieldsOf(notification: Notification, more: object = {}): Record<string, string> {
  const { url, body } = pushover.buildRequest({ ...config, ...more }, notification)
  expect(url).toBe('https://api.pushover.net/1/messages.json')
  return Object.fromEntries(new URLSearchParams(body!))
}

describe('a Pushover message', () => {
  it('has a title, the facts and a link', () => {
    expect(fieldsOf(notificationOf(), { device: 'phone' })).toEqual({
      token: 'app',
      user: 'me',
      device: 'phone',
      title: 'Checkout API is down',
      message: [
        'Status: incident',
        'Severity: critical',
        'Seen: connection refused by shop.test:443',
        'Since: 2026-01-31 08:14:30 UTC',
        'Incident: 0mfx-7',
      ].join('\n'),
      url: 'https://status.test/monitors/checkout-api',
      url_title: 'Open in Pulseward',
      timestamp: '1769847300',
      priority: '1',
    })
  })

  it.each<[Color, string]>([
    ['red', '1'],
    ['yellow', '0'],
    ['green', '0'],
    ['cyan', '-1'],
    ['gray', '-1'],
  ])('gives %s the priority %s', (color, priority) => {
    expect(fieldsOf(notificationOf({ color }))['priority']).toBe(priority)
  })

  it('is an emergency only for red, and only if configured', () => {
    expect(fieldsOf(notificationOf(), { emergency })).toMatchObject({
      priority: '2',
      retry: '60',
      expire: '3600',
      tags: 'pulseward:checkout-api',
    })
    expect(fieldsOf(notificationOf({ color: 'yellow' }), { emergency })).not.toHaveProperty('retry')
  })

  it.each([
    [{ retry: '29s', expire: '1h' }, false],
    [{ retry: '30s', expire: '3h' }, true],
    [{ retry: '30s', expire: '181m' }, false],
    [{ retry: '30s' }, false],
  ])('accepts the emergency %j: %s', (given, isTaken) => {
    const credential = { credential: 'x' }
    const written = { token: credential, user: credential, emergency: given }
    expect(Compile(pushover.config).Check(written)).toBe(isTaken)
  })

  it('keeps to the limits of Pushover, and drops a link that is too long', () => {
    const fields = fieldsOf({ ...longNotification, link: `https://a.test/${'x'.repeat(600)}` })
    expect(codePoints(fields['title']!)).toBe(250)
    expect(codePoints(fields['message']!)).toBe(1_024)
    expect(fields).not.toHaveProperty('url')
  })

  it('is plain text without mentions', () => {
    const fields = fieldsOf(hostileNotification)
    expect(fields).not.toHaveProperty('html')
    expect(fields['message']).not.toMatch(/@(everyone|here|channel)/)
  })
})

it.each<[ActionOutcome['kind'], number | null, ReturnType<typeof answered>]>([
  ['accepted', null, answered(200, { status: 1 })],
  ['rejected', null, answered(200, { status: 0 })],
  ['gone', null, answered(400, { user: 'invalid', status: 0 })],
  ['gone', null, answered(400, { token: 'invalid', status: 0 })],
  ['rejected', null, answered(400, { message: 'cannot be blank', status: 0 })],
  ['rejected', null, answered(429, { status: 0 })],
  ['retry', 5_000, answered(500)],
  ['retry', 9_000, answered(503, '', { 'retry-after': '9' })],
])('%s (wait %s) is what Pushover means by %j', (kind, retryAfterMs, answer) => {
  const outcome = pushover.classifyResponse(answer)
  expect(outcome.kind).toBe(kind)
  if (outcome.kind === 'retry') expect(outcome.retryAfterMs).toBe(retryAfterMs)
})

describe('green after an emergency', () => {
  async function recovered(cancelStatus: number, messageStatus = 200, more: object = { emergency }) {
    await using target = await HttpTarget.start()
    target.behave(
      answersBy((request) => ({
        status: request.startsWith('POST /1/receipts/') ? cancelStatus : messageStatus,
        body: '{"status":1}',
      })),
    )
    const notification = notificationOf({ color: 'green' })
    const outcome = await notifyOnce(
      pushover,
      { ...config, ...more, api_url: target.url('') },
      { notification },
    )
    return { outcome, lines: target.requests.map((request) => request.split(' HTTP/')[0]) }
  }

  it('is sent and ends the ringing', async () => {
    expect(await recovered(200)).toEqual({
      outcome: { kind: 'accepted' },
      lines: ['POST /1/messages.json', 'POST /1/receipts/cancel_by_tag/pulseward:checkout-api.json'],
    })
  })

  it('notes that the ringing may go on', async () => {
    expect((await recovered(500)).outcome).toEqual({
      kind: 'accepted',
      note: 'the emergency may go on ringing: it could not be cancelled',
    })
  })

  it('ends the ringing even if the message is rejected', async () => {
    const { outcome, lines } = await recovered(200, 400)
    expect(outcome).toMatchObject({ kind: 'rejected' })
    expect(lines).toHaveLength(2)
  })

  it('leaves the cancelling to the retry', async () => {
    const { outcome, lines } = await recovered(200, 503)
    expect(outcome).toMatchObject({ kind: 'retry' })
    expect(lines).toEqual(['POST /1/messages.json'])
  })

  it('cancels nothing if emergencies are not configured', async () => {
    expect((await recovered(200, 200, {})).lines).toEqual(['POST /1/messages.json'])
  })
})
