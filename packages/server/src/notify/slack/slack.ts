// notify/slack/slack.ts: posts to a Slack incoming webhook. Foreign text is placed in plain_text objects, which have
// no markup, and Slack's control characters are escaped everywhere. A webhook confirms with "ok" in its body; a 200
// without it came from something else.
import { type ActionOutcome, gone } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { hexColors } from '../driver/colors.ts'
import { secretUrl } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { cut } from '../driver/text.ts'
import { ackLinkOf, facts, headline, sentence } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'

const limits = { header: 150, field: 2_000, text: 3_000, button: 75 }

export const slack = defineHttpNotifier({
  summary: 'Posts to a Slack incoming webhook.',
  needs: 'A Slack app with incoming webhooks turned on, and a webhook of the channel.',
  config: closed({ hook: secretUrl('The whole URL of the webhook.') }),
  rate: { maxInFlight: 4, perSecond: 1 },
  limits: { unit: 'code points', longest: limits },
  target: ({ hook }) => shownOrigin(hook),
  buildRequest: ({ hook }, notification) => jsonPost(hook, message(notification)),
  classifyResponse,
})

function message(notification: Notification): unknown {
  const { color, link } = notification
  const fields = facts(notification).map(({ label, value }) => plainText(`${label}: ${value}`, limits.field))
  const blocks: unknown[] = [
    { type: 'header', text: plainText(headline(notification), limits.header) },
    { type: 'section', fields },
  ]
  const ack = ackLinkOf(notification)
  if (ack !== null) {
    const button = { type: 'button', text: plainText('Acknowledge', limits.button), url: ack }
    blocks.push({ type: 'actions', elements: [button] })
  }
  if (link !== null) blocks.push({ type: 'section', text: { type: 'mrkdwn', text: linkTo(link) } })
  const text = escaped(cut(sentence(notification), limits.text))
  return { text, mrkdwn: false, attachments: [{ color: hexColors[color], fallback: text, blocks }] }
}

function plainText(text: string, maxCodePoints: number): unknown {
  return { type: 'plain_text', text: escaped(cut(text, maxCodePoints)), emoji: false }
}

function linkTo(link: string): string {
  return `<${escaped(link).replaceAll('|', '%7C')}|Open in Pulseward>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
}

/**
 * Error words after which a Slack webhook never works again. They are the only part of an answer that is ever repeated.
 */
const DEAD = new Set([
  'channel_is_archived',
  'invalid_token',
  'no_active_hooks',
  'no_service',
  'no_team',
  'team_disabled',
])

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const { status } = answer
  const word = answer.body.trim()
  if ((status === 400 || status === 403) && DEAD.has(word)) {
    return gone(`Slack answered ${status} (${word}): the hook is dead`)
  }
  if (status === 404 || status === 410) return gone(`Slack answered ${status}: the hook is dead`)
  return classifyConfirmed(answer, word === 'ok', 'Slack')
}
