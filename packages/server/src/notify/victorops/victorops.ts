// notify/victorops/victorops.ts: posts to the REST endpoint of VictorOps (Splunk On-Call). Red and yellow open the
// monitor's incident, green recovers it, and cyan and gray are timeline entries that open nothing.
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { alertKey } from '../driver/alert.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { cut } from '../driver/text.ts'
import { under } from '../driver/url.ts'
import { factLines, headline } from '../driver/wording.ts'
import type { Color, Notification } from '../driver.ts'

const limits = { entity_id: 512, state_message: 20_480 }
const PUBLIC_API = 'https://alert.victorops.com'

const messageTypes: Readonly<Record<Color, string>> = {
  red: 'CRITICAL',
  yellow: 'WARNING',
  green: 'RECOVERY',
  cyan: 'INFO',
  gray: 'INFO',
}

export const victorops = defineHttpNotifier({
  summary: 'Opens and recovers incidents of VictorOps (Splunk On-Call).',
  needs: 'The REST integration turned on, its API key, and a routing key.',
  config: closed({
    api_key: secret('The API key of the REST integration.'),
    routing_key: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description: 'Which team gets the incident.',
    }),
    api_url: Type.Optional(apiUrl('Where the endpoint is; for a proxy.', PUBLIC_API)),
  }),
  keepsAlerts: true,
  rate: { maxInFlight: 4, perSecond: null },
  limits: { unit: 'code points', longest: limits },
  target: ({ routing_key, api_url = PUBLIC_API }) => `${routing_key} by ${shownOrigin(api_url)}`,
  buildRequest: ({ api_key, routing_key, api_url = PUBLIC_API }, notification) =>
    jsonPost(
      under(api_url, 'integrations', 'generic', '20131114', 'alert', api_key, routing_key),
      message(notification),
    ),
  classifyResponse: (answer: OutboundAnswer) =>
    classifyConfirmed(answer, jsonObject(answer.body)?.['result'] === 'success', 'VictorOps'),
})

function message(notification: Notification): object {
  const { color, sinceMs, atMs, link } = notification
  return {
    message_type: messageTypes[color],
    entity_id: alertKey(notification, limits.entity_id),
    entity_display_name: headline(notification),
    state_message: cut(factLines(notification).join('\n'), limits.state_message),
    state_start_time: Math.floor((sinceMs ?? atMs) / 1_000),
    monitoring_tool: 'Pulseward',
    ...(link === null ? {} : { alert_url: link }),
  }
}
