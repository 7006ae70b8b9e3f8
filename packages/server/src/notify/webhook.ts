// notify/webhook.ts: the notification as JSON for a program of the user's own. Names stand in it as they are, because
// a program reads them; the summary is for people and neutralised. In Alertmanager's format all is for people.

import { OutboundHeaders } from '../platform/network/outbound-headers.ts'
import { shownOrigin } from '../platform/network/outbound-http.ts'
import { closed, HttpUrl, oneOf } from '../platform/schema.ts'
import { Type } from '../platform/schema-type.ts'
import { defineHttpNotifier, jsonPost } from './driver/http.ts'
import { sentence } from './driver/wording.ts'
import type { Notification } from './driver.ts'
import { alertmanagerBody } from './webhook/alertmanager-format.ts'

export const webhook = defineHttpNotifier({
  summary: 'Posts the notification as JSON to a URL.',
  needs: 'A program that takes a POST and answers 2xx.',
  config: closed({
    url: HttpUrl,
    headers: Type.Optional(OutboundHeaders),
    format: Type.Optional(
      oneOf(
        ['pulseward', 'alertmanager'],
        "The form of the body: of its own, or that of Alertmanager's webhooks (version 4).",
        { default: 'pulseward' },
      ),
    ),
  }),
  rate: { maxInFlight: 4, perSecond: null },
  limits: null,
  target: ({ url }) => shownOrigin(url),
  buildRequest({ url, headers, format }, notification) {
    const body = format === 'alertmanager' ? alertmanagerBody(notification) : ownBody(notification)
    return jsonPost(url, body, headers)
  },
})

function ownBody(notification: Notification): object {
  const { monitorId, monitor, color, status, severity, incidentId, actionId, atMs, link } = notification
  return {
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
}
