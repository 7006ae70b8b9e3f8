import { expect, it } from 'vitest'
import { icalendar } from './icalendar.ts'

const event = { uid: 'a@b', fromMs: Date.parse('2026-03-30T07:00Z'), toMs: Date.parse('2026-03-31T07:00Z') }
const written = (summary: string) =>
  icalendar({
    name: 'On call',
    writtenAtMs: Date.parse('2026-01-02T03:04:05Z'),
    events: [{ ...event, summary }],
  })

it('is a calendar with events in UTC, in lines that end with CR and LF', () => {
  expect(written('Ana').split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Pulseward//On call//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:On call',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'BEGIN:VEVENT',
    'UID:a@b',
    'DTSTAMP:20260102T030405Z',
    'DTSTART:20260330T070000Z',
    'DTEND:20260331T070000Z',
    'SUMMARY:Ana',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

it('escapes what has a meaning, and lets no text begin a property', () => {
  const text = written('a;b,c\\d\r\nDTEND:1\nx\u0000\u0007y')
  expect(text).toContain('SUMMARY:a\\;b\\,c\\\\d\\nDTEND:1\\nxy\r\n')
})

it('folds lines at 75 octets, never within a character, and unfolds to the same text', () => {
  for (const summary of [
    'é'.repeat(200),
    '👩‍🚒'.repeat(60),
    'x'.repeat(67),
    'x'.repeat(68),
    `${'x'.repeat(66)}é`,
  ]) {
    const text = written(summary)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(Buffer.from(text).toString()).toBe(text)
    expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}\r\n`)
  }
  expect(written('x'.repeat(67))).toContain(`\r\nSUMMARY:${'x'.repeat(67)}\r\n`)
})
