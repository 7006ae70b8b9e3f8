// notify/twilio/twilio.ts: sends a text message by Twilio. Messages are kept short: every segment costs money and
// delays the next. The answer says that Twilio queued the message; whether it reached a phone is not known here.
import { type ActionOutcome, gone } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, formPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { cut } from '../driver/text.ts'
import { under } from '../driver/url.ts'
import { ackLinkOf, sentence } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'

// Twilio takes 1,600, and advises 320.
const limits = { message: 320 }
const PUBLIC_API = 'https://api.twilio.com'

export const twilio = defineHttpNotifier({
  summary: 'Sends a text message (SMS) by Twilio.',
  needs: 'A Twilio account, and a number or a messaging service of it that may send to the country.',
  config: closed({
    account_sid: Type.String({ pattern: '^AC[0-9a-fA-F]{32}$', description: 'The SID of the account.' }),
    auth_token: secret('The auth token of the account.'),
    from: Type.String({
      pattern: '^(\\+[1-9][0-9]{1,14}|MG[0-9a-fA-F]{32}|[0-9]{3,8}|[A-Za-z0-9 ]{1,11})$',
      description:
        'Who sends: a number such as +491701234567, a short code, a sender name, or the SID of a messaging service.',
    }),
    to: Type.String({ pattern: '^\\+[1-9][0-9]{1,14}$', description: 'Who gets it, such as +491707654321.' }),
    api_url: Type.Optional(apiUrl('Where the API is; for a region or a proxy.', PUBLIC_API)),
  }),
  // One segment per second from a long number.
  rate: { maxInFlight: 1, perSecond: 1 },
  limits: { unit: 'code points', longest: limits },
  target: ({ to, api_url = PUBLIC_API }) => `${to} by ${shownOrigin(api_url)}`,
  buildRequest({ account_sid, auth_token, from, to, api_url = PUBLIC_API }, notification) {
    const login = Buffer.from(`${account_sid}:${auth_token}`).toString('base64')
    return formPost(
      under(api_url, '2010-04-01', 'Accounts', account_sid, 'Messages.json'),
      {
        To: to,
        ...(from.startsWith('MG') && from.length === 34 ? { MessagingServiceSid: from } : { From: from }),
        Body: textOf(notification),
      },
      { authorization: `Basic ${login}` },
    )
  },
  classifyResponse,
})

/** The link stays whole; the sentence is cut instead. There is room for one: the link that does something. */
function textOf(notification: Notification): string {
  const ack = ackLinkOf(notification)
  const link = ack ?? notification.link
  const room = link === null ? limits.message : limits.message - link.length - 1
  const least = limits.message / (ack === null ? 2 : 4)
  if (link === null || room < least) return cut(sentence(notification), limits.message)
  return `${cut(sentence(notification), room)}\n${link}`
}

/** Not a number, not a mobile number, and a recipient who has replied STOP. */
const UNREACHABLE = new Set<unknown>([21_211, 21_614, 21_610])

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const body = jsonObject(answer.body)
  const code = body?.['code']
  if (answer.status === 400 && UNREACHABLE.has(code)) {
    return gone(`Twilio answered 400 (code ${code}): nothing can be sent to this number`)
  }
  return classifyConfirmed(answer, typeof body?.['sid'] === 'string', 'Twilio')
}
