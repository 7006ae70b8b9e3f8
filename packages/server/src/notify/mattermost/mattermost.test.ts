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
import { mattermost } from './mattermost.ts'

const webhook_url = 'https://chat.test/hooks/key'

function attachmentOf(notification: Notification) {
  const { url, body } = mattermost.buildRequest({ webhook_url }, notification)
  expect(url).toBe(webhook_url)
  return JSON.parse(body!).attachments[0]
}

describe('a Mattermost message', () => {
  it('is an attachment in the color of the notification', () => {
    expect(attachmentOf(notificationOf())).toEqual({
      fallback: 'Checkout API is down',
      color: '#c62828',
      title: 'Checkout API is down',
      title_link: 'https://status.test/monitors/checkout-api',
      fields: [
        { title: 'Status', value: 'incident', short: true },
        { title: 'Severity', value: 'critical', short: true },
        { title: 'Seen', value: 'connection refused by shop.test:443', short: false },
        { title: 'Since', value: '2026-01-31 08:14:30 UTC', short: true },
        { title: 'Incident', value: '0mfx-7', short: true },
      ],
    })
    const green = attachmentOf(notificationOf({ color: 'green', link: null }))
    expect(green).toMatchObject({ title: 'Checkout API has recovered', color: '#2e7d32' })
    expect(green).not.toHaveProperty('title_link')
  })

  it('escapes Markdown, mentions, and what Mattermost turns into mentions', () => {
    const { title } = attachmentOf(notificationOf({ monitor: '<!channel> @all **x**' }))
    expect(title).toBe('<\u200b!channel\\> @\u200ball \\*\\*x\\*\\* is down')
    expect(JSON.stringify(attachmentOf(hostileNotification))).not.toMatch(/<[^\u200b]/)
  })

  it('stays below the limit of old servers', () => {
    const { title, fields } = attachmentOf({
      ...longNotification,
      monitor: '*'.repeat(300),
      seen: '_'.repeat(5_000),
    })
    expect(codePoints(title)).toBeLessThanOrEqual(600)
    for (const { value } of fields) expect(codePoints(value)).toBeLessThanOrEqual(2_000)
    expect(codePoints(mattermost.buildRequest({ webhook_url }, longNotification).body!)).toBeLessThan(7_900)
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200, 'ok')],
  ['rejected', answered(200, '<html>')],
  ['gone', answered(400, { id: 'web.incoming_webhook.invalid.app_error' })],
  ['gone', answered(404)],
  ['rejected', answered(400, { id: 'web.incoming_webhook.parse.app_error' })],
  ['rejected', answered(501, { id: 'web.incoming_webhook.disabled.app_error' })],
  ['retry', answered(429, 'limit exceeded', { 'retry-after': '1' })],
  ['retry', answered(500, { id: 'app.post.save.app_error' })],
])('%s is what Mattermost means by %j', (kind, answer) => {
  expect(mattermost.classifyResponse(answer).kind).toBe(kind)
})
