import { brokenOff, hostileNotification, longNotification, notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { Notification } from '../driver.ts'
import { slack } from './slack.ts'

interface PlainText {
  readonly type: string
  readonly text: string
}

interface Message {
  readonly text: string
  readonly mrkdwn: boolean
  readonly attachments: [
    {
      readonly color: string
      readonly blocks: { readonly text?: PlainText; readonly fields?: PlainText[] }[]
    },
  ]
}

function message(notification: Notification): Message {
  const { url, body } = slack.buildRequest({ hook: 'https://hooks.slack.com/services/T/B/X' }, notification)
  expect(url).toBe('https://hooks.slack.com/services/T/B/X')
  return JSON.parse(body!)
}

describe('a Slack message', () => {
  it('is text, and blocks in the color of the notification', () => {
    const { text, mrkdwn, attachments } = message(notificationOf())
    expect(text).toBe('Checkout API is down: connection refused by shop.test:443')
    expect(mrkdwn).toBe(false)
    const [{ color, blocks }] = attachments
    expect(color).toMatch(/^#[0-9a-f]{6}$/)
    expect(blocks[0]?.text?.text).toBe('Checkout API is down')
    expect(blocks[1]?.fields?.map((field) => field.text)).toContain('Since: 2026-01-31 08:14:30 UTC')
    expect(blocks[2]?.text?.text).toBe('<https://status.test/monitors/checkout-api|Open in Pulseward>')
  })

  it('has a color of its own for each severity color', () => {
    const colors = (['red', 'yellow', 'green', 'cyan', 'gray'] as const).map(
      (color) => message(notificationOf({ color })).attachments[0].color,
    )
    expect(new Set(colors).size).toBe(5)
  })

  it('escapes what Slack reads as control characters', () => {
    const { text } = message(notificationOf({ monitor: 'a & b <!channel> &amp;', seen: null }))
    expect(text).toBe('a &amp; b &lt;!channel&gt; &amp;amp; is down')
  })

  it('puts foreign text where no markup is read', () => {
    const [{ blocks }] = message({ ...hostileNotification, link: null }).attachments
    const texts = blocks.flatMap(({ text, fields }) => [...(text ? [text] : []), ...(fields ?? [])])
    expect(texts.map(({ type }) => type)).toEqual(texts.map(() => 'plain_text'))
  })

  it('does not let a link become more than a link', () => {
    const [{ blocks }] = message(notificationOf({ link: 'https://a.test/<!channel>|x' })).attachments
    expect(blocks[2]?.text?.text).toBe('<https://a.test/&lt;!channel&gt;%7Cx|Open in Pulseward>')
  })

  it('keeps to the limits of Slack in code points', () => {
    const [{ blocks }] = message(longNotification).attachments
    expect(Array.from(blocks[0]!.text!.text).length).toBe(150)
    for (const { text } of blocks[1]!.fields!) {
      expect(Array.from(text.replace(/&\w+;/g, '&')).length).toBeLessThanOrEqual(2_000)
    }
    expect(blocks[1]!.fields!.length).toBeLessThanOrEqual(10)
  })
})

it('does not know what became of a message when the answer broke off', () => {
  expect(slack.classifyResponse(brokenOff(200))).toEqual({
    kind: 'unknown',
    reason: 'the answer 200 of Slack broke off',
  })
})
