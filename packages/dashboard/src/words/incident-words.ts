// words/incident-words.ts: an open incident in one or two sentences: what fails, and what was done about it.

import { describeAction } from '@pulseward/contract/v1/words'
import type { Incident } from '../data/incidents.ts'
import { plural } from '../format/count.ts'

type Told = Pick<
  Incident,
  | 'last_error'
  | 'consecutive_failures'
  | 'verification'
  | 'last_action'
  | 'suppresses'
  | 'acknowledged_by'
  | 'dismissed'
>

export function describeIncident(incident: Told): string {
  const { last_error, verification, last_action, suppresses, acknowledged_by, dismissed } = incident
  const sentences: string[] = []
  if (verification !== null)
    sentences.push(
      `Verifying: ${verification.healthy} of ${verification.needed} healthy checks after the recovery.`,
    )
  else if (last_error !== null) sentences.push(failure(last_error, incident.consecutive_failures))
  if (last_action !== null && (verification === null || last_action.kind === 'code'))
    sentences.push(describeAction(last_action))
  if (suppresses > 0)
    sentences.push(
      suppresses === 1
        ? '1 monitor that depends on it is suppressed.'
        : `${plural(suppresses, 'monitor')} that depend on it are suppressed.`,
    )
  if (acknowledged_by !== null) sentences.push(`${acknowledged_by} is looking into it.`)
  if (dismissed) sentences.push('No more notifications are sent about it.')
  return sentences.join(' ')
}

/** The service's own words, as a sentence. */
function failure(error: string, failures: number): string {
  const trimmed = error.trim().replace(/\.$/, '')
  const sentence = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return failures > 1 ? `${sentence}, ${plural(failures, 'time')} in a row.` : `${sentence}.`
}
