// config/fleet-file/cron-words.ts: whether a text is a cron expression or the name of a time zone, and how
// close together the times of an expression are.
import { Cron } from 'croner'
import { forgetOldest } from '../../platform/forget-oldest.ts'
import { counted } from '../../platform/wording.ts'

/** Null for a valid expression that matches a time in the future. */
export function cronProblem(expression: string): string | null {
  // The library quotes the expression in its messages, which are shown in terminals.
  if (!/^[\x20-\x7e]*$/.test(expression)) return 'it has characters that are not allowed in one'
  const fields = expression.trim().split(/\s+/).length
  if (fields !== 5 && !expression.startsWith('@'))
    return `it has ${counted(fields, 'field')} and needs five: minute, hour, day, month and weekday`
  try {
    const next = new Cron(expression, { paused: true, mode: '5-part' }).nextRun()
    return next === null ? 'it never matches' : null
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '').replace(/\.$/, '')
  }
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Enough for every combination of minutes and hours that people write. */
const sampledTimes = 256
/** Any moment works as the one from which an expression is sampled. */
const sampledFrom = new Date('2001-01-01T00:00:00Z')
const mostGaps = 1_000
const gaps = new Map<string, number>()

/** The shortest time between two times of a valid expression. */
export function shortestGapMs(expression: string): number {
  const known = gaps.get(expression)
  if (known !== undefined) return known
  const cron = new Cron(expression, { paused: true, mode: '5-part', timezone: 'UTC' })
  const times = cron.nextRuns(sampledTimes, sampledFrom).map((time) => time.getTime())
  let shortest = Number.POSITIVE_INFINITY
  for (let index = 1; index < times.length; index++)
    shortest = Math.min(shortest, times[index]! - times[index - 1]!)
  if (gaps.size >= mostGaps) forgetOldest(gaps)
  gaps.set(expression, shortest)
  return shortest
}
