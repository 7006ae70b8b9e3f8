// api/on-call/serve-calendar.ts: the address at which a calendar program reads the shifts of a schedule. The key in it is the
// credential, found by its digest; a client without a known key learns nothing.
import { createHash } from 'node:crypto'
import type { v2 } from '@pulseward/contract'
import type { Exchange } from '../exchange.ts'
import type { Router } from '../router.ts'

export interface ServeCalendarOptions {
  readonly calendars: () => Iterable<{ readonly spec: v2.Calendar['spec'] }>
  /** The text of the feed; null if the schedule is not in force. */
  readonly textOf: (schedule: string, person: string | null) => string | null
}

const prefix = '/calendar/'
const fileName = /^([A-Za-z0-9_-]{22,128})\.ics$/

export function isCalendarPath(path: string): boolean {
  return path.startsWith(prefix)
}

export function serveCalendar(router: Router, { calendars, textOf }: ServeCalendarOptions): void {
  router.add('GET', `${prefix}{file}`, (exchange, { file = '' }) => {
    const key = fileName.exec(file)?.[1]
    const spec = key === undefined ? undefined : specWith(key, calendars())
    if (spec === undefined)
      return plain(exchange, 'There is no calendar at this address, or it was revoked.\n')
    const text = textOf(spec.scheduleRef, spec.personRef ?? null)
    if (text === null) return plain(exchange, 'The schedule of this calendar is not there any more.\n')
    exchange.setHeader('content-type', 'text/calendar; charset=utf-8')
    exchange.send(200, text)
  })
}

/** Digests are compared, so the time tells nothing about a key. */
function specWith(key: string, calendars: Iterable<{ readonly spec: v2.Calendar['spec'] }>) {
  const digest = createHash('sha256').update(key).digest('hex')
  for (const { spec } of calendars) if (spec.keyDigest === digest) return spec
  return undefined
}

function plain(exchange: Exchange, text: string): void {
  exchange.setHeader('content-type', 'text/plain; charset=utf-8')
  exchange.send(404, text)
}
