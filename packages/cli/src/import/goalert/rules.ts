// import/goalert/rules.ts: when the target of a schedule of GoAlert is on call: its rules as hours of a layer, and the minutes
// of a week that they take.
import type { Fields } from '../fields.ts'

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const minutesOfDay = 1_440
const minutesOfWeek = 7 * minutesOfDay
const clockTime = /^([01][0-9]|2[0-3]):[0-5][0-9]$/

export interface WrittenHours {
  readonly days: readonly string[]
  readonly from: string
  readonly to: string
}

/** Null: at all hours. Empty: never. */
export function hoursOf(target: Fields): readonly WrittenHours[] | null {
  const hours = target.items('rules').flatMap((rule) => hoursOfRule(rule))
  return hours.includes('always') ? null : (hours as WrittenHours[])
}

function hoursOfRule(rule: Fields): (WrittenHours | 'always')[] {
  const [from, to] = [rule.text('start'), rule.text('end')]
  const filter = rule.list('weekdayFilter')
  rule.pass('id', 'scheduleID', 'target')
  if (from === undefined || to === undefined || !clockTime.test(from) || !clockTime.test(to)) {
    rule.note('', 'is not carried over: its start or its end is not a time of day')
    return []
  }
  const isOn = (day: number) => filter[(day + 7) % 7] === true
  const days = weekdays.filter((_, day) => isOn(day))
  if (days.length === 0) return []
  if (from !== to) return [{ days, from, to }]
  // From then on each of these days until the same time of the next.
  if (days.length === 7) return ['always']
  const nextDays = weekdays.filter((_, day) => isOn(day - 1))
  const untilMidnight = { days, from, to: '24:00' }
  return from === '00:00' ? [untilMidnight] : [untilMidnight, { days: nextDays, from: '00:00', to }]
}

/** Of the minutes of a week from Sunday on, 1 for those within the hours. */
export function minutesOf(hours: readonly WrittenHours[] | null): Uint8Array {
  const minutes = new Uint8Array(minutesOfWeek)
  if (hours === null) return minutes.fill(1)
  for (const { days, from, to } of hours)
    for (const day of days) {
      const start = (weekdays as readonly string[]).indexOf(day) * minutesOfDay + minuteOf(from)
      const length = minuteOf(to) - minuteOf(from)
      const end = start + (length > 0 ? length : length + minutesOfDay)
      for (let minute = start; minute < end; minute++) minutes[minute % minutesOfWeek] = 1
    }
  return minutes
}

function minuteOf(time: string): number {
  const [hour, minute] = time.split(':')
  return Number(hour) * 60 + Number(minute)
}
