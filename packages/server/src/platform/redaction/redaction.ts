// platform/redaction/redaction.ts: the last safeguard for texts about checks, recoveries and notifications:
// removes every secret of a configuration from a sentence, in whatever form the other side returns it:
// encoded (readings.ts), or as base64 or hexadecimal, which readings do not decode; whole, cut off by an
// ellipsis, or as a part in quotation marks. Drivers must not rely on it.
import { onOneLine } from '../wording.ts'
import { readingsOf } from './readings.ts'

const REDACTED = '[redacted]'
/** The shortest part of a secret before or after an ellipsis that is not taken for a coincidence. */
const MIN_CUT_LENGTH = 4
/** A quotation of this length that occurs in a secret is a part of it; shorter ones occur in any long text. */
const MIN_PART_LENGTH = 8

/** Fewer characters of base64, or fewer bytes in hexadecimal, occur in any sentence by chance. */
const MIN_CORE_LENGTH = 4
const MIN_HEX_BYTES = 4

interface Range {
  readonly from: number
  readonly to: number
}

interface SecretForms {
  readonly whole: readonly string[]
  /** The base64 characters that do not depend on the bytes around the secret. */
  readonly cores: readonly string[]
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  if (text === '' || secrets.every((secret) => secret === '')) return text
  const forms = formsOf(secrets)
  const found: Range[] = []
  for (const reading of readingsOf(text)) {
    for (const range of rangesIn(reading.text, forms)) {
      found.push({ from: reading.startOf(range.from), to: reading.endOf(range.to) })
    }
  }
  return found.length === 0 ? text : replaced(text, found)
}

function* rangesIn(text: string, { whole, cores }: SecretForms): Generator<Range> {
  for (const form of whole) yield* occurrences(text, form)
  for (const core of cores) for (const range of occurrences(text, core)) yield widened(text, range)
  for (let at = text.indexOf('…'); at >= 0; at = text.indexOf('…', at + 1)) {
    for (const form of [...whole, ...cores]) yield* cutRanges(text, at, form)
  }
  for (const { 0: quotation, index } of text.matchAll(/"[^"]*"/g)) {
    const part = quotation.slice(1, -1).replace(/…$/, '')
    if (part.length < MIN_PART_LENGTH || !whole.some((form) => form.includes(part))) continue
    yield { from: index + 1, to: index + 1 + part.length }
  }
}

function* occurrences(text: string, form: string): Generator<Range> {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    yield { from: at, to: at + form.length }
  }
}

/** Includes the base64 characters at both ends that hold a few bits of the secret. */
function widened(text: string, { from, to }: Range): Range {
  const [after = ''] = /^[\w+/-]?={0,2}/.exec(text.slice(to, to + 3)) ?? []
  return { from: /[\w+/-]/.test(text[from - 1] ?? '') ? from - 1 : from, to: to + after.length }
}

/** The beginning of a secret before the ellipsis, its end after it. */
function* cutRanges(text: string, ellipsis: number, form: string): Generator<Range> {
  const mostBefore = Math.min(form.length - 1, ellipsis)
  for (let length = mostBefore; length >= MIN_CUT_LENGTH; length--) {
    if (!text.startsWith(form.slice(0, length), ellipsis - length)) continue
    yield { from: ellipsis - length, to: ellipsis }
    break
  }
  const mostAfter = Math.min(form.length - 1, text.length - ellipsis - 1)
  for (let length = mostAfter; length >= MIN_CUT_LENGTH; length--) {
    if (!text.startsWith(form.slice(-length), ellipsis + 1)) continue
    yield { from: ellipsis + 1, to: ellipsis + 1 + length }
    break
  }
}

/** Overlapping ranges are merged: one secret is inside another. */
function replaced(text: string, ranges: Range[]): string {
  ranges.sort((a, b) => a.from - b.from)
  let result = ''
  let end = 0
  for (const { from, to } of ranges) {
    if (to <= end) continue
    if (from >= end) result += text.slice(end, from) + REDACTED
    end = to
  }
  return result + text.slice(end)
}

function formsOf(secrets: readonly string[]): SecretForms {
  const values = secrets.flatMap((secret) => [secret, onOneLine(secret), ...passwordsIn(secret)])
  const whole = new Set<string>()
  const cores = new Set<string>()
  for (const value of values) {
    if (value === '' || whole.has(value)) continue
    const bytes = Buffer.from(value)
    whole.add(value).add(bytes.toString('base64')).add(bytes.toString('base64url'))
    const hex = bytes.length >= MIN_HEX_BYTES ? bytes.toString('hex') : ''
    if (hex !== '') whole.add(hex).add(hex.toUpperCase())
    for (const core of coresOf(bytes)) {
      cores.add(core).add(core.replaceAll('+', '-').replaceAll('/', '_'))
    }
  }
  return { whole: [...whole], cores: [...cores] }
}

/** The password of a secret that is a URL, which the other side sees separately. */
function passwordsIn(secret: string): string[] {
  const password = secret.includes('@') ? (URL.parse(secret)?.password ?? '') : ''
  if (password === '') return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    // A stray percent sign is kept literally.
    return [password]
  }
}

/** As in `Basic base64(user:password)`: one text for each of the three possible alignments to groups of three bytes. */
function coresOf(bytes: Buffer): string[] {
  const cores = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const bits = (before + bytes.length) * 8
    return padded.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
  })
  return cores.filter((core) => core.length >= MIN_CORE_LENGTH)
}
