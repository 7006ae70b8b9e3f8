// notify/alertmanager/alertmanager.ts: pushes alerts to the user's own Alertmanager, which groups, silences and routes
// them. Red and yellow open the monitor's alert, green ends it. Alertmanager drops an alert without an end after its
// resolve_timeout unless it is sent again and again, so an open alert gets an end far in the future. Its times are
// those of the outage. An Alertmanager that restarts forgets what it was told.
import { OutboundHeaders } from '../../platform/network/outbound-headers.ts'
import { shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { apiUrl } from '../driver/fields.ts'
import { defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { prometheusAlert } from '../driver/prometheus-alert.ts'
import { under } from '../driver/url.ts'
import type { Notification } from '../driver.ts'

const OPEN_FOR_MS = 30 * 24 * 60 * 60_000

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
    jsonPost(under(api_url, 'api', 'v2', 'alerts'), alertsOf(notification, labels), headers),
})

function alertsOf(notification: Notification, extraLabels: Record<string, string> | undefined): object[] {
  const { status, labels, annotations, startsAt, endsAt, generatorURL } = prometheusAlert(
    notification,
    extraLabels,
  )
  const alert = { labels, annotations, ...(generatorURL === null ? {} : { generatorURL }), startsAt }
  const farAway = new Date(notification.atMs + OPEN_FOR_MS).toISOString()
  const dated = { ...alert, endsAt: endsAt ?? farAway }
  // If Alertmanager's clock is behind ours, this end is still in its future, and the later end of the open alert
  // would win for good. An update without an end turns that later end into a timeout, which any end replaces.
  return status === 'resolved' ? [alert, dated] : [dated]
}
