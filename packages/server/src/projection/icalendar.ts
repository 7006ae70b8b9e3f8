// projection/icalendar.ts: writes iCalendar (RFC 5545): properties whose texts are escaped, in lines of at most 75 octets.
// Times are in UTC, so no calendar program has to know a time zone. Pure.

export interface CalendarEvent {
  /** Equal for the same event whenever it is written. */
  readonly uid: string
  readonly fromMs: number
  readonly toMs: number
  readonly summary: string
}

export interface CalendarDocument {
  readonly name: string
  readonly writtenAtMs: number
  readonly events: readonly CalendarEvent[]
}

const octetsOfLine = 75

export function icalendar({ name, writtenAtMs, events }: CalendarDocument): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Pulseward//On call//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap((event) => eventLines(event, writtenAtMs)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventLines({ uid, fromMs, toMs, summary }: CalendarEvent, writtenAtMs: number): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(writtenAtMs)}`,
    `DTSTART:${utc(fromMs)}`,
    `DTEND:${utc(toMs)}`,
    `SUMMARY:${escaped(summary)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** Such as 20260330T070000Z. */
function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
}

/** Control characters have no place in a text; a line break is written as \n. */
function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[\p{Cc}]/gu, '')
}

/** Never within a character: a line of octets must stay UTF-8. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > octetsOfLine) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}
