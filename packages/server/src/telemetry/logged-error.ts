// telemetry/logged-error.ts: an error as the log has it: what it is, what it says, where it came from and what caused it.
// Other members are left out: libraries keep requests and values in them. What may be a secret in a message is taken out,
// because the message of an unforeseen error may quote its input.

/** Of a chain of causes; one may be its own. */
const mostCauses = 5
const mostCharacters = 2_000
const mostFrames = 20

const redacted = '[redacted]'
/** Each with what is left of it. */
const mayBeSecret: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // The excerpt of its input that V8 puts into the message.
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

/** What else was thrown: an object may be anything, so only its kind is told. */
function inWords(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)
}

function shown(text: string): string {
  let clean = text
  for (const [pattern, left] of mayBeSecret) clean = clean.replace(pattern, left)
  return clean.slice(0, mostCharacters)
}

/** Without the message in front of them, which is told for itself. */
function framesOf(stack = ''): string {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line))
  return frames.slice(0, mostFrames).join('\n')
}
