// client/table/local-time.ts: a time as people read it: local time to the second with its UTC offset, so that
// it is not mistaken for another zone's. The zone is passed in.

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

/** `2026-03-01 10:30:05 +01:00`, or `… UTC`; text that is not a time is returned unchanged. */
export function localTime(at: string, timeZone: string): string {
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return at
  const parts = formatIn(timeZone).formatToParts(ms)
  const of = Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Record<
    Intl.DateTimeFormatPartTypes,
    string
  >
  const offset = of.timeZoneName.replace('GMT', '')
  const zone = offset === '' || offset === '+00:00' ? 'UTC' : offset
  return `${of.year}-${of.month}-${of.day} ${of.hour}:${of.minute}:${of.second} ${zone}`
}

const momentWithin = /(?<=\s)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z(?![\w-])/g

/** A sentence of the service with the times in it as people read them. A time alone, as in a document, stays. */
export function withLocalTimes(text: string, timeZone: string): string {
  return text.replaceAll(momentWithin, (at) => localTime(at, timeZone))
}
