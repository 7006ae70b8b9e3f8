// import/uptime-kuma/maintenance.ts: maintenance windows of Uptime Kuma. Recurring windows have a cron
// expression in the database, however they were set up.
import { LocalTime } from '@pulseward/server'
import type { Fields } from '../fields.ts'

/** Null if it is not carried over, which is noted unless the window is over. */
export function maintenanceWindow(fields: Fields, serverZone: string | null): object | null {
  if (fields.flag('active') === false) return refused(fields, 'is not active')
  const own = fields.text('timezone')
  const zone = own === undefined || own === 'SAME_AS_SERVER' ? serverZone : own
  if (zone === null)
    fields.note('timezone', 'is taken for UTC: the file does not say which zone the server has')
  const strategy = fields.text('strategy') ?? ''
  if (strategy === 'manual') return refused(fields, 'is switched on and off by hand')
  return strategy === 'single' ? span(fields, zone ?? 'UTC') : recurring(fields, zone ?? 'UTC', strategy)
}

function refused(fields: Fields, reason: string): null {
  fields.note('', `is not carried over: it ${reason}`)
  return null
}

function recurring(fields: Fields, timezone: string, strategy: string): object | null {
  const cron = fields.text('cron')?.trim().replaceAll(/\s+/g, ' ')
  const seconds = fields.number('duration')
  if (cron === undefined || seconds === undefined || seconds <= 0)
    return refused(fields, 'has no cron expression and duration, which Uptime Kuma writes from 1.22 on')
  if (strategy === 'recurring-interval' && (fields.number('interval_day') ?? 1) > 1)
    return refused(fields, 'comes every few days, which a cron expression cannot say')
  if (fields.text('end_date') !== undefined)
    fields.note('end_date', 'is not carried over: the window comes without end')
  return { cron, duration: `${Math.round(seconds)}s`, timezone }
}

function span(fields: Fields, timezone: string): object | null {
  const [start, end] = [
    moment(fields.text('start_date'), timezone),
    moment(fields.text('end_date'), timezone),
  ]
  if (start === null || end === null) return refused(fields, 'has no beginning and end that can be read')
  return end < Date.now() ? refused(fields, 'is over') : { start: written(start), end: written(end) }
}

/** A wall-clock time in the zone, as the database has it: 2026-03-29 01:00:00. Null for anything else. */
function moment(text: string | undefined, timezone: string): number | null {
  const localMs = Date.parse(`${(text ?? '').replace(' ', 'T').replace(/Z$/, '')}Z`)
  if (Number.isNaN(localMs)) return null
  try {
    return new LocalTime(timezone).instantMs(localMs)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function written(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.[0-9]+Z$/, 'Z')
}
