// core/request.ts: builds a request from an operation and its arguments. Refuses, before anything is sent,
// what the service would refuse for its form anyway, and what would end up at another path.
import { maxListLimit } from '../generated/figures.ts'
import { EncodedJson } from './encoded-json.ts'
import { InvalidInputError } from './errors.ts'
import type { OperationRow } from './operation-row.ts'
import type { Settings } from './settings.ts'

export type Arguments = Readonly<Record<string, unknown>>

export interface PreparedRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export function prepareRequest(
  settings: Settings,
  operation: string,
  row: OperationRow,
  given: Arguments,
): PreparedRequest {
  const refuse: Refuse = (message) => {
    throw new InvalidInputError(`${operation}: ${message}`, { operation })
  }
  return {
    url: settings.baseUrl + pathOf(row, given, refuse) + queryOf(row, given, refuse),
    method: row.method,
    headers: {
      ...authorizationOf(settings),
      Accept: row.text ? 'text/plain' : 'application/json',
      ...preconditionOf(row, given, refuse),
      ...(row.bodyType === undefined ? {} : { 'Content-Type': row.bodyType }),
    },
    body: row.bodyType === undefined ? null : bodyOf(given, refuse),
  }
}

function authorizationOf({ token }: Settings): { Authorization?: string } {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

type Refuse = (message: string) => never

function pathOf({ path }: OperationRow, given: Arguments, refuse: Refuse): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, given[name], refuse))
}

function segmentOf(name: string, value: unknown, refuse: Refuse): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text === '') return refuse(`${name} is missing`)
  // URL parsers resolve these as path steps, however they are encoded.
  if (text === '.' || text === '..') return refuse(`${name} cannot be "${text}"`)
  if (!text.isWellFormed()) return refuse(`${name} is not well-formed text`)
  return encodeURIComponent(text)
}

function queryOf({ query = [] }: OperationRow, given: Arguments, refuse: Refuse): string {
  const parameters = new URLSearchParams()
  for (const name of query) {
    const value = given[name]
    if (value === undefined) continue
    if (name === 'limit' && !isLimit(value)) refuse(`limit must be a whole number from 1 to ${maxListLimit}`)
    parameters.set(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

function isLimit(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxListLimit
}

function preconditionOf(
  { precondition }: OperationRow,
  given: Arguments,
  refuse: Refuse,
): Record<string, string> {
  if (precondition === 'If-Match') return { 'If-Match': `"${versionOf(given['ifMatch'], refuse)}"` }
  if (precondition === undefined) return {}
  return given['ifNoneMatch'] === '*' ? { 'If-None-Match': '*' } : refuse("ifNoneMatch must be '*'")
}

function versionOf(version: unknown, refuse: Refuse): string {
  if (typeof version !== 'string' || version === '') return refuse('ifMatch is missing')
  return /^[\x21\x23-\x7e]+$/.test(version) ? version : refuse('ifMatch must be a version without its quotes')
}

function bodyOf({ body }: Arguments, refuse: Refuse): string {
  if (body instanceof EncodedJson) return body.text
  let text: string | undefined
  try {
    text = JSON.stringify(body)
  } catch {
    // The platform's own message may show parts of the body.
    return refuse('body cannot be written as JSON')
  }
  return text ?? refuse('body is missing')
}
