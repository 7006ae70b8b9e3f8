// notify/alertmanager.ts: pushes alerts to an Alertmanager of the user's own, which groups, silences and routes them.
// Red and yellow open the alert of the monitor, green ends it. An alert without an end is dropped after Alertmanager's
// resolve_timeout unless it is sent again and again, so an open one gets an end far away. An Alertmanager that
// restarts forgets what it was told.

import { OutboundHeaders } from '../platform/network/outbound-headers.ts'
import { shownOrigin } from '../platform/network/outbound-http.ts'
import { closed } from '../platform/schema.ts'
import { Type } from '../platform/schema-type.ts'
import { apiUrl } from './driver/fields.ts'
import { defineHttpNotifier, jsonPost } from './driver/http.ts'
import { prometheusAlert } from './driver/prometheus-alert.ts'
import { under } from './driver/url.ts'
import type { Notification } from './driver.ts'

const OPEN_FOR_MS = 30 * 24 * 60 * 60_000

// An end that lies in the future by Alertmanager's clock does not count against the later one of the open alert.
const CLOCKS_DIFFER_MS = 60_000

const Labels = Type.Record(
  Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]{0,127}$' }),
  Type.String({ maxLength: 1_024 }),
  {
    additionalProperties: false,
    description: 'Labels of every alert, besides alertname and monitor_id; for routing.',
  },
)

export const alertmanager = defineHttpNotifier({
  summary: 'Pushes alerts to a Prometheus Alertmanager.',
  needs: 'An Alertmanager (API v2) that this service can reach.',
  config: closed({
    api_url: apiUrl('Where the Alertmanager is, with its route prefix if it has one.'),
    labels: Type.Optional(Labels),
    headers: Type.Optional(OutboundHeaders),
  }),
  keepsAlerts: true,
  rate: { maxInFlight: 4, perSecond: null },
  limits: null,
  target: ({ api_url }) => shownOrigin(api_url),
  buildRequest: ({ api_url, labels, headers }, notification) =>
    jsonPost(under(api_url, 'api', 'v2', 'alerts'), [alertOf(notification, labels)], headers),
})

function alertOf(notification: Notification, extraLabels: Record<string, string> | undefined): object {
  const { status, labels, annotations, startsAt, endsAt, generatorURL } = prometheusAlert(
    notification,
    extraLabels,
  )
  const after = (durationMs: number): string => new Date(notification.atMs + durationMs).toISOString()
  const ended = { startsAt: after(-CLOCKS_DIFFER_MS), endsAt: after(-CLOCKS_DIFFER_MS) }
  const open = { startsAt, endsAt: endsAt ?? after(OPEN_FOR_MS) }
  return {
    labels,
    annotations,
    ...(status === 'resolved' ? ended : open),
    ...(generatorURL === null ? {} : { generatorURL }),
  }
}
