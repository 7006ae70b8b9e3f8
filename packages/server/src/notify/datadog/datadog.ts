// notify/datadog/datadog.ts: posts events to Datadog; those of one monitor share an aggregation key. Datadog reads
// text as Markdown only if it starts with %%%, which our texts never do. Handles are broken like any other mention.
import { type ActionOutcome, retry } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { waitInSeconds } from '../../platform/network/retry-after.ts'
import { closed, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { alertKey } from '../driver/alert.ts'
import { apiUrl, secret } from '../driver/fields.ts'
import { classifyConfirmed, defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { jsonObject } from '../driver/json.ts'
import { cut } from '../driver/text.ts'
import { under } from '../driver/url.ts'
import { factLines, headline } from '../driver/wording.ts'
import type { Color, Notification } from '../driver.ts'

const limits = { title: 100, text: 4_000, aggregation_key: 100 }

const sites = [
  'datadoghq.com',
  'us3.datadoghq.com',
  'us5.datadoghq.com',
  'datadoghq.eu',
  'ap1.datadoghq.com',
  'ap2.datadoghq.com',
  'ddog-gov.com',
  'us2.ddog-gov.com',
] as const

const alertTypes: Readonly<Record<Color, string>> = {
  red: 'error',
  yellow: 'warning',
  green: 'success',
  cyan: 'info',
  gray: 'info',
}

export const datadog = defineHttpNotifier({
  summary: 'Posts events to Datadog.',
  needs: 'An API key of the organization; an application key is not needed.',
  config: closed({
    api_key: secret('The API key.'),
    site: Type.Optional(oneOf(sites, 'The Datadog site of the organization.', { default: 'datadoghq.com' })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Tags of the events, such as team:payments, besides monitor_id.',
      }),
    ),
    api_url: Type.Optional(apiUrl('Another address than that of the site, such as a proxy.')),
  }),
  rate: { maxInFlight: 4, perSecond: null },
  limits: { unit: 'code points', longest: limits },
  target: ({ site, api_url }) => shownOrigin(addressOf(site, api_url)),
  buildRequest: ({ api_key, site, tags = [], api_url }, notification) =>
    jsonPost(under(addressOf(site, api_url), 'api', 'v1', 'events'), event(notification, tags), {
      'DD-API-KEY': api_key,
    }),
  classifyResponse,
})

function addressOf(site = 'datadoghq.com', api_url = `https://api.${site}`): string {
  return api_url
}

function event(notification: Notification, tags: readonly string[]): object {
  const { monitorId, color, atMs } = notification
  return {
    title: cut(headline(notification), limits.title),
    text: cut(factLines(notification).join('\n'), limits.text),
    alert_type: alertTypes[color],
    priority: color === 'cyan' || color === 'gray' ? 'low' : 'normal',
    aggregation_key: alertKey(notification, limits.aggregation_key),
    date_happened: Math.floor(atMs / 1_000),
    tags: monitorId === '' ? tags : [...tags, `monitor_id:${monitorId}`],
  }
}

function classifyResponse(answer: OutboundAnswer): ActionOutcome | null {
  const { status, headers } = answer
  const resetMs = waitInSeconds(headers['x-ratelimit-reset'])
  if (status === 429 && resetMs !== null) return retry('Datadog answered 429', resetMs)
  return classifyConfirmed(answer, jsonObject(answer.body)?.['status'] === 'ok', 'Datadog')
}
