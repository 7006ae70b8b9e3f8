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
import { discord } from './discord.ts'

const webhook_url = 'https://discord.com/api/webhooks/1/token'

function embedOf(notification: Notification) {
  const { body } = discord.buildRequest({ webhook_url }, notification)
  const { embeds, allowed_mentions } = JSON.parse(body!)
  expect(allowed_mentions).toEqual({ parse: [] })
  return embeds[0]
}

describe('a Discord message', () => {
  it('is an embed in the color of the notification, and waits to be saved', () => {
    const { url } = discord.buildRequest({ webhook_url: `${webhook_url}?thread_id=7` }, notificationOf())
    expect(url).toBe(`${webhook_url}?thread_id=7&wait=true`)
    expect(embedOf(notificationOf())).toEqual({
      title: 'Checkout API is down',
      url: 'https://status.test/monitors/checkout-api',
      color: 0xc62828,
      fields: [
        { name: 'Status', value: 'incident' },
        { name: 'Severity', value: 'critical' },
        { name: 'Seen', value: 'connection refused by shop.test:443' },
        { name: 'Since', value: '2026-01-31 08:14:30 UTC' },
        { name: 'Incident', value: '0mfx-7' },
      ],
      timestamp: '2026-01-31T08:15:00.000Z',
    })
    const green = embedOf(notificationOf({ color: 'green', link: null }))
    expect(green).toMatchObject({ title: 'Checkout API has recovered', color: 0x2e7d32 })
    expect(green).not.toHaveProperty('url')
  })

  it('escapes Markdown and mentions', () => {
    const { title, fields } = embedOf(notificationOf({ monitor: '**<@1> @everyone**', seen: '[a](b)' }))
    expect(title).toBe('\\*\\*<\u200b@\u200b1\\> @\u200beveryone\\*\\* is down')
    expect(fields[2].value).toBe('\\[a\\](b)')
    expect(JSON.stringify(embedOf(hostileNotification))).not.toMatch(/<[^\u200b]/)
  })

  it('keeps to the limits of Discord, with its escapes', () => {
    const { title, fields } = embedOf({ ...longNotification, monitor: '*'.repeat(300) })
    expect(codePoints(title)).toBeLessThanOrEqual(256)
    for (const { value } of fields) expect(codePoints(value)).toBeLessThanOrEqual(1_024)
    const texts = [title, ...fields.flatMap(({ name, value }: Record<string, string>) => [name, value])]
    expect(codePoints(texts.join(''))).toBeLessThanOrEqual(6_000)
  })
})

it.each<[ActionOutcome, ReturnType<typeof answered>]>([
  [{ kind: 'accepted' }, answered(200, { id: '1' })],
  [{ kind: 'accepted' }, answered(204)],
  [
    { kind: 'retry', reason: 'the provider answered 429', retryAfterMs: 65_000 },
    answered(429, { retry_after: 64.57, global: false }, { 'retry-after': '65' }),
  ],
  [
    { kind: 'gone', reason: 'Discord answered 404: the webhook is gone' },
    answered(404, { code: 10_015, message: 'Unknown Webhook' }),
  ],
  [
    { kind: 'gone', reason: 'Discord answered 401: the token of the webhook is not valid any more' },
    answered(401, { code: 50_027, message: 'Invalid Webhook Token' }),
  ],
  [{ kind: 'rejected', reason: 'the provider answered 401' }, answered(401, { code: 0 })],
  [{ kind: 'rejected', reason: 'the provider answered 400' }, answered(400, { code: 50_035 })],
])('%j is what Discord means by %j', (outcome, answer) => {
  expect(discord.classifyResponse(answer)).toEqual(outcome)
})
