// notify/pagerduty/pagerduty.ts: sends events to PagerDuty's Events API v2. Red and yellow trigger the monitor's
// alert, green resolves it; cyan and gray are change events, which page no one and need no resolving. The answer says
// only that PagerDuty accepted the event; it processes the event later.
import { type ActionOutcome, gone } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { alertKey, alertStep } from '../driver/alert.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, classifyStatusWaiting, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { cut } from '../driver/text.ts'
import { under } from '../driver/url.ts'
import { ackLinkOf, facts, sentence } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'

const limits = { summary: 1_024, dedup_key: 255 }

const regions = { us: 'https://events.pagerduty.com', eu: 'https://events.eu.pagerduty.com' } as const

/** After a 429 PagerDuty asks for "a few minutes" without a number. */
const LIMITED_MS = 2 * 60_000

export const pagerduty = defineHttpNotifier({
  summary: "Triggers and resolves alerts through PagerDuty's Events API v2.",
  needs:
    'An integration "Events API v2" of the service and its key. With a key of a ruleset, which begins with R, PagerDuty refuses cyan and gray.',
  config: closed({
    routing_key: secret('The integration key.'),
    region: Type.Optional(oneOf(['us', 'eu'], 'Where the account is.', { default: 'us' })),
    api_url: Type.Optional(apiUrl('Another address than that of the region, such as a proxy.')),
  }),
  keepsAlerts: true,
  rate: { maxInFlight: 4, perSecond: null },
  limits: { unit: 'code points', longest: limits },
  target: ({ region = 'us', api_url = regions[region] }) => shownOrigin(api_url),
  buildRequest({ routing_key, region = 'us', api_url = regions[region] }, notification) {
    switch (alertStep(notification)) {
      case 'trigger':
        return jsonPost(under(api_url, 'v2', 'enqueue'), { routing_key, ...trigger(notification) })
      case 'resolve':
        return jsonPost(under(api_url, 'v2', 'enqueue'), { routing_key, ...resolve(notification) })
      case 'inform':
        return jsonPost(under(api_url, 'v2', 'change', 'enqueue'), { routing_key, ...change(notification) })
    }
  },
  classifyResponse,
})

function trigger(notification: Notification): object {
  const { monitorId, severity, atMs, link } = notification
  const named: readonly (readonly [string, string | null])[] = [
    ['Acknowledge', ackLinkOf(notification)],
    ['Open in Pulseward', link],
  ]
  const links = named.flatMap(([text, href]) => (href === null ? [] : [{ href, text }]))
  return {
    event_action: 'trigger',
    dedup_key: alertKey(notification, limits.dedup_key),
    payload: {
      summary: cut(sentence(notification), limits.summary),
      source: monitorId,
      severity,
      timestamp: new Date(atMs).toISOString(),
      custom_details: detailsOf(notification),
    },
    client: 'Pulseward',
    ...(link === null ? {} : { client_url: link }),
    ...(links.length === 0 ? {} : { links }),
  }
}

function resolve(notification: Notification): object {
  return { event_action: 'resolve', dedup_key: alertKey(notification, limits.dedup_key) }
}

function change(notification: Notification): object {
  const { monitorId, atMs, link } = notification
  return {
    payload: {
      summary: cut(sentence(notification), limits.summary),
      source: monitorId,
      timestamp: new Date(atMs).toISOString(),
      custom_details: detailsOf(notification),
    },
    ...(link === null ? {} : { links: [{ href: link, text: 'Open in Pulseward' }] }),
  }
}

function detailsOf(notification: Notification): object {
  return Object.fromEntries(facts(notification).map(({ label, value }) => [label.toLowerCase(), value]))
}

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  if (answer.status === 429) return classifyStatusWaiting(answer, LIMITED_MS)
  if (answer.status === 400 && /invalid routing key/i.test(answer.body)) {
    return gone('PagerDuty answered 400: it does not know the routing key')
  }
  return classifyConfirmed(answer, jsonObject(answer.body)?.['status'] === 'success', 'PagerDuty')
}
