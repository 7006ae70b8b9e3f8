// format/duration.ts: durations in the two largest units that matter.
import { missing } from './count.ts'

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const

/** For ages and intervals: 41 s, 4 min 12 s, 2 h 5 min, 3 d 4 h. Below a second: 250 ms. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return missing
  if (ms > 0 && ms < 999.5) return formatMilliseconds(ms)
  const total = Math.max(0, Math.round(ms / 1000))
  const first = units.findIndex(({ seconds }) => total >= seconds)
  if (first === -1) return '0 s'
  const large = units[first]!
  const count = Math.floor(total / large.seconds)
  const small = units[first + 1]
  const rest = small === undefined ? 0 : Math.floor((total % large.seconds) / small.seconds)
  return rest === 0 ? `${count} ${large.name}` : `${count} ${large.name} ${rest} ${small!.name}`
}

/** For latencies: 0.4 ms, 21 ms, 1.2 s. */
export function formatMilliseconds(ms: number | null): string {
  if (ms === null) return missing
  if (ms >= 999.5) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`
  if (ms >= 9.95 || ms === 0) return `${Math.round(ms)} ms`
  return `${ms < 0.1 ? '< 0.1' : ms.toFixed(1)} ms`
}
