// telemetry/logged-error.ts: an error as the log shows it: name, message, code, stack and cause. Other
// members are left out, because libraries keep requests and values in them. Possible secrets are redacted
// from the message, because the message of an unforeseen error may quote its input.

/** The longest chain of causes shown; an error may be its own cause. */
const mostCauses = 5
const mostCharacters = 2_000
const mostFrames = 20

const redacted = '[redacted]'
/** Patterns, each with its replacement. */
const mayBeSecret: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // The excerpt of the input that V8 puts into the message.
  [/(?:\.\.\.)?".*"(?:\.\.\.)?(?= is not valid JSON)/s, redacted],
  [/\b(Bearer|Basic)\s+[^\s"',]+/gi, `$1 ${redacted}`],
  [/\bpw_[\w-]{20,}/g, redacted],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, `$1${redacted}@`],
  [/([?&][^\s=&#"']+=)[^\s&#"']+/g, `$1${redacted}`],
]

export interface LoggedError {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  readonly stack?: string
  readonly cause?: LoggedError
}

export function loggedError(error: unknown, causes = mostCauses): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error, message: shown(inWords(error)) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  const frames = framesOf(stack)
  return {
    name,
    message: shown(message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(frames === '' ? {} : { stack: frames }),
    ...(cause === undefined || causes === 0 ? {} : { cause: loggedError(cause, causes - 1) }),
  }
}

/** Describes a thrown value that is not an error. An object may contain anything, so only its kind is shown. */
function inWords(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)
}

function shown(text: string): string {
  let clean = text
  for (const [pattern, left] of mayBeSecret) clean = clean.replace(pattern, left)
  return clean.slice(0, mostCharacters)
}

/** Only the frames, without the message before them, which is logged separately. */
function framesOf(stack = ''): string {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line))
  return frames.slice(0, mostFrames).join('\n')
}
