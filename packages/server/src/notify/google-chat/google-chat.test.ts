import {
  answered,
  codePoints,
  hostileNotification,
  longNotification,
  notificationOf,
} from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { googleChat } from './google-chat.ts'

const webhook_url = 'https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t'

function messageOf(...parameters: Parameters<typeof notificationOf>) {
  const { url, body } = googleChat.buildRequest({ webhook_url }, notificationOf(...parameters))
  expect(url).toBe(`${webhook_url}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`)
  return JSON.parse(body!)
}

const cardOf = (...parameters: Parameters<typeof notificationOf>) => messageOf(...parameters).cardsV2[0].card

describe('a Google Chat message', () => {
  it('is a card in the thread of its incident', () => {
    expect(messageOf()).toEqual({
      fallbackText: 'Checkout API is down',
      cardsV2: [
        {
          cardId: '0mfx-9',
          card: {
            header: { title: 'Checkout API is down' },
            sections: [
              {
                widgets: [
                  ...[
                    ['Status', 'incident'],
                    ['Severity', 'critical'],
                    ['Seen', 'connection refused by shop.test:443'],
                    ['Since', '2026-01-31 08:14:30 UTC'],
                    ['Incident', '0mfx-7'],
                  ].map(([topLabel, text]) => ({ decoratedText: { topLabel, text, wrapText: true } })),
                  {
                    buttonList: {
                      buttons: [
                        {
                          text: 'Open in Pulseward',
                          onClick: { openLink: { url: 'https://status.test/monitors/checkout-api' } },
                        },
                      ],
                    },
                  },
                ],
              },
            ],
          },
        },
      ],
      thread: { threadKey: 'incident:0mfx-7' },
    })
  })

  it('threads by incident, or by monitor without one, even after a rename', () => {
    const green = messageOf({ color: 'green', monitor: 'Renamed', actionId: 'x' })
    expect(green.thread).toEqual({ threadKey: 'incident:0mfx-7' })
    expect(green.cardsV2[0].card.header.title).toBe('Renamed has recovered')
    expect(messageOf({ incidentId: null }).thread).toEqual({ threadKey: 'pulseward:checkout-api' })
  })

  it('lets foreign text add no tags and no mentions', () => {
    expect(cardOf({ monitor: '<users/all> <b>x</b>' }).header.title).toBe(
      '<\u200busers/all> <\u200bb>x<\u200b/b> is down',
    )
    expect(JSON.stringify(messageOf(hostileNotification))).not.toMatch(/<[^\u200b]/)
  })

  it('keeps to its limits and below the size that Google accepts', () => {
    const long = { ...longNotification, seen: '<'.repeat(5_000), monitor: '<'.repeat(300) }
    const { header, sections } = cardOf(long)
    expect(codePoints(header.title)).toBeLessThanOrEqual(400)
    expect(codePoints(sections[0].widgets[2].decoratedText.text)).toBeLessThanOrEqual(2_000)
    expect(Buffer.byteLength(JSON.stringify(messageOf(longNotification)))).toBeLessThan(32_000)
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200, { name: 'spaces/AAA/messages/BBB' })],
  ['rejected', answered(200, '<html>')],
  ['gone', answered(404, { error: { code: 404, status: 'NOT_FOUND' } })],
  ['rejected', answered(403, { error: { code: 403, status: 'PERMISSION_DENIED' } })],
  ['retry', answered(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })],
  ['retry', answered(503)],
])('%s is what Google Chat means by %j', (kind, answer) => {
  expect(googleChat.classifyResponse(answer).kind).toBe(kind)
})
