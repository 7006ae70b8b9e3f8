// notify/mattermost/mattermost.ts: posts to a Mattermost incoming webhook. Texts are Markdown, and Mattermost turns
// Slack's <!channel> into @channel, so foreign text is escaped and its angle brackets are broken. A webhook confirms
// with "ok" in its body.
import { type ActionOutcome, gone, rejected } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { hexColors } from '../driver/colors.ts'
import { secretUrl } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { escapedWithin, escapeMarkdown } from '../driver/markup.ts'
import { ackLinkOf, facts, headline } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'

// Every server sets its own limit; old ones take 7,900 for a whole attachment. These stay far below that.
const limits = { title: 600, field: 2_000 }

export const mattermost = defineHttpNotifier({
  summary: 'Posts to a Mattermost incoming webhook.',
  needs: 'Incoming webhooks turned on in the system console, and a webhook of the channel.',
  config: closed({ webhook_url: secretUrl('The whole URL of the webhook.') }),
  rate: { maxInFlight: 4, perSecond: null },
  limits: { unit: 'code points', longest: limits },
  target: ({ webhook_url }) => shownOrigin(webhook_url),
  buildRequest: ({ webhook_url }, notification) => jsonPost(webhook_url, message(notification)),
  classifyResponse,
})

function message(notification: Notification): unknown {
  const { color, link } = notification
  const ack = ackLinkOf(notification)
  const title = escapedWithin(headline(notification), limits.title, escapeMarkdown)
  const attachment = {
    fallback: title,
    color: hexColors[color],
    title,
    ...(link === null ? {} : { title_link: link }),
    ...(ack === null ? {} : { text: `[Acknowledge](${ack})` }),
    fields: facts(notification).map(({ label, value }) => ({
      title: label,
      value: escapedWithin(value, limits.field, escapeMarkdown),
      short: label !== 'Seen',
    })),
  }
  return { attachments: [attachment] }
}

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const { status, body } = answer
  const id = jsonObject(body)?.['id']
  if (status === 404 || (status === 400 && id === 'web.incoming_webhook.invalid.app_error')) {
    return gone(`Mattermost answered ${status}: the webhook is gone`)
  }
  // Permanent, unlike other 5xx.
  if (status === 501) return rejected('Mattermost answered 501: it takes no incoming webhooks')
  return classifyConfirmed(answer, body.trim() === 'ok', 'Mattermost')
}
