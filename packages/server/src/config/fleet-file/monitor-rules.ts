// config/fleet-file/monitor-rules.ts: rules for a single monitor that a schema cannot express. Rules that
// need the whole fleet are in fleet-rules.ts.
import { durationMs, formatDuration } from '../../platform/duration.ts'
import { jobOf } from '../external-driver.ts'
import type { FailsWhen } from '../places.ts'
import { isReported } from '../push-check.ts'
import type { Mistake } from '../shape/explain.ts'
import type { Path } from '../shape/shape.ts'
import { show } from '../shape/words.ts'
import { cronProblem, isTimezone } from './cron-words.ts'
import { derivedIdentityPrefix } from './identity.ts'
import type { CheckPolicyDocument, MaintenanceDocument, MonitorDocument } from './schema.ts'

const shortestIntervalMs = 1000

/** What says how and when a check is run. */
const notForReported = ['interval', 'timeout', 'retries', 'locations', 'fails_when'] as const
/** What says where it is run. */
const notForJobs = ['locations', 'fails_when'] as const

/** Mistakes in the parts of a monitor that fit the schema. An ordinary monitor costs a few comparisons. */
export function ruleMistakes(monitor: Partial<MonitorDocument>): Mistake[] | null {
  let mistakes: Mistake[] | null = null
  const say = (path: Path, message: string, unshown = message) => {
    mistakes ??= []
    mistakes.push({ path, message, unshown })
  }
  if (monitor.id?.startsWith(derivedIdentityPrefix)) {
    say(['id'], `must not begin with "${derivedIdentityPrefix}": those identities are made from names.`)
  }
  const { check } = monitor
  if (check?.type !== undefined && isReported(check.type))
    for (const key of notForReported)
      if (Object.hasOwn(check, key))
        say(['check', key], `does not apply to a ${check.type} check, for which nothing is run; remove it.`)
  if (check !== undefined && jobOf(check) !== null)
    for (const key of notForJobs)
      if (Object.hasOwn(check, key))
        say(['check', key], 'does not apply to a job type, whose workers run where they are; remove it.')
  timingMistakes(check ?? {}, (key, message, unshown) => say(['check', key], message, unshown))
  placeMistakes(check ?? {}, (key, message, unshown) => say(['check', key], message, unshown))
  if (monitor.recovery?.timeout !== undefined && durationMs(monitor.recovery.timeout) === 0) {
    say(['recovery', 'timeout'], 'must be greater than zero.')
  }
  monitor.maintenance?.forEach((window, index) => {
    for (const { path, message, unshown } of windowMistakes(window))
      say(['maintenance', index, ...path], message, unshown)
  })
  return mistakes
}

/** Also used for defaults.check. */
export function timingMistakes(
  policy: CheckPolicyDocument,
  say: (key: string, message: string, unshown?: string) => void,
): void {
  const { interval, timeout } = policy
  const isLongEnough = interval !== undefined && durationMs(interval) >= shortestIntervalMs
  if (interval !== undefined && !isLongEnough) {
    const words = `is too short; write ${formatDuration(shortestIntervalMs)} or more.`
    say('interval', `"${interval}" ${words}`, words)
  }
  if (timeout === undefined) return
  if (durationMs(timeout) === 0) say('timeout', 'must be greater than zero.')
  else if (isLongEnough && durationMs(timeout) > durationMs(interval)) {
    const words = `is longer than the interval of ${interval}; write ${interval} or less.`
    say('timeout', `"${timeout}" ${words}`, words)
  }
}

/** Null if it fits this number of locations. */
export function failsWhenMistake(failsWhen: FailsWhen, locations: number): string | null {
  if (locations === 1) return 'does nothing with one location; name more in locations, or remove it.'
  return typeof failsWhen === 'number' && failsWhen > locations
    ? `is more than its ${locations} locations; write ${locations} or less.`
    : null
}

/** Also used for defaults.check. */
export function placeMistakes(
  { locations, fails_when }: CheckPolicyDocument,
  say: (key: string, message: string, unshown?: string) => void,
): void {
  const twice = locations?.find((location, index) => locations.indexOf(location) !== index)
  if (twice !== undefined) say('locations', `names ${twice} twice; name it once.`, 'names a location twice.')
  if (locations === undefined || fails_when === undefined) return
  const message = failsWhenMistake(fails_when, locations.length)
  if (message !== null) say('fails_when', message)
}

function windowMistakes(window: MaintenanceDocument): Mistake[] {
  const mistakes: Mistake[] = []
  const { cron, duration, start, end, timezone } = window
  // A member that does not fit the schema is there, without its value.
  const has = (key: keyof MaintenanceDocument) => Object.hasOwn(window, key)
  if (timezone !== undefined && !isTimezone(timezone)) {
    const words = 'is not a time zone; expected a name such as Europe/Berlin.'
    mistakes.push({ path: ['timezone'], message: `${show(timezone)} ${words}`, unshown: words })
  }
  mistakes.push(...recurrenceMistakes(cron, duration), ...spanMistakes(start, end))
  const given = (['cron', 'duration', 'start', 'end'] as const).filter(has).join()
  if (given !== 'cron,duration' && given !== 'start,end')
    mistakes.push({ path: [], message: 'needs either cron and duration, or start and end.' })
  return mistakes
}

function recurrenceMistakes(cron: string | undefined, duration: string | undefined): Mistake[] {
  const mistakes: Mistake[] = []
  const problem = cron === undefined ? null : cronProblem(cron)
  if (problem !== null)
    mistakes.push({
      path: ['cron'],
      message: `${show(cron)} is not a cron expression: ${problem}.`,
      // The message above quotes parts of the expression.
      unshown: 'is not a cron expression of five fields that matches a time in the future.',
    })
  if (duration !== undefined && durationMs(duration) === 0)
    mistakes.push({ path: ['duration'], message: 'must be greater than zero.' })
  return mistakes
}

const notInCalendar = 'is not a valid date and time; write one such as 2026-03-29T01:00:00Z.'

function spanMistakes(start: string | undefined, end: string | undefined): Mistake[] {
  const mistakes: Mistake[] = []
  for (const [key, moment] of Object.entries({ start, end }))
    if (moment !== undefined && Number.isNaN(momentMs(moment)))
      mistakes.push({ path: [key], message: `"${moment}" ${notInCalendar}`, unshown: notInCalendar })
  if (start !== undefined && end !== undefined && momentMs(end) <= momentMs(start))
    mistakes.push({ path: ['end'], message: 'must come after start.' })
  return mistakes
}

/** NaN for a day that its month does not have; Date.parse would move it into the next month. */
function momentMs(text: string): number {
  const day = text.slice(0, 10)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  return exists ? Date.parse(text) : Number.NaN
}
