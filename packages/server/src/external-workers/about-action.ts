// external-workers/about-action.ts: describes an action to the worker that carries it out, in the words of
// v2. The description is added to the configured parameters, as `intervention` or `notification`.
import type { StartedAction } from '../acting/action-source.ts'
import type { ExternalConfig } from '../config/external-driver.ts'
import { sentence } from '../notify/driver/wording.ts'
import type { Notification } from '../notify/driver.ts'
import { timestamp } from '../platform/wire.ts'
import type { Intervention } from '../recovery/driver.ts'

export function parametersOf(started: StartedAction): object {
  const written = (started.driver.config as ExternalConfig).parameters as object
  return started.kind === 'recovery'
    ? { ...written, intervention: interventionWords(started.about) }
    : { ...written, notification: notificationWords(started.about) }
}

function interventionWords({ monitorId, monitor, actionId, incidentId, seen, atMs, link }: Intervention) {
  return {
    monitorID: monitorId,
    monitor,
    actionID: actionId,
    incidentID: incidentId,
    seen,
    at: timestamp(atMs),
    link,
  }
}

/** The summary is for people; everything else is for programs. */
function notificationWords(notification: Notification) {
  const { monitorId, monitor, color, cause, status, severity, seen, sinceMs, incidentId } = notification
  const { acknowledgedBy = null, actionId, atMs, link } = notification
  return {
    monitorID: monitorId,
    monitor,
    color,
    cause,
    status,
    severity,
    summary: sentence(notification),
    seen,
    since: sinceMs === null ? null : timestamp(sinceMs),
    incidentID: incidentId,
    acknowledgedBy,
    actionID: actionId,
    at: timestamp(atMs),
    link,
  }
}
