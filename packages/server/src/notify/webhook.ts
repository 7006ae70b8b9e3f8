// notify/webhook.ts: the notification as JSON for a program of the user's own. Names stand in it as they are, because
// a program reads them; the summary is for people and neutralised.
import { Type } from 'typebox'
import { OutboundHeaders } from '../platform/network/outbound-headers.ts'
import { shownOrigin } from '../platform/network/outbound-http.ts'
import { closed, HttpUrl } from '../platform/schema.ts'
import { defineHttpNotifier, jsonPost } from './driver/http.ts'
import { sentence } from './driver/wording.ts'

export const webhook = defineHttpNotifier({
  summary: 'Posts the notification as JSON to a URL.',
  config: closed({
    url: HttpUrl,
    headers: Type.Optional(OutboundHeaders),
  }),
  rate: { maxInFlight: 4, perSecond: null },
  target: ({ url }) => shownOrigin(url),
  buildRequest({ url, headers }, notification) {
    const { monitorId, monitor, color, status, severity, incidentId, actionId, atMs, link } = notification
    const body = {
      monitor_id: monitorId,
      monitor,
      color,
      status,
      severity,
      summary: sentence(notification),
      incident_id: incidentId,
      action_id: actionId,
      at: new Date(atMs).toISOString(),
      link,
    }
    return jsonPost(url, body, headers)
  },
})
