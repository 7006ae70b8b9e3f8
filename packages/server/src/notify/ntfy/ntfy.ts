// notify/ntfy/ntfy.ts: publishes to an ntfy topic, on ntfy.sh or on a server of the user's own. Texts are plain unless a
// message says otherwise. Without access control, knowing a topic is enough to post to it, so the topic is never shown.
import { type ActionOutcome, rejected } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed, OpenOrSecret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { cutBytes } from '../driver/text.ts'
import { ackLinkOf, factLines, headline } from '../driver/wording.ts'
import type { Color, Notification } from '../driver.ts'

const limits = { title: 1_024, message: 4_096 }
const PUBLIC_API = 'https://ntfy.sh'

const looks: Readonly<Record<Color, { readonly priority: number; readonly tag: string }>> = {
  red: { priority: 5, tag: 'red_circle' },
  yellow: { priority: 4, tag: 'yellow_circle' },
  green: { priority: 3, tag: 'green_circle' },
  cyan: { priority: 2, tag: 'large_blue_circle' },
  gray: { priority: 2, tag: 'white_circle' },
}

export const ntfy = defineHttpNotifier({
  summary: 'Publishes to an ntfy topic.',
  needs: 'A topic, and an access token where the server asks for one.',
  config: closed({
    topic: Type.Unsafe<string>({
      ...OpenOrSecret,
      description: 'The topic: a string, or { credential: NAME } where knowing it is enough to post.',
    }),
    token: Type.Optional(secret('An access token.')),
    api_url: Type.Optional(apiUrl('Where the server is.', PUBLIC_API)),
  }),
  // A visitor may send 60 requests at once, and one more every five seconds.
  rate: { maxInFlight: 4, perSecond: 1 },
  limits: { unit: 'bytes', longest: limits },
  target: ({ api_url = PUBLIC_API }) => shownOrigin(api_url),
  buildRequest: ({ topic, token, api_url = PUBLIC_API }, notification) =>
    jsonPost(
      api_url,
      { topic, ...message(notification) },
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    ),
  classifyResponse,
})

function message(notification: Notification): object {
  const { color, link } = notification
  const { priority, tag } = looks[color]
  const ack = ackLinkOf(notification)
  return {
    title: cutBytes(headline(notification), limits.title),
    message: cutBytes(factLines({ ...notification, link: null }).join('\n'), limits.message),
    ...(ack === null ? {} : { actions: [{ action: 'view', label: 'Acknowledge', url: ack }] }),
    priority,
    tags: [tag],
    ...(link === null ? {} : { click: link }),
  }
}

/** All other limits refill within seconds. */
const DAILY_MESSAGES_USED_UP = 42_908

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const body = jsonObject(answer.body)
  if (answer.status === 429 && body?.['code'] === DAILY_MESSAGES_USED_UP) {
    return rejected('ntfy answered 429: the messages of the day are used up')
  }
  return classifyConfirmed(answer, typeof body?.['id'] === 'string', 'ntfy')
}
