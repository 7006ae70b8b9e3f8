// format/time.ts: points in time, in the zone of the reader. The wire's own form stays one hover away.
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** 14:03:22 today, 12 Mar 14:03:22 this year, 12 Mar 2025 14:03:22 otherwise. */
export function formatTime(atMs: number, nowMs: number): string {
  const at = new Date(atMs)
  const now = new Date(nowMs)
  if (at.toDateString() === now.toDateString()) return clock.format(at)
  const date = at.getFullYear() === now.getFullYear() ? day : dayOfYear
  return `${date.format(at)} ${clock.format(at)}`
}
