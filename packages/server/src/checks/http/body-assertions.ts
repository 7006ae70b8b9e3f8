// checks/http/body-assertions.ts: what a body must and must not contain. If a body goes on past max_body_bytes, only its
// first part is tested: what is found there counts, and what is not found fails with a reason that names the limit.
import { matchInSlices } from '../../platform/linear-regex/match-in-slices.ts'
import type { Attempt } from './attempt.ts'
import { DEFAULT_MAX_BODY_BYTES, type HttpConfig } from './config.ts'
import { decodeContent } from './content-encoding.ts'
import type { Expectation } from './expectation.ts'
import { valueAt } from './json-path.ts'
import { compiledRegex } from './regex-cache.ts'
import { headerValues, type Response } from './response.ts'
import { bytesInWords, quote } from './wording.ts'

type BodyExpectation = NonNullable<Expectation['body']>
type JsonAssertions = NonNullable<BodyExpectation['json']>

// Parsing blocks the event loop: about 20 ms for the worst megabyte, unless it is nested beyond all reason.
const MAX_JSON_BYTES = 1_048_576
const MAX_JSON_DEPTH = 500

export async function bodyProblem(
  config: HttpConfig,
  expected: BodyExpectation,
  response: Response,
  attempt: Attempt,
): Promise<string | null> {
  const limitBytes = config.max_body_bytes ?? DEFAULT_MAX_BODY_BYTES
  const content = await decodeContent(response, limitBytes, attempt)
  if (typeof content === 'string') return content
  const limit = content.cut ? bytesInWords(limitBytes) : null
  const text = decoderFor(response).decode(content.bytes)
  const { contains, not_contains, regex, json } = expected
  if (contains !== undefined && !text.includes(contains))
    return missing(`does not contain ${quote(contains)}`, limit)
  if (not_contains !== undefined) {
    if (text.includes(not_contains)) return `the body contains ${quote(not_contains)}`
    if (limit !== null) {
      return `the body is longer than ${limit} (max_body_bytes), so it may still contain ${quote(not_contains)}`
    }
  }
  if (regex !== undefined) {
    const matched = await matchInSlices(compiledRegex(regex), text, () => attempt.run.hasExpired)
    if (matched !== true) return missing(`does not match ${quote(regex)}`, limit)
  }
  return json === undefined ? null : jsonProblem(json, text, content.bytes.length, limit)
}

function missing(what: string, limit: string | null): string {
  return limit === null ? `the body ${what}` : `the body ${what} in its first ${limit} (max_body_bytes)`
}

function jsonProblem(
  assertions: JsonAssertions,
  text: string,
  bytes: number,
  limit: string | null,
): string | null {
  if (limit !== null) return `the body is longer than ${limit} (max_body_bytes) and cannot be read as JSON`
  if (bytes > MAX_JSON_BYTES)
    return `the body is longer than ${bytesInWords(MAX_JSON_BYTES)} and is not read as JSON`
  if (isDeeperThan(MAX_JSON_DEPTH, text)) return `the body is nested more than ${MAX_JSON_DEPTH} deep`
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return `the body is not JSON: ${quote(text)}`
  }
  for (const { path, equals } of assertions) {
    const value = valueAt(document, path)
    if (value === undefined) return `there is nothing at ${path} in the body`
    if (value !== equals) return `${path} is ${shown(value)}, expected ${shown(equals)}`
  }
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
