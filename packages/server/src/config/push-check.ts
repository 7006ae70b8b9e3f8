// config/push-check.ts: the check of a job that reports by itself, as fleet files and v2 write it. Nothing is
// run for it: its monitor has no interval, timeout or retries, and its silence is the failure. Other code asks
// whether a type is reported (`isReported`), not for its name.
import type { Static } from 'typebox'
import { durationMs, formatDuration } from '../platform/duration.ts'
import { closed, Duration, OneLineSecret, Period } from '../platform/schema.ts'
import { Type } from '../platform/schema-type.ts'
import { cronProblem, isTimezone, shortestGapMs } from './fleet-file/cron-words.ts'
import type { DriverShape } from './fleet-file/schema.ts'

export const pushType = 'push'

const shortestMs = 1_000
const usualEarlyMs = 60_000

const PushKey = Type.Unsafe<string>({
  ...OneLineSecret,
  pushKey: true,
  description: 'A reference to the credential whose value stands in the address that the job calls.',
})

export const PushConfig = closed({
  cron: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'When a signal is expected, as a cron expression. Either cron or every.',
    }),
  ),
  every: Type.Optional(
    Type.String({
      ...Duration,
      title: 'A signal is expected this long after the last one, at least 1s. Either cron or every.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      default: 'UTC',
      description: 'The time zone of cron, such as Europe/Berlin.',
    }),
  ),
  grace: Type.Optional(
    Type.String({
      ...Duration,
      title:
        'How late a signal may be, at least 1s. Default: 5m with cron; with every a tenth of it, at least 1m.',
    }),
  ),
  max_runtime: Type.Optional(
    Type.String({
      ...Period,
      title: 'How long a run may take from its start to its end; not limited unless given.',
    }),
  ),
  early: Type.Optional(
    Type.String({
      ...Duration,
      title:
        'A signal that comes at most this long before a time of cron counts for it; less than half the shortest time between two of them. Default: 1m.',
    }),
  ),
  first_within: Type.Optional(
    Type.String({
      ...Period,
      title: 'How long after it is loaded the first signal may take; without it, the first may take forever.',
    }),
  ),
  key: PushKey,
  previous_key: Type.Optional(PushKey),
})

export type PushConfig = Static<typeof PushConfig>

export const pushShape: DriverShape = {
  summary: 'Expects a job to report by itself; silence is the failure.',
  config: PushConfig,
  inspect: (config) => pushMistakes(config as PushConfig),
}

/** Whether checks of this type are reported from outside instead of being run at intervals. */
export function isReported(type: string): boolean {
  return type === pushType
}

/** Thresholds of a monitor that reports by itself, unless it sets its own. */
export const reportedThreshold = 1

/** How long before a time of cron a signal counts for it. */
export function earlyMsOf({ cron = '', early }: PushConfig): number {
  if (early !== undefined) return durationMs(early)
  const gapMs = shortestGapMs(cron)
  return gapMs > 2 * usualEarlyMs ? usualEarlyMs : gapMs / 4
}

interface ConfigMistake {
  readonly path: readonly string[]
  readonly message: string
}

/** What the schema cannot express. */
function pushMistakes(config: PushConfig): ConfigMistake[] {
  const { cron, every, timezone, grace, early } = config
  const mistakes: ConfigMistake[] = []
  const say = (key: string, message: string) => mistakes.push({ path: [key], message })
  if ((cron === undefined) === (every === undefined))
    mistakes.push({ path: [], message: 'needs either cron or every, exactly one of them.' })
  for (const [key, value] of Object.entries({ every, grace }))
    if (value !== undefined && durationMs(value) < shortestMs)
      say(key, `is too short; write ${formatDuration(shortestMs)} or more.`)
  const problem = cron === undefined ? null : cronProblem(cron)
  if (problem !== null) say('cron', `is not a cron expression that can be waited for: ${problem}.`)
  if (timezone !== undefined && !isTimezone(timezone))
    say('timezone', 'is not a time zone; expected a name such as Europe/Berlin.')
  if (cron === undefined) {
    if (timezone !== undefined) say('timezone', 'applies to cron only; remove it, or write cron.')
    if (early !== undefined) say('early', 'applies to cron only; remove it, or write cron.')
  } else if (early !== undefined && problem === null) {
    const gapMs = shortestGapMs(cron)
    if (durationMs(early) * 2 >= gapMs)
      say(
        'early',
        `is too long: two times of cron are only ${formatDuration(gapMs)} apart; write less than ${formatDuration(gapMs / 2)}.`,
      )
  }
  return mistakes
}
