// telemetry/log.ts: structured log lines on stderr, so that stdout is free for what the user asked for.
// Callers pass facts as fields, and redact secrets before they log.
import { type Logger, pino } from 'pino'
import { loggedError } from './logged-error.ts'

export type Log = Logger

export interface LogOptions {
  readonly level: string
  /** Null: pretty on a terminal, JSON elsewhere. */
  readonly format: 'pretty' | 'json' | null
}

export async function createLog({ level, format }: LogOptions): Promise<Log> {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // Error members are not enumerable, so JSON would show nothing. `err` is where pino puts an error that is
    // passed alone.
    serializers: { error: loggedError, err: loggedError },
  }
  const isPretty = (format ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty'
  if (!isPretty) return pino(options, pino.destination({ fd: 2, sync: true }))
  // Loaded only on a terminal: a service in the background does not need it.
  const { default: pretty } = await import('pino-pretty')
  return pino(
    options,
    pretty({
      destination: 2,
      sync: true,
      colorize: process.stderr.isTTY && !process.env['NO_COLOR'],
      translateTime: 'HH:MM:ss',
      ignore: 'pid,hostname',
      singleLine: true,
    }),
  )
}

export const silentLog: Log = pino({ level: 'silent' })
