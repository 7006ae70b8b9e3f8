// import/gatus/maintenance.ts: the daily and weekly windows of Gatus.
import { asDuration, durationOf } from '../durations.ts'
import type { Fields } from '../fields.ts'
import { stated } from '../monitor-parts.ts'

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Null if it is disabled or cannot be read, which is noted. */
export function maintenanceWindow(fields: Fields): object | null {
  const [, hour, minute] = /^([0-9]{1,2}):([0-9]{2})$/.exec(fields.text('start') ?? '') ?? []
  const durationMs = durationOf(fields, 'duration')
  const timezone = fields.text('timezone')
  const every = fields.texts('every').map((day) => days.indexOf(day.toLowerCase()))
  if (fields.flag('enabled') === false) return null
  if (hour === undefined || minute === undefined || durationMs === undefined || every.includes(-1)) {
    fields.note('', 'is a maintenance window that cannot be read; it is not carried over')
    return null
  }
  const cron = `${Number(minute)} ${Number(hour)} * * ${every.length === 0 ? '*' : every.join(',')}`
  return { cron, duration: asDuration(durationMs), ...stated({ timezone }) }
}
