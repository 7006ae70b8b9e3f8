// log.ts: what a worker tells the person who runs it: facts as fields, one JSON line each on stderr unless a function
// takes them. Parameters, results and secrets are never among the fields.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEntry {
  readonly level: LogLevel
  readonly time: string
  readonly msg: string
  readonly [field: string]: unknown
}

/** Takes entries; false: none are made. */
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

/** Single jobs are told at level debug, which is for functions that want them. */
function toStderr(entry: LogEntry): void {
  if (entry.level !== 'debug') process.stderr.write(`${JSON.stringify(entry)}\n`)
}
