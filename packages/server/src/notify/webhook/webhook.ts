// notify/webhook/webhook.ts: posts the notification as JSON to a program of the user's own. Names are sent unchanged,
// because a program reads them; the summary is for people and neutralised. In Alertmanager's format every text is for
// people.
import { createHash } from 'node:crypto'
import { OutboundHeaders } from '../../platform/network/outbound-headers.ts'
import { shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed, HttpUrl, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { prometheusAlert } from '../driver/prometheus-alert.ts'
import { ackLinkOf, sentence } from '../driver/wording.ts'
import type { Digest, Notification, Untold } from '../driver.ts'

export const webhook = defineHttpNotifier({
  summary: 'Posts the notification as JSON to a URL.',
  needs: 'A program that takes a POST and answers 2xx.',
  config: closed({
    url: HttpUrl,
    headers: Type.Optional(OutboundHeaders),
    format: Type.Optional(
      oneOf(
        ['pulseward', 'alertmanager'],
        "The format of the body: Pulseward's own, or that of Alertmanager's webhooks (version 4).",
        { default: 'pulseward' },
      ),
    ),
  }),
  rate: { maxInFlight: 4, perSecond: null },
  limits: null,
  target: ({ url }) => shownOrigin(url),
  buildRequest({ url, headers, format }, notification) {
    return jsonPost(url, bodyFor(format, notification), headers)
  },
})

function bodyFor(format: string | undefined, notification: Notification): object {
  if (format === 'alertmanager') return alertmanagerBody(notification)
  return notification.digest === null ? ownBody(notification) : digestBody(notification, notification.digest)
}

function digestBody(notification: Notification, digest: Digest): object {
  const { actionId, atMs, link } = notification
  return {
    kind: 'digest',
    incidents: digest.incidents,
    down_seconds: digest.downMs / 1000,
    from: new Date(digest.fromMs).toISOString(),
    to: new Date(digest.toMs).toISOString(),
    monitors: digest.monitors.map(({ monitorId, monitor, incidents, downMs, seen }) => ({
      monitor_id: monitorId,
      monitor,
      incidents,
      down_seconds: downMs / 1000,
      seen,
    })),
    summary: sentence(notification),
    action_id: actionId,
    at: new Date(atMs).toISOString(),
    link,
  }
}

function untoldBody({ incidents, downMs, fromMs }: Untold): object {
  return { incidents, down_seconds: downMs / 1000, from: new Date(fromMs).toISOString() }
}

function ownBody(notification: Notification): object {
  const { monitorId, monitor, color, status, severity, incidentId, actionId, atMs, link } = notification
  const { acknowledgedBy = null } = notification
  const ack = ackLinkOf(notification)
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
    ...(ack === null ? {} : { acknowledge_link: ack }),
    ...(acknowledgedBy === null ? {} : { acknowledged_by: acknowledgedBy }),
    ...maintenanceBody(notification),
    ...(notification.untold === null ? {} : { untold: untoldBody(notification.untold) }),
    ...(notification.page === undefined ? {} : { page: notification.page }),
  }
}

function maintenanceBody({ maintenance }: Notification): object {
  if (maintenance == null) return {}
  const { is, name, untilMs } = maintenance
  return { maintenance: { is, name, until: untilMs === null ? null : new Date(untilMs).toISOString() } }
}

/** How Alertmanager writes that there is no end yet. */
const NEVER = '0001-01-01T00:00:00Z'

/**
 * As Alertmanager's webhook (version 4) would send it: one group with one alert. Every receiver of those webhooks
 * accepts it.
 */
function alertmanagerBody(notification: Notification): object {
  const { status, labels, annotations, startsAt, endsAt, generatorURL } = prometheusAlert(notification)
  const alert = {
    status,
    labels,
    annotations,
    startsAt,
    endsAt: endsAt ?? NEVER,
    generatorURL: generatorURL ?? '',
    fingerprint: fingerprintOf(labels),
  }
  return {
    version: '4',
    groupKey: `{}:${JSON.stringify(labels)}`,
    truncatedAlerts: 0,
    status,
    receiver: 'pulseward',
    groupLabels: labels,
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: generatorURL === null ? '' : (URL.parse(generatorURL)?.origin ?? ''),
    alerts: [alert],
  }
}

/** 16 hexadecimal digits, the same for the same labels. */
function fingerprintOf(labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16)
}
