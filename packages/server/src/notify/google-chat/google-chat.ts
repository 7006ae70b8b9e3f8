// notify/google-chat/google-chat.ts: posts a card to a webhook of a Google Chat space. The header of a card has no
// markup; its other texts read only tags in angle brackets, which are broken, as are mentions such as <users/all>.
// Messages of one incident form a thread.
import { type ActionOutcome, gone } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { alertKey } from '../driver/alert.ts'
import { secretUrl } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { breakTags, escapedWithin } from '../driver/markup.ts'
import { withQuery } from '../driver/url.ts'
import { ackLinkOf, facts, headline } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'

// The whole message may have 32,000 bytes.
const limits = { title: 400, text: 2_000 }
const THREAD_KEY_LIMIT = 4_000

export const googleChat = defineHttpNotifier({
  summary: 'Posts a card to a Google Chat space.',
  needs: 'A webhook of the space: Apps & integrations, Webhooks.',
  config: closed({ webhook_url: secretUrl('The whole URL of the webhook.') }),
  rate: { maxInFlight: 1, perSecond: 1 },
  limits: { unit: 'code points', longest: limits },
  target: ({ webhook_url }) => shownOrigin(webhook_url),
  buildRequest: ({ webhook_url }, notification) =>
    jsonPost(
      withQuery(webhook_url, { messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' }),
      message(notification),
    ),
  classifyResponse,
})

function message(notification: Notification): object {
  const { actionId, incidentId, link } = notification
  const title = escapedWithin(headline(notification), limits.title, breakTags)
  const widgets: object[] = facts(notification).map(({ label, value }) => ({
    decoratedText: { topLabel: label, text: escapedWithin(value, limits.text, breakTags), wrapText: true },
  }))
  const links: readonly (readonly [string, string | null])[] = [
    ['Acknowledge', ackLinkOf(notification)],
    ['Open in Pulseward', link],
  ]
  const buttons = links.flatMap(([text, url]) =>
    url === null ? [] : [{ text, onClick: { openLink: { url } } }],
  )
  if (buttons.length > 0) widgets.push({ buttonList: { buttons } })
  const threadKey = incidentId === null ? alertKey(notification, THREAD_KEY_LIMIT) : `incident:${incidentId}`
  return {
    fallbackText: title,
    cardsV2: [{ cardId: actionId, card: { header: { title }, sections: [{ widgets }] } }],
    thread: { threadKey },
  }
}

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  if (answer.status === 404) return gone('Google Chat answered 404: the space or its webhook is gone')
  return classifyConfirmed(answer, typeof jsonObject(answer.body)?.['name'] === 'string', 'Google Chat')
}
