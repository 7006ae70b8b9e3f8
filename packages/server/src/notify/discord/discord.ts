// notify/discord/discord.ts: posts to a Discord webhook. The message is an embed whose texts are Markdown, so foreign
// text is escaped, and mentions are turned off. The request waits until Discord has saved the message; otherwise its
// answer would say nothing.
import { type ActionOutcome, gone } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { hexColors } from '../driver/colors.ts'
import { secretUrl } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { escapedWithin, escapeMarkdown } from '../driver/markup.ts'
import { withQuery } from '../driver/url.ts'
import { ackLinkOf, facts, headline } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'

const limits = { title: 256, field: 1_024 }

export const discord = defineHttpNotifier({
  summary: 'Posts to a Discord webhook.',
  needs: 'A webhook of the channel: its settings, Integrations, Webhooks, Copy webhook URL.',
  config: closed({ webhook_url: secretUrl('The whole URL of the webhook.') }),
  // Discord documents no figure, only that a sender who keeps running into limits is banned. In practice a
  // webhook takes five messages in two seconds.
  rate: { maxInFlight: 4, perSecond: 2 },
  limits: { unit: 'code points', longest: limits },
  target: ({ webhook_url }) => shownOrigin(webhook_url),
  buildRequest: ({ webhook_url }, notification) =>
    jsonPost(withQuery(webhook_url, { wait: 'true' }), message(notification)),
  classifyResponse,
})

function message(notification: Notification): unknown {
  const { color, atMs, link } = notification
  const ack = ackLinkOf(notification)
  const embed = {
    title: escapedWithin(headline(notification), limits.title, escapeMarkdown),
    ...(link === null ? {} : { url: link }),
    ...(ack === null ? {} : { description: `[Acknowledge](${ack})` }),
    color: Number.parseInt(hexColors[color].slice(1), 16),
    fields: facts(notification).map(({ label, value }) => ({
      name: label,
      value: escapedWithin(value, limits.field, escapeMarkdown),
    })),
    timestamp: new Date(atMs).toISOString(),
  }
  return { embeds: [embed], allowed_mentions: { parse: [] } }
}

/** The webhook exists, but not with this token. */
const INVALID_WEBHOOK_TOKEN = 50_027

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const { status } = answer
  const body = jsonObject(answer.body)
  if (status === 404) return gone('Discord answered 404: the webhook is gone')
  if (status === 401 && body?.['code'] === INVALID_WEBHOOK_TOKEN) {
    return gone('Discord answered 401: the token of the webhook is not valid any more')
  }
  return classifyConfirmed(answer, status === 204 || typeof body?.['id'] === 'string', 'Discord')
}
