// format/time.ts: times in the zone of the reader. The form on the wire is shown on hover.
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

/** 12 Mar 2026 14:03:22: for text that is read later, or on paper. */
export function formatMoment(atMs: number): string {
  return `${dayOfYear.format(atMs)} ${clock.format(atMs)}`
}

const momentWithin = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g

/** A sentence of the service, with the times in it as people read them. */
export function withLocalTimes(text: string): string {
  return text.replaceAll(momentWithin, (at) => formatMoment(Date.parse(at)))
}

const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** When something ends: 15:00 today, 12 Mar 15:00 this year, 12 Mar 2027 15:00 otherwise. */
export function formatUntil(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)]
  if (at.toDateString() === now.toDateString()) return minute.format(at)
  const date = at.getFullYear() === now.getFullYear() ? day : dayOfYear
  return `${date.format(at)} ${minute.format(at)}`
}

/** For an axis of days: 12 Mar at the start of a day, 14:00 within it. */
export function formatTick(atMs: number): string {
  return isMidnight(atMs) ? day.format(atMs) : minute.format(atMs)
}

/** 12 Mar for a whole day, 12 Mar 14:00–14:05 within one, 12 Mar 23:00 – 13 Mar 01:00 beyond. */
export function formatStretch(fromMs: number, toMs: number): string {
  const nextDay = new Date(fromMs)
  nextDay.setDate(nextDay.getDate() + 1)
  if (isMidnight(fromMs) && nextDay.getTime() === toMs) return day.format(fromMs)
  const from = `${day.format(fromMs)} ${minute.format(fromMs)}`
  // A period that ends at midnight belongs to the day before.
  const isOneDay = new Date(fromMs).toDateString() === new Date(toMs - 1).toDateString()
  return isOneDay ? `${from}–${minute.format(toMs)}` : `${from} – ${day.format(toMs)} ${minute.format(toMs)}`
}

function isMidnight(atMs: number): boolean {
  const at = new Date(atMs)
  return at.getHours() === 0 && at.getMinutes() === 0
}
