// telemetry/log.ts: structured log lines on stderr, so that stdout stays for what the user asked for.
// Callers pass facts as fields; what may hold a secret is redacted before it comes here.
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
    // As it is, an error has nothing to say in JSON. `err` is where pino puts one that is passed by itself.
    serializers: { error: loggedError, err: loggedError },
  }
  const isPretty = (format ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty'
  if (!isPretty) return pino(options, pino.destination({ fd: 2, sync: true }))
  // Only on a terminal: a service in the background does without it.
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
