// config/fleet-file/monitor-rules.ts: what a schema cannot say about one monitor. Each rule looks at one
// monitor alone; what needs the whole fleet is in fleet-rules.ts.
import { Cron } from 'croner'
import { durationMs, formatDuration } from '../../platform/duration.ts'
import { derivedIdentityPrefix } from './identity.ts'
import type { CheckPolicyDocument, MaintenanceDocument, MonitorDocument } from './schema.ts'
import { type Mistake, type Path, show } from './validate.ts'

const shortestIntervalMs = 1000

/** Mistakes of what the schema accepts of a monitor. The ordinary monitor costs a few comparisons. */
export function ruleMistakes(monitor: Partial<MonitorDocument>): Mistake[] | null {
  let mistakes: Mistake[] | null = null
  const say = (path: Path, message: string) => {
    mistakes ??= []
    mistakes.push({ path, message })
  }
  if (monitor.id?.startsWith(derivedIdentityPrefix)) {
    say(['id'], `must not begin with "${derivedIdentityPrefix}": those identities are made from names.`)
  }
  timingMistakes(monitor.check ?? {}, (key, message) => say(['check', key], message))
  if (monitor.recovery?.timeout !== undefined && durationMs(monitor.recovery.timeout) === 0) {
    say(['recovery', 'timeout'], 'must be longer than nothing.')
  }
  monitor.maintenance?.forEach((window, index) => {
    for (const { path, message } of windowMistakes(window)) say(['maintenance', index, ...path], message)
  })
  return mistakes
}

/** Shared with defaults.check. */
export function timingMistakes(
  policy: CheckPolicyDocument,
  say: (key: string, message: string) => void,
): void {
  const { interval, timeout } = policy
  if (interval !== undefined && durationMs(interval) < shortestIntervalMs) {
    say('interval', `"${interval}" is too short; at least ${formatDuration(shortestIntervalMs)} is allowed.`)
  }
  if (timeout === undefined) return
  if (durationMs(timeout) === 0) say('timeout', 'must be longer than nothing.')
  else if (interval !== undefined && durationMs(timeout) > durationMs(interval)) {
    say('timeout', `"${timeout}" is longer than the interval "${interval}"; at most the interval is allowed.`)
  }
}

function windowMistakes(window: MaintenanceDocument): Mistake[] {
  const mistakes: Mistake[] = []
  const recurring = window.cron !== undefined && window.duration !== undefined
  const once = window.start !== undefined && window.end !== undefined
  const keys = [window.cron, window.duration, window.start, window.end].filter(
    (value) => value !== undefined,
  ).length
  if (keys !== 2 || !(recurring || once)) {
    return [{ path: [], message: 'needs either cron and duration, or start and end.' }]
  }
  if (window.timezone !== undefined && !isTimezone(window.timezone)) {
    mistakes.push({
      path: ['timezone'],
      message: `${show(window.timezone)} is no time zone; expected a name such as Europe/Berlin.`,
    })
  }
  if (recurring) {
    const problem = cronProblem(window.cron!)
    if (problem !== null)
      mistakes.push({ path: ['cron'], message: `${show(window.cron)} is no cron expression: ${problem}.` })
    if (durationMs(window.duration!) === 0)
      mistakes.push({ path: ['duration'], message: 'must be longer than nothing.' })
    return mistakes
  }
  const start = momentMs(window.start!)
  const end = momentMs(window.end!)
  if (Number.isNaN(start))
    mistakes.push({ path: ['start'], message: `"${window.start}" is no moment of the calendar.` })
  if (Number.isNaN(end))
    mistakes.push({ path: ['end'], message: `"${window.end}" is no moment of the calendar.` })
  if (end <= start) mistakes.push({ path: ['end'], message: 'must come after start.' })
  return mistakes
}

/** NaN for a day that its month does not have, which Date.parse would move into the next month. */
function momentMs(text: string): number {
  const day = text.slice(0, 10)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  return exists ? Date.parse(text) : Number.NaN
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function cronProblem(expression: string): string | null {
  // The library repeats the expression in its messages, and they are shown in terminals.
  if (!/^[\x20-\x7e]*$/.test(expression)) return 'it has characters that mean nothing there'
  try {
    const next = new Cron(expression, { paused: true, mode: '5-part' }).nextRun()
    return next === null ? 'it never comes' : null
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '').replace(/\.$/, '')
  }
}
