// fleet-map/summary.ts: the map in words, for people who do not see it: the groups with the most trouble first.
import { type Look, looks, statusWords } from '../components/status-words.ts'
import { formatCount, plural } from '../format/count.ts'
import type { LookMap } from './look-map.ts'
import { untagged } from './paint-labels.ts'

const groupsAtMost = 12
const spoken: readonly Look[] = [
  ...(['incident', 'down', 'verifying', 'degraded', 'unknown', 'snoozed', 'disabled', 'up'] as const),
]
const trouble: readonly Look[] = ['incident', 'down', 'verifying', 'degraded']

export function summarize({ tags, looks: lookBytes }: LookMap): readonly string[] {
  let first = 0
  const groups = tags.map(({ tag, count }) => {
    const counts = countLooks(lookBytes.subarray(first, first + count))
    first += count
    return { tag, count, counts, troubled: trouble.reduce((sum, status) => sum + counts[status], 0) }
  })
  const sorted = groups
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.counts.incident - a.counts.incident || b.troubled - a.troubled || b.count - a.count)
  const lines = sorted.slice(0, groupsAtMost).map(({ tag, count, counts }) => {
    const parts = spoken
      .filter((look) => counts[look] > 0)
      .map((look) => `${formatCount(counts[look])} ${statusWords[look].toLowerCase()}`)
    return `${tag === '' ? untagged : tag}: ${plural(count, 'monitor')}: ${parts.join(', ')}.`
  })
  const left = sorted.length - lines.length
  return left > 0 ? [...lines, `And ${plural(left, 'more group')} with less trouble.`] : lines
}

function countLooks(bytes: Uint8Array): Record<Look, number> {
  const counts = new Uint32Array(looks.length)
  for (const byte of bytes) counts[byte]!++
  return Object.fromEntries(looks.map((look, index) => [look, counts[index]!])) as Record<Look, number>
}
