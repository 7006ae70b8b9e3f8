// fleet-map/summary.ts: the map in words, for people who do not see it: the groups with the most trouble first.
import { type FleetMap, type Status, statuses } from '@pulseward/contract'
import { statusWords } from '../components/status-words.ts'
import { formatCount, plural } from '../format/count.ts'
import { untagged } from './paint-labels.ts'

const groupsAtMost = 12
const spoken: readonly Status[] = ['incident', 'down', 'verifying', 'degraded', 'unknown', 'disabled', 'up']
const trouble: readonly Status[] = ['incident', 'down', 'verifying', 'degraded']

export function summarize({ tags, statuses: statusBytes }: FleetMap): readonly string[] {
  let first = 0
  const groups = tags.map(({ tag, count }) => {
    const counts = countStatuses(statusBytes.subarray(first, first + count))
    first += count
    return { tag, count, counts, troubled: trouble.reduce((sum, status) => sum + counts[status], 0) }
  })
  const sorted = groups
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.counts.incident - a.counts.incident || b.troubled - a.troubled || b.count - a.count)
  const lines = sorted.slice(0, groupsAtMost).map(({ tag, count, counts }) => {
    const parts = spoken
      .filter((status) => counts[status] > 0)
      .map((status) => `${formatCount(counts[status])} ${statusWords[status].toLowerCase()}`)
    return `${tag === '' ? untagged : tag}: ${plural(count, 'monitor')}: ${parts.join(', ')}.`
  })
  const left = sorted.length - lines.length
  return left > 0 ? [...lines, `And ${plural(left, 'more group')} with less trouble.`] : lines
}

function countStatuses(bytes: Uint8Array): Record<Status, number> {
  const counts = new Uint32Array(statuses.length)
  for (const byte of bytes) counts[byte]!++
  return Object.fromEntries(statuses.map((status, index) => [status, counts[index]!])) as Record<
    Status,
    number
  >
}
