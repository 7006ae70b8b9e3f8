// notify/telegram/telegram.ts: sends a message by a Telegram bot, as plain text: without a parse mode nothing in it is
// markup. The token is part of the URL, so no URL is ever shown. A group that became a supergroup has a new id. The
// message is then sent to the new id, because the old chat definitely did not take it, and a note names the id to
// configure.
import { type ActionOutcome, accepted, gone } from '../../platform/action-outcome.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  shownOrigin,
} from '../../platform/network/outbound-http.ts'
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject, objectOf } from '../driver/json.ts'
import { cut } from '../driver/text.ts'
import { under } from '../driver/url.ts'
import { ackLinkOf, factLines, headline } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'

const limits = { text: 4_096 }
const PUBLIC_API = 'https://api.telegram.org'

const config = closed({
  bot_token: secret('The token of the bot.'),
  chat_id: Type.Union([Type.Integer(), Type.String({ pattern: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64})$' })], {
    description: 'The chat, as a number, or the @name of a public channel.',
  }),
  message_thread_id: Type.Optional(Type.Integer({ minimum: 1, description: 'A topic within the chat.' })),
  api_url: Type.Optional(apiUrl('Where the Bot API is; for a server of your own.', PUBLIC_API)),
})

export const telegram = defineHttpNotifier({
  summary: 'Sends a message of a Telegram bot.',
  needs: 'A bot of @BotFather that was added to the chat, and the id of the chat.',
  config,
  // One per second in a chat, but twenty per minute in a group; the id does not tell which of them it is.
  rate: { maxInFlight: 1, perSecond: 1 / 3 },
  limits: { unit: 'code points', longest: limits },
  target: ({ chat_id, api_url }) => `chat ${chat_id} by ${shownOrigin(api_url ?? PUBLIC_API)}`,
  buildRequest,
  classifyResponse,
  async converse(config, notification, send) {
    const first = await send(buildRequest(config, notification))
    const movedTo = newChatIn(first.answer)
    if (movedTo === null) return first.outcome
    const { outcome } = await send(buildRequest({ ...config, chat_id: movedTo }, notification))
    if (outcome.kind !== 'accepted') return outcome
    return accepted(`the group has become chat ${movedTo}: chat_id should name that one`)
  },
})

function buildRequest(
  { bot_token, chat_id, message_thread_id, api_url = PUBLIC_API }: Infer<typeof config>,
  notification: Notification,
): OutboundRequest {
  const ack = ackLinkOf(notification)
  return jsonPost(under(api_url, `bot${bot_token}`, 'sendMessage'), {
    chat_id,
    ...(message_thread_id === undefined ? {} : { message_thread_id }),
    text: cut([headline(notification), '', ...factLines(notification)].join('\n'), limits.text),
    link_preview_options: { is_disabled: true },
    ...(ack === null ? {} : { reply_markup: { inline_keyboard: [[{ text: 'Acknowledge', url: ack }]] } }),
  })
}

function newChatIn(answer: OutboundAnswer | null): number | null {
  const parameters = objectOf(jsonObject(answer?.body ?? '')?.['parameters'])
  const chat = parameters?.['migrate_to_chat_id']
  return answer?.status === 400 && Number.isSafeInteger(chat) ? (chat as number) : null
}

const NO_SUCH_CHAT =
  /chat not found|blocked by the user|kicked from|user is deactivated|not a member|was deleted/i

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const { status } = answer
  const body = jsonObject(answer.body)
  if (body?.['ok'] === false) {
    if (status === 401 || status === 404) return gone(`Telegram answered ${status}: it does not know the bot`)
    if ((status === 400 || status === 403) && NO_SUCH_CHAT.test(String(body['description']))) {
      return gone(`Telegram answered ${status}: the bot cannot reach the chat any more`)
    }
  }
  return classifyConfirmed(answer, body?.['ok'] === true, 'Telegram')
}
