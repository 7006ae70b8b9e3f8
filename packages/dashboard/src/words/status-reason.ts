// words/status-reason.ts: the reason of a status as a sentence. The wire starts it with the status, which
// the page has already shown.
import { type Status, statuses } from '@pulseward/contract'
import { statusMeanings } from '../components/status-words.ts'
import { withLocalTimes } from '../format/time.ts'

export function reasonSentence(status: Status, reason: string | null): string {
  if (reason === null) return statusMeanings[status]
  const prefix = statuses.map((name) => `${name}: `).find((start) => reason.startsWith(start)) ?? ''
  const words = withLocalTimes(reason.slice(prefix.length))
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? '' : '.'}`
}
