// client/flag-values.ts: reads the values of flags and refuses invalid ones, each in one sentence and before any request.
import { nearestName, UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'

export function switchValue(parsed: ParsedArguments, flag: string): boolean {
  const value = lastValue(parsed, flag) ?? 'false'
  if (value === 'true' || value === 'false') return value === 'true'
  throw new UsageError(`--${flag}: must be true or false, not "${value}".`)
}

export function wholeNumber(
  parsed: ParsedArguments,
  flag: string,
  { minimum, maximum }: { minimum: number; maximum: number },
): number | undefined {
  const text = lastValue(parsed, flag)
  if (text === null) return undefined
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw new UsageError(
    `--${flag}: "${text}" is not allowed here; use a whole number from ${minimum} to ${maximum}.`,
  )
}

/** One of these words, in any case; otherwise a usage error that suggests the nearest. */
export function oneOfWords<const Word extends string>(
  parsed: ParsedArguments,
  flag: string,
  words: readonly Word[],
): Word | undefined {
  const text = lastValue(parsed, flag)
  if (text === null) return undefined
  const word = words.find((one) => one.toLowerCase() === text.toLowerCase())
  if (word !== undefined) return word
  const nearest = nearestName(text, words)
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`
  throw new UsageError(`--${flag}: "${text}" is not allowed here; use ${inWords(words)}.${hint}`)
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

export function durationMs(text: string, what: string): number {
  const [, figure, unit] = /^(0|[1-9][0-9]{0,8})(ms|s|m|h)$/.exec(text) ?? []
  if (figure === undefined) {
    const isBare = /^\d{1,9}$/.test(text)
    const words = isBare
      ? `needs a unit; write ${text}s, ${text}m or ${text}h`
      : 'is not a duration; write one such as 250ms, 30s, 5m or 1h'
    throw new UsageError(`${what}: "${text}" ${words}.`)
  }
  return Number(figure) * unitMs[unit as keyof typeof unitMs]
}

/** The value of a duration flag, above zero and at most `most`. */
export function durationFlag(
  parsed: ParsedArguments,
  flag: string,
  most: { ms: number; words: string },
): { readonly text: string; readonly ms: number } | undefined {
  const text = lastValue(parsed, flag)
  if (text === null) return undefined
  const ms = durationMs(text, `--${flag}`)
  if (ms > 0 && ms <= most.ms) return { text, ms }
  throw new UsageError(
    `--${flag}: "${text}" is not allowed here; use more than zero and at most ${most.words}.`,
  )
}

/** Free text for the service, which limits bytes, not characters. */
export function boundedText(parsed: ParsedArguments, flag: string, mostBytes: number): string | undefined {
  const text = lastValue(parsed, flag)
  if (text === null) return undefined
  if (text.trim() === '') throw new UsageError(`--${flag} must not be empty.`)
  const byteCount = Buffer.byteLength(text)
  if (byteCount <= mostBytes) return text
  throw new UsageError(`--${flag} has ${byteCount} bytes; at most ${mostBytes} are allowed.`)
}

export function noOperands({ operands }: ParsedArguments): void {
  if (operands.length > 0) throw new UsageError(`"${operands[0]}" is not expected here.`)
}

/** For commands whose files people tend to name without `-f`. */
export function noFilesWithoutFlag({ operands }: ParsedArguments, command: string): void {
  const [first] = operands
  if (first === undefined) return
  const hint = /\.(ya?ml|json|ndjson)$|\//.test(first) ? `; write pulseward ${command} -f ${first}` : ''
  throw new UsageError(`"${first}" is not expected here${hint}.`)
}

export function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** Drops the flags that were not given, for arguments of the client. */
export function given<Values extends object>(
  values: Values,
): { [key in keyof Values]: NonNullable<Values[key]> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  ) as never
}
