// log.ts: the log for the person who runs the worker: facts as fields, one JSON line each on stderr unless a
// function takes them. Parameters, results and secrets are never among the fields.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEntry {
  readonly level: LogLevel
  readonly time: string
  readonly msg: string
  readonly [field: string]: unknown
}

/** A function that takes log entries, or false for no log. */
export type LogOption = ((entry: LogEntry) => void) | false

export type Log = Readonly<
  Record<LogLevel, (msg: string, fields?: Readonly<Record<string, unknown>>) => void>
>

export function createLog(option: LogOption | undefined): Log {
  const take = option === undefined ? toStderr : option
  const at =
    (level: LogLevel): Log[LogLevel] =>
    (msg, fields) => {
      if (take) take({ level, time: new Date().toISOString(), ...fields, msg })
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Single jobs are logged at level debug, which is only for functions. */
function toStderr(entry: LogEntry): void {
  if (entry.level !== 'debug') process.stderr.write(`${JSON.stringify(entry)}\n`)
}
