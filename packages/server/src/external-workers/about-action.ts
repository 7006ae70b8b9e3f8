// external-workers/about-action.ts: what a worker is told of the action that it carries out, in the words of v2. It stands
// beside the parameters that people wrote, under `intervention` or `notification`.
import type { ExternalAction } from '../acting/action-flow.ts'
import { sentence } from '../notify/driver/wording.ts'
import type { Notification } from '../notify/driver.ts'
import { timestamp } from '../platform/wire.ts'
import type { Intervention } from '../recovery/driver.ts'

export function parametersOf({
  kind,
  config,
  about,
}: Pick<ExternalAction, 'kind' | 'config' | 'about'>): object {
  const written = config.parameters as object
  return kind === 'recovery'
    ? { ...written, intervention: interventionWords(about as Intervention) }
    : { ...written, notification: notificationWords(about as Notification) }
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
