// notify/webhook/alertmanager-format.ts: the notification as Alertmanager's webhook (version 4) would send it: one
// group with one alert. Every receiver of Alertmanager's webhooks accepts it.
import { createHash } from 'node:crypto'
import { prometheusAlert } from '../driver/prometheus-alert.ts'
import type { Notification } from '../driver.ts'

/** How Alertmanager writes that there is no end yet. */
const NEVER = '0001-01-01T00:00:00Z'

export function alertmanagerBody(notification: Notification): object {
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
