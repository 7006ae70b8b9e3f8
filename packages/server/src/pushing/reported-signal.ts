// pushing/reported-signal.ts: what a job says with a signal, as it is kept: cut, one line where it stands in a
// sentence, and without the key, which jobs like to print.
import type { SignalKind } from '../deciding/push/push-state.ts'
import { withoutSecrets } from '../platform/redaction/redaction.ts'
import { cut, onOneLine } from '../platform/wording.ts'
import type { ArrivedSignal } from './push-monitors.ts'

/** Of a body, this much of its end is kept. */
const keptOutputBytes = 10_240
const longestMessage = 256
const text = new TextDecoder()

/** What the address of a signal says. */
export interface SignalWords {
  readonly kind: SignalKind
  readonly exitCode: number | null
  /** Empty for the run without an id. */
  readonly rid: string
  readonly message: string
  /** How long it took, if the job says so itself. */
  readonly tookMs: number | null
}

export function arrivedSignal(
  { kind, exitCode, rid, message, tookMs }: SignalWords,
  body: Uint8Array,
  secretsOf: () => readonly string[],
): ArrivedSignal {
  // Nearly all signals say nothing but that the job ran.
  const secrets = message === '' && body.length === 0 ? [] : secretsOf()
  const output = body.length === 0 ? '' : shown(text.decode(body.subarray(-keptOutputBytes)), secrets)
  const said = cut(onOneLine(withoutSecrets(message, secrets)), longestMessage)
  return {
    kind,
    exitCode,
    rid,
    tookMs,
    output,
    words: kind === 'fail' ? failure(exitCode, said, output) : said,
  }
}

/** Why it failed: its exit code, and what it said, or else the last line of its output. */
function failure(exitCode: number | null, said: string, output: string): string {
  const status = exitCode === null ? 'the job reported a failure' : `exit code ${exitCode}`
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  const why = said === '' ? cut(onOneLine(last), longestMessage) : said
  return why === '' ? status : `${status}: ${why}`
}

// Line breaks and tabs stay; other control characters would move a terminal's cursor.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

function shown(text: string, secrets: readonly string[]): string {
  const lines = text.replaceAll('\r\n', '\n')
  const clean = lines.replace(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : '\uFFFD',
  )
  return withoutSecrets(clean, secrets)
}
