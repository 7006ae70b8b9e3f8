// acting/standing.ts: why a request is not possible for its subject, as the dialog read it. The service
// checks again: this only spares people a form that cannot be sent.
import type { v2 } from '@pulseward/contract'
import type { Subject } from './subject.ts'
import type { Verb } from './verbs.ts'

type SubjectParts = Pick<Subject, 'monitor' | 'incident' | 'action'>

/** Null if the request is possible, otherwise a sentence. */
export function whyNot(verb: Verb, { monitor, incident, action }: SubjectParts): string | null {
  switch (verb) {
    case 'acknowledge':
      return whyNotOpen(incident)
    case 'dismiss':
      if (incident?.state === 'open' && incident.dismissed === true)
        return 'Its incident is already dismissed: no more notifications are sent about it.'
      return whyNotOpen(incident)
    case 'reopen':
      if (incident?.state === 'open' && incident.dismissed !== true)
        return 'Its incident is not dismissed, so there is nothing to reopen.'
      return whyNotOpen(incident)
    case 'snooze':
      return null
    case 'unsnooze':
      return monitor.status?.snoozedUntil === undefined ? 'It is not snoozed.' : null
    case 'enable':
    case 'disable':
      return whyNotSwitched(verb, monitor)
    case 'recover':
      return monitor.spec.recovery === undefined ? 'No recovery is configured for it.' : null
    case 'review':
      return whyNotReviewed(action)
  }
}

function whyNotOpen(incident: v2.Incident | null): string | null {
  if (incident === null) return 'It has no open incident.'
  return incident.state === 'open' ? null : 'The incident is closed.'
}

function whyNotSwitched(verb: 'enable' | 'disable', { metadata, spec }: v2.Monitor): string | null {
  if (metadata.managedBy === 'file')
    return `It comes from a fleet file: ${verb} it there, and reload the service.`
  const isEnabled = spec.enabled !== false
  if (isEnabled === (verb === 'enable')) return `It is already ${verb}d.`
  return null
}

function whyNotReviewed(action: v2.Action | null): string | null {
  if (action === null) return 'There is no action whose outcome is unknown.'
  return action.state === 'unknown' && !isConcluded(action.review)
    ? null
    : 'The outcome of the action is known, so there is nothing to review.'
}

/** Whether a review has determined the outcome of an action, and nothing contradicts it. */
export function isConcluded(review: v2.Action['review']): boolean {
  return review !== undefined && review.resolution !== 'inconclusive' && review.conflict === undefined
}

/** The verbs that a monitor allows now, in the order of its buttons. `incident`: its open one. */
export function offeredVerbs(monitor: v2.Monitor, incident: v2.Incident | null): readonly Verb[] {
  const all: readonly Verb[] = [
    ...(['acknowledge', 'dismiss', 'reopen'] as const),
    ...(['unsnooze', 'snooze', 'recover', 'enable', 'disable'] as const),
  ]
  const judged = { monitor, incident, action: null }
  return all.filter((verb) => whyNot(verb, judged) === null && (verb !== 'recover' || isUnwell(monitor)))
}

function isUnwell({ spec, status }: v2.Monitor): boolean {
  return spec.enabled !== false && status?.snoozedUntil === undefined && status?.health === 'unhealthy'
}
