// checks/http/body-assertions.ts: what a body must and must not contain. If a body goes on past max_body_bytes, only its
// first part is tested: what is found there counts, and what is not found fails with a reason that names the limit.
import { matchInSlices } from '../../platform/linear-regex/match-in-slices.ts'
import type { Attempt } from './attempt.ts'
import { DEFAULT_MAX_BODY_BYTES, type HttpConfig } from './config.ts'
import { decodeContent } from './content-encoding.ts'
import type { Expectation } from './expectation.ts'
import type { Findings } from './findings.ts'
import { valueAt } from './json-path.ts'
import { compiledRegex } from './regex-cache.ts'
import { headerValues, type Response } from './response.ts'
import { bytesInWords, quote } from './wording.ts'

type BodyExpectation = NonNullable<Expectation['body']>
type JsonAssertions = NonNullable<BodyExpectation['json']>

// Parsing blocks the event loop: about 20 ms for the worst megabyte, unless it is nested beyond all reason.
const MAX_JSON_BYTES = 1_048_576
const MAX_JSON_DEPTH = 500

export async function judgeBody(
  config: HttpConfig,
  expected: BodyExpectation,
  response: Response,
  attempt: Attempt,
  findings: Findings,
): Promise<void> {
  const limitBytes = config.max_body_bytes ?? DEFAULT_MAX_BODY_BYTES
  const content = await decodeContent(response, limitBytes, attempt)
  if (typeof content === 'string')
    return findings.add(content, () => ({ name: 'body', seen: 'unreadable', expected: 'a readable body' }))
  const limit = content.cut ? bytesInWords(limitBytes) : null
  const text = decoderFor(response).decode(content.bytes)
  const found = (is: boolean) => (is ? 'found' : 'not found')
  findings.fact('body', () => quote(text))
  const { contains, not_contains, regex, json } = expected
  if (contains !== undefined) {
    const isThere = text.includes(contains)
    findings.add(isThere ? null : missing(`does not contain ${quote(contains)}`, limit), () => ({
      name: 'body contains',
      seen: found(isThere),
      expected: quote(contains),
    }))
    if (findings.isDecided) return
  }
  if (not_contains !== undefined) {
    const isThere = text.includes(not_contains)
    findings.add(unwanted(isThere, not_contains, limit), () => ({
      name: 'body does not contain',
      seen: found(isThere),
      expected: quote(not_contains),
    }))
    if (findings.isDecided) return
  }
  if (regex !== undefined) {
    const matched = await matchInSlices(compiledRegex(regex), text, () => attempt.run.hasExpired)
    findings.add(matched === true ? null : missing(`does not match ${quote(regex)}`, limit), () => ({
      name: 'body matches',
      seen: found(matched === true),
      expected: quote(regex),
    }))
    if (findings.isDecided) return
  }
  if (json !== undefined) judgeJson(json, text, { bytes: content.bytes.length, limit }, findings)
}

function unwanted(isThere: boolean, text: string, limit: string | null): string | null {
  if (isThere) return `the body contains ${quote(text)}`
  if (limit === null) return null
  return `the body is longer than ${limit} (max_body_bytes), so it may still contain ${quote(text)}`
}

function missing(what: string, limit: string | null): string {
  return limit === null ? `the body ${what}` : `the body ${what} in its first ${limit} (max_body_bytes)`
}

/** `limit`: how much of the body was read; null if all of it. */
interface BodySize {
  readonly bytes: number
  readonly limit: string | null
}

function judgeJson(assertions: JsonAssertions, text: string, size: BodySize, findings: Findings): void {
  const problem = unreadableJson(text, size)
  const document = problem === null ? parsed(text) : undefined
  if (problem !== null || document === undefined) {
    const words = problem ?? `the body is not JSON: ${quote(text)}`
    return findings.add(words, () => ({ name: 'body', seen: 'not read as JSON', expected: 'JSON' }))
  }
  for (const { path, equals } of assertions) {
    const value = valueAt(document, path)
    findings.add(value === equals ? null : valueInWords(path, value, equals), () => ({
      name: `body ${path}`,
      seen: value === undefined ? 'nothing' : shown(value),
      expected: shown(equals),
    }))
    if (findings.isDecided) return
  }
}

function valueInWords(path: string, value: unknown, wanted: unknown): string {
  return value === undefined
    ? `there is nothing at ${path} in the body`
    : `${path} is ${shown(value)}, expected ${shown(wanted)}`
}

/** Undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unreadableJson(text: string, { bytes, limit }: BodySize): string | null {
  if (limit !== null) return `the body is longer than ${limit} (max_body_bytes) and cannot be read as JSON`
  if (bytes > MAX_JSON_BYTES)
    return `the body is longer than ${bytesInWords(MAX_JSON_BYTES)} and is not read as JSON`
  if (isDeeperThan(MAX_JSON_DEPTH, text)) return `the body is nested more than ${MAX_JSON_DEPTH} deep`
  return null
}

/** Counts brackets outside of strings. For text that is not JSON the count is meaningless, and the parser decides. */
function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (quoted) {
      if (character === '\\') index++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '[' || character === '{') {
      if (++depth > limit) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

const UTF_8 = new TextDecoder()

/** For the charset that the server names; UTF-8 if there is none or it is not known. */
function decoderFor(response: Response): TextDecoder {
  const type = headerValues(response.headers, 'content-type')[0] ?? ''
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1]
  if (charset === undefined || charset.toLowerCase() === 'utf-8') return UTF_8
  try {
    return new TextDecoder(charset)
  } catch {
    return UTF_8
  }
}
