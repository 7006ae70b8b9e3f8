// notify/matrix/matrix.ts: sends a message to a Matrix room, as plain text without mentions. It has the type of
// ordinary messages: the default push rules silence the type for bots. The transaction id is the id of the action, so
// a server that gets a request twice shows it once.
import { type ActionOutcome, gone } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { under } from '../driver/url.ts'
import { factLines, headline } from '../driver/wording.ts'

export const matrix = defineHttpNotifier({
  summary: 'Sends a message to a Matrix room.',
  needs: 'An account that has joined the room, and an access token of it. The room must not be encrypted.',
  config: closed({
    api_url: apiUrl('Where the homeserver is.'),
    access_token: secret('The access token of the account.'),
    room_id: Type.String({
      pattern: '^![^\\s]{1,254}$',
      description: 'The id of the room, such as !abc:example.org; not its alias.',
    }),
  }),
  rate: { maxInFlight: 4, perSecond: null },
  // An event may have 65,536 bytes, far more than a notification ever has.
  limits: null,
  target: ({ api_url, room_id }) => `${room_id} by ${shownOrigin(api_url)}`,
  buildRequest({ api_url, access_token, room_id }, notification) {
    const room = under(api_url, '_matrix', 'client', 'v3', 'rooms', room_id)
    const body = [headline(notification), '', ...factLines(notification)].join('\n')
    const request = jsonPost(
      under(room, 'send', 'm.room.message', notification.actionId),
      { msgtype: 'm.text', body, 'm.mentions': {} },
      { authorization: `Bearer ${access_token}` },
    )
    return { ...request, method: 'PUT' }
  },
  classifyResponse,
})

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const { status } = answer
  const body = jsonObject(answer.body)
  switch (body?.['errcode']) {
    case 'M_UNKNOWN_TOKEN':
      return gone(`Matrix answered ${status}: the access token is not valid any more`)
    case 'M_USER_DEACTIVATED':
      return gone(`Matrix answered ${status}: the account is deactivated`)
    case 'M_FORBIDDEN':
      return gone(`Matrix answered ${status}: the account may not write in the room`)
    default:
      return classifyConfirmed(answer, typeof body?.['event_id'] === 'string', 'Matrix')
  }
}
