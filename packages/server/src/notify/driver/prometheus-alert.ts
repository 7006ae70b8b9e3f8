// notify/driver/prometheus-alert.ts: a notification as a Prometheus alert. Labels are its identity: they hold the
// monitor's id and nothing that changes between opening and closing, so a rename or a worse severity stays the same
// alert. Everything for people is in the annotations. Pure.
import type { Notification } from '../driver.ts'
import { type AlertStep, alertStep } from './alert.ts'
import { facts, sentence } from './wording.ts'

/** Cyan and gray open nothing that a green would close, so they end by themselves. */
const NOTICE_LASTS_MS = 5 * 60_000

export interface PrometheusAlert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly startsAt: string
  /** Null while it is open. */
  readonly endsAt: string | null
  readonly generatorURL: string | null
}

export function prometheusAlert(
  notification: Notification,
  extraLabels: Readonly<Record<string, string>> = {},
): PrometheusAlert {
  const { monitorId, cause, atMs, link, page } = notification
  const step = alertStep(notification)
  const isDigest = notification.digest !== null
  const notice = isDigest ? 'MonitorDigest' : 'MonitorNotice'
  const alertname = step === 'inform' ? notice : 'MonitorUnhealthy'
  // A page may be named after another monitor at its end than at its beginning.
  const ofPage = page === undefined ? { monitor_id: monitorId } : { page: page.id, policy: page.policy }
  const subjectLabels = isDigest ? {} : ofPage
  const endsAtMs = { trigger: null, resolve: atMs, inform: atMs + NOTICE_LASTS_MS }[step]
  return {
    status: step === 'resolve' ? 'resolved' : 'firing',
    labels: {
      ...extraLabels,
      alertname: cause === 'test' ? 'PulsewardTest' : alertname,
      ...subjectLabels,
    },
    annotations: annotationsOf(notification),
    startsAt: new Date(startsAtMs(notification, step)).toISOString(),
    endsAt: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
    generatorURL: link,
  }
}

/** When the outage that the alert opens or ends was first seen; never after its end. */
function startsAtMs({ sinceMs, beganMs, atMs }: Notification, step: AlertStep): number {
  const known = { trigger: sinceMs, resolve: beganMs, inform: null }[step]
  return Math.min(known ?? atMs, atMs)
}

/** Names of annotations have no spaces; Alertmanager refuses those that do. */
function annotationsOf(notification: Notification): Record<string, string> {
  const details = facts(notification).map(
    ({ label, value }) => [label.toLowerCase().replaceAll(' ', '_'), value] as const,
  )
  return { summary: sentence(notification), ...Object.fromEntries(details), color: notification.color }
}
