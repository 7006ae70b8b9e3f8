import { answered, hostileNotification, longNotification, notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Notification } from '../driver.ts'
import { teams } from './teams.ts'

const webhook_url = 'https://x.logic.azure.com/workflows/0/triggers/manual/paths/invoke?sig=0'

interface Block {
  readonly type: string
  readonly inlines: readonly { readonly type: string; readonly text: string; readonly color?: string }[]
}

function cardOf(notification: Notification): { body: Block[]; actions?: unknown[] } {
  const { url, body } = teams.buildRequest({ webhook_url }, notification)
  expect(url).toBe(webhook_url)
  const { type, attachments } = JSON.parse(body!)
  expect(type).toBe('message')
  expect(attachments[0]).toMatchObject({ contentType: 'application/vnd.microsoft.card.adaptive' })
  expect(attachments[0].content).toMatchObject({ type: 'AdaptiveCard', version: '1.2' })
  return attachments[0].content
}

const linesOf = (card: { body: Block[] }): string[] =>
  card.body.map(({ inlines }) => inlines.map(({ text }) => text).join(''))

describe('a Teams message', () => {
  it('is an Adaptive Card with the headline in its color, the facts and the link', () => {
    const card = cardOf(notificationOf())
    expect(linesOf(card)).toEqual([
      'Checkout API is down',
      'Status: incident',
      'Severity: critical',
      'Seen: connection refused by shop.test:443',
      'Since: 2026-01-31 08:14:30 UTC',
      'Incident: 0mfx-7',
    ])
    expect(card.body[0]?.inlines[0]?.color).toBe('Attention')
    expect(card.actions).toEqual([
      {
        type: 'Action.OpenUrl',
        title: 'Open in Pulseward',
        url: 'https://status.test/monitors/checkout-api',
      },
    ])
    const green = cardOf(notificationOf({ color: 'green', link: null }))
    expect(green.body[0]?.inlines[0]).toMatchObject({ text: 'Checkout API has recovered', color: 'Good' })
    expect(green).not.toHaveProperty('actions')
  })

  it('puts foreign text only where neither Markdown nor date functions are read', () => {
    const { body } = cardOf({ ...hostileNotification, monitor: '[a](b) {{DATE(2026-01-01)}}' })
    expect(new Set(body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
    expect(new Set(body.flatMap(({ inlines }) => inlines.map(({ type }) => type)))).toEqual(
      new Set(['TextRun']),
    )
    expect(JSON.stringify(body)).not.toContain('{{')
  })

  it('stays below the size that Teams accepts', () => {
    const fire = { ...longNotification, seen: '🔥'.repeat(5_000) }
    expect(Buffer.byteLength(teams.buildRequest({ webhook_url }, fire).body!)).toBeLessThan(28_672)
  })
})

const failed = (status: number): string =>
  `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId tcid=0`

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(202)],
  ['accepted', answered(200, '1')],
  ['retry', answered(200, failed(429))],
  ['retry', answered(200, failed(502))],
  ['rejected', answered(200, failed(413))],
  ['retry', answered(429, '', { 'retry-after': '3' })],
  ['gone', answered(404, { error: { code: 'WorkflowNotFound' } })],
  ['gone', answered(410)],
  ['rejected', answered(400, { error: { code: 'TriggerInputSchemaMismatch' } })],
])('%s is what Teams means by %j', (kind, answer) => {
  expect(teams.classifyResponse(answer).kind).toBe(kind)
})
