// notify/gotify/gotify.ts: sends a message to an application on a Gotify server, marked as plain text so that no
// client reads Markdown in it.
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { under } from '../driver/url.ts'
import { factLines, headline } from '../driver/wording.ts'
import type { Color, Notification } from '../driver.ts'

/** From 8 on the app rings and vibrates, from 4 on it rings, below it is silent. */
const priorities: Readonly<Record<Color, number>> = { red: 8, yellow: 5, green: 5, cyan: 2, gray: 2 }

export const gotify = defineHttpNotifier({
  summary: 'Sends a message to a Gotify server.',
  needs: 'An application on the server, and its token.',
  config: closed({
    api_url: apiUrl('Where the server is.'),
    token: secret('The token of the application.'),
  }),
  rate: { maxInFlight: 4, perSecond: null },
  limits: null,
  target: ({ api_url }) => shownOrigin(api_url),
  buildRequest: ({ api_url, token }, notification) =>
    jsonPost(under(api_url, 'message'), message(notification), { 'X-Gotify-Key': token }),
  classifyResponse: (answer: OutboundAnswer) =>
    classifyConfirmed(answer, typeof jsonObject(answer.body)?.['id'] === 'number', 'Gotify'),
})

function message(notification: Notification): object {
  const { color, link } = notification
  return {
    title: headline(notification),
    message: factLines(notification).join('\n'),
    priority: priorities[color],
    extras: {
      'client::display': { contentType: 'text/plain' },
      ...(link === null ? {} : { 'client::notification': { click: { url: link } } }),
    },
  }
}
