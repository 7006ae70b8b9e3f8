// notify/opsgenie/opsgenie.ts: creates and closes Opsgenie alerts, identified by their alias. Red and yellow create
// the monitor's alert (or add to the count of an open one), green closes it, and cyan and gray add notes to it.
// Opsgenie accepts requests and processes them later.
import { type ActionOutcome, retry } from '../../platform/action-outcome.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  shownOrigin,
} from '../../platform/network/outbound-http.ts'
import { waitInSeconds } from '../../platform/network/retry-after.ts'
import { closed, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { alertKey, alertStep } from '../driver/alert.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { cut } from '../driver/text.ts'
import { under } from '../driver/url.ts'
import { factLines, headline, sentence } from '../driver/wording.ts'
import type { Notification, Severity } from '../driver.ts'

// The documentation allows the alias 512 in one place and 250 in another.
const limits = { message: 130, alias: 250, description: 15_000, note: 25_000 }

const regions = { us: 'https://api.opsgenie.com', eu: 'https://api.eu.opsgenie.com' } as const

const priorities: Readonly<Record<Severity, string>> = { critical: 'P1', warning: 'P3', info: 'P5' }

export const opsgenie = defineHttpNotifier({
  summary: 'Creates and closes Opsgenie alerts.',
  needs: 'An API integration of the team that may create and update alerts, and its key.',
  config: closed({
    api_key: secret('The key of the integration.'),
    region: Type.Optional(oneOf(['us', 'eu'], 'Where the account is.', { default: 'us' })),
    api_url: Type.Optional(apiUrl('Another address than that of the region, such as a proxy.')),
  }),
  keepsAlerts: true,
  rate: { maxInFlight: 4, perSecond: null },
  limits: { unit: 'code points', longest: limits },
  target: ({ region = 'us', api_url = regions[region] }) => shownOrigin(api_url),
  buildRequest({ api_key, region = 'us', api_url = regions[region] }, notification) {
    const authorization = { authorization: `GenieKey ${api_key}` }
    const alias = alertKey(notification, limits.alias)
    const alert = (verb: string): string =>
      `${under(api_url, 'v2', 'alerts', alias, verb)}?identifierType=alias`
    const post = (url: string, body: object): OutboundRequest => jsonPost(url, body, authorization)
    switch (alertStep(notification)) {
      case 'trigger':
        return post(under(api_url, 'v2', 'alerts'), { alias, ...alertOf(notification) })
      case 'resolve':
        return post(alert('close'), noteOf(notification))
      case 'inform':
        return post(alert('notes'), noteOf(notification))
    }
  },
  classifyResponse,
})

function alertOf(notification: Notification): object {
  const { monitorId, severity } = notification
  return {
    message: cut(headline(notification), limits.message),
    description: cut(factLines(notification).join('\n'), limits.description),
    entity: monitorId,
    source: 'Pulseward',
    priority: priorities[severity],
  }
}

function noteOf(notification: Notification): object {
  return { source: 'Pulseward', note: cut(sentence(notification), limits.note) }
}

function classifyResponse({ status, headers }: OutboundAnswer): ActionOutcome | null {
  // The length of the window that was used up: 1 or 60 seconds.
  const retryAfterMs = waitInSeconds(headers['x-ratelimit-period-in-sec'])
  return status === 429 && retryAfterMs !== null ? retry('Opsgenie answered 429', retryAfterMs) : null
}
