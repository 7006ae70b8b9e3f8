// components/time.tsx: times and durations. On hover each shows the exact time from the wire.
import { serviceNowMs, useNowMs } from '../data/service-clock.ts'
import { missing } from '../format/count.ts'
import { formatDuration } from '../format/duration.ts'
import { formatTime } from '../format/time.ts'

/** A time from the wire; null is a dash. */
export function Time({ at }: { readonly at: string | null }) {
  const nowMs = useNowMs()
  if (at === null) return missing
  return (
    <time dateTime={at} title={at}>
      {formatTime(Date.parse(at), nowMs)}
    </time>
  )
}

export type AgeProps =
  | { readonly since: string }
  | { readonly sinceMs: number; readonly byBrowserClock: true }

/** How long ago it was; counts up. */
export function Age(props: AgeProps) {
  const nowMs = useNowMs()
  const at = 'since' in props ? props.since : new Date(serviceNowMs(props.sinceMs)).toISOString()
  return <AgeAt since={at} nowMs={nowMs} />
}

/** Age for lists: one clock for all rows. */
export function AgeAt({ since, nowMs }: { readonly since: string; readonly nowMs: number }) {
  return (
    <time dateTime={since} title={since}>
      {formatDuration(Math.max(0, Math.floor((nowMs - Date.parse(since)) / 1000) * 1000))}
    </time>
  )
}

/** How long until it is due; "now" if it is past. */
export function Until({ at }: { readonly at: string | null }) {
  const nowMs = useNowMs()
  if (at === null) return missing
  const leftMs = Date.parse(at) - nowMs
  return (
    <time dateTime={at} title={at}>
      {leftMs <= 0 ? 'now' : `in ${formatDuration(Math.max(1000, leftMs))}`}
    </time>
  )
}

export function Duration({ ms }: { readonly ms: number | null }) {
  return <span title={ms === null ? undefined : `${ms} ms`}>{formatDuration(ms)}</span>
}
