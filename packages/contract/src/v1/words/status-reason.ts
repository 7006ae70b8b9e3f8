// v1/words/status-reason.ts: the reason of a status as a sentence. The wire starts it with the status, which
// the page has already shown.
import { type Status, statuses } from '../values.ts'

/** What each status means. */
export const statusMeanings: Readonly<Record<Status, string>> = {
  up: 'The last checks succeeded.',
  degraded: 'It works, with a warning.',
  verifying: 'A recovery was accepted; healthy checks are being counted.',
  down: 'Checks fail; no incident is open.',
  incident: 'An incident is open.',
  unknown: 'No check has finished yet, or Pulseward itself could not check.',
  disabled: 'It is configured but not checked.',
}

export function reasonSentence(status: Status, reason: string | null): string {
  if (reason === null) return statusMeanings[status]
  const prefix = statuses.map((name) => `${name}: `).find((start) => reason.startsWith(start)) ?? ''
  const words = reason.slice(prefix.length)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? '' : '.'}`
}
