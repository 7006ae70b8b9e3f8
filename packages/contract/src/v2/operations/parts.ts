// v2/operations/parts.ts: what many v2 operations have in common: parameters, preconditions, answers.
import { type TSchema, Type } from 'typebox'
import type { Answer, Edition, Operation, RequestBody } from '../../operation.ts'
import { limits } from '../limits.ts'
import type { ProblemCode } from '../problems.ts'
import { oneOf } from '../wire/wire-type.ts'

export interface V2Operation extends Operation {
  readonly problems: readonly ProblemCode[]
  /** For a list, the filters that apply to its rows. */
  readonly filters?: readonly ListFilter[]
}

/** Keeps the literal types of an operation, so that the types of its parts can be derived. */
export function operation<const Of extends V2Operation>(of: Of): Of {
  return of
}

export const servedBy: { readonly editions: readonly Edition[] } = { editions: ['next'] }

export const jsonMediaType = 'application/json'
export const mergePatchMediaType = 'application/merge-patch+json'

export const idParameter = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: limits.idCharacters,
    description: 'The id, percent-encoded as one segment.',
  }),
})

const pageParameters = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.cursorCharacters,
      description:
        'nextCursor of the page before: valid for five minutes, for the same principal, limit and filters.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.listLimit,
      default: limits.listLimitDefault,
      description: 'Rows per page at most.',
    }),
  ),
}

/** The parameters of lists without filters. */
export const pages = {
  queryParameters: Type.Object(pageParameters, { additionalProperties: false }),
}

/** The filters that every list takes, whether or not they apply to its rows. */
export type CommonFilter = 'selector' | 'monitorID'
/** The state filter is taken only by lists that declare it. */
export type ListFilter = CommonFilter | 'state'

/** Every list takes all four parameters. A filter that cannot apply to its rows is refused, not ignored. */
export function filteredBy<const Filters extends readonly CommonFilter[]>(...filters: Filters) {
  const meaning = (filter: CommonFilter, words: string) =>
    filters.includes(filter) ? words : 'Cannot apply to this list: refused with unsupportedFilter.'
  const queryParameters = Type.Object(
    {
      ...pageParameters,
      selector: Type.Optional(
        Type.String({
          maxLength: limits.selectorBytes,
          description: meaning('selector', selectorMeaning),
        }),
      ),
      monitorID: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.idCharacters,
          description: meaning('monitorID', 'Only rows of this monitor.'),
        }),
      ),
    },
    { additionalProperties: false },
  )
  return { filters, queryParameters }
}

const selectorMeaning = `At most ${limits.selectorClauses} clauses over labels, separated by commas: key=value, key!=value, key, !key, key in (a,b), key notin (a,b). An empty selector selects everything.`

const strongTag = '^"[\\x21\\x23-\\x7e]{1,128}"$'

export const ifMatch = Type.Object({
  'If-Match': Type.String({
    pattern: strongTag,
    description: 'The version that was inspected, as one strong entity tag.',
  }),
})

/** A list of one word instead of a constant: client generators leave out operations with a constant header. */
export const IfNoneMatch = oneOf(['*'], 'The resource must not exist yet.')

export const ifNoneMatch = Type.Object({ 'If-None-Match': IfNoneMatch })

const requestId = { 'X-Request-ID': Type.String({ description: 'Identifies this exchange in logs.' }) }
const entityTag = { ETag: Type.String({ pattern: strongTag, description: 'The version of the resource.' }) }
const operationId = { 'X-Operation-ID': Type.String({ description: 'The operation that this write left.' }) }
const location = { Location: Type.String({ description: 'The path of what was created.' }) }
const retryAfter = {
  'Retry-After': Type.Optional(
    Type.Integer({ minimum: 0, description: 'Seconds until it is worth asking again, while it still runs.' }),
  ),
}

/** The headers of an answer, by its type. */
export const answerHeaders = {
  read: Type.Object(requestId),
  readOne: Type.Object({ ...requestId, ...entityTag }),
  readOperation: Type.Object({ ...requestId, ...retryAfter }),
  written: Type.Object({ ...requestId, ...entityTag, ...operationId }),
  created: Type.Object({ ...requestId, ...entityTag, ...operationId, ...location }),
  opened: Type.Object({ ...requestId, ...operationId, ...location }),
  done: Type.Object({ ...requestId, ...operationId, ...retryAfter }),
  worker: Type.Object(requestId),
}

export function jsonBody<Schema extends TSchema>(schema: Schema, maxBytes: number = limits.bodyBytes) {
  return { mediaType: jsonMediaType, schema, maxBytes } as const satisfies RequestBody
}

export function answer<Schema extends TSchema>(
  description: string,
  schema: Schema,
  headers: keyof typeof answerHeaders,
  links: Answer['links'] = {},
) {
  return { description, mediaType: jsonMediaType, schema, headers: answerHeaders[headers], links } as const
}

export const bodyProblems = ['bodyTooLarge', 'unsupportedMediaType', 'invalidResource'] as const
export const preconditionProblems = ['preconditionRequired', 'versionConflict'] as const
/** For everything except reads. They refuse an unexpected body too. */
export const writeProblems = ['invalidBody', 'originNotAllowed', 'rateLimited'] as const
export const listProblems = ['invalidCursor', 'cursorExpired', 'unsupportedFilter'] as const
