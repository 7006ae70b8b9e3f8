// client/table/local-time.ts: a time as people read it. Short, it leaves out what the reader knows: the date if it is
// today, and the year if it is this one. Exact, it has the date, the second and the UTC offset, so that it is not
// mistaken for another zone's. Zone and present are passed in.

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
    formats.set(timeZone, format)
  }
  return format
}

function partsOf(ms: number, timeZone: string): Record<Intl.DateTimeFormatPartTypes, string> {
  const parts = formatIn(timeZone).formatToParts(ms)
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as never
}

/** `2026-03-01 10:30:05 +01:00`, or `… UTC`; text that is not a time is returned unchanged. */
export function exactTime(at: string, timeZone: string): string {
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return at
  const of = partsOf(ms, timeZone)
  const offset = of.timeZoneName.replace('GMT', '')
  const zone = offset === '' || offset === '+00:00' ? 'UTC' : offset
  return `${of.year}-${of.month}-${of.day} ${of.hour}:${of.minute}:${of.second} ${zone}`
}

const momentWithin = /(?<=\s)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z(?![\w-])/g

/** A sentence of the service with the times in it as people read them. A time alone, as in a document, stays. */
export function withLocalTimes(text: string, timeZone: string): string {
  return text.replaceAll(momentWithin, (at) => exactTime(at, timeZone))
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `10:30:05` of today, `1 Mar 10:30` of this year, `1 Mar 2025 10:30` of another. */
export function shortTime(at: string, timeZone: string, nowMs: number): string {
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return at
  const of = partsOf(ms, timeZone)
  const now = partsOf(nowMs, timeZone)
  const date = `${Number(of.day)} ${months[Number(of.month) - 1]}`
  if (of.year !== now.year) return `${date} ${of.year} ${of.hour}:${of.minute}`
  if (of.month !== now.month || of.day !== now.day) return `${date} ${of.hour}:${of.minute}`
  return `${of.hour}:${of.minute}:${of.second}`
}
