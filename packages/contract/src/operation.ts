// operation.ts: the shape of an operation, for v1 and v2 alike. An operation is data: servers, clients, the OpenAPI
// document and the docs are made from it, and the types of requests and answers are derived from its schemas.
import type { Static, TObject, TSchema } from 'typebox'

export const editions = ['main', 'candidate', 'next'] as const
export type Edition = (typeof editions)[number]

export interface Operation {
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A template: `/api/v1/monitors/{id}`; every name in braces is a property of `pathParameters`. */
  readonly path: string
  /** Groups operations on the same subject in the docs. */
  readonly tag: string
  /** The editions that serve it. All others answer 404. */
  readonly editions: readonly Edition[]
  /** Served only if this setting is on. */
  readonly build?: 'external_jobs'
  /** How to log in, if it differs from the rest of the API; empty if no login is looked at. */
  readonly logins?: Api['logins']
  /** Properties have their names on the wire, and values are decoded. An optional property may be left out. */
  readonly pathParameters?: TObject
  readonly queryParameters?: TObject
  /** Header names in their usual spelling: `If-Match`. */
  readonly headers?: TObject
  readonly body?: RequestBody
  readonly answers: Readonly<Record<number, Answer>>
  /** Codes from this API's catalogue that the operation may answer with, besides the common ones. */
  readonly problems: readonly string[]
}

export interface RequestBody {
  readonly mediaType: string
  readonly schema: TSchema
  readonly maxBytes: number
}

export interface Answer {
  readonly description: string
  /** Without a schema there is no body. */
  readonly mediaType?: string
  /** Alternative media types of the same body, which the client may ask for. */
  readonly otherMediaTypes?: readonly string[]
  readonly schema?: TSchema
  /** Editions with a different body. */
  readonly schemaIn?: { readonly [edition in Edition]?: TSchema }
  readonly headers?: TObject
  /** Operations to continue with, by name: their parameters as OpenAPI runtime expressions on this answer. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface CatalogueEntry {
  readonly status: number
  readonly title: string
  /** Whether Retry-After is sent; never if absent. */
  readonly retryAfter?: 'always' | 'sometimes'
}

/** One version of the API: its operations by name, and what they have in common. */
export interface Api {
  /** Precedes the names of operations and schemas in a document with several versions: `v1.GetOverview`. */
  readonly prefix: string
  /** How the token may be presented. A session is the cookie that it was exchanged for. */
  readonly logins: readonly ('bearer' | 'basic' | 'session')[]
  /** A credential is needed whatever the settings say: the token of a principal. */
  readonly needsPrincipal?: true
  readonly operations: Readonly<Record<string, Operation>>
  /** Names of operations that are not part of the contract; the document marks them. */
  readonly additions?: readonly string[]
  /** What the operations of each tag are about, in the order of the docs. */
  readonly tags: Readonly<Record<string, string>>
  /** The catalogue of error codes. */
  readonly problems: Readonly<Record<string, CatalogueEntry>>
  /** Codes that every operation may answer with. */
  readonly commonProblems: readonly string[]
  /** One of the named schemas, with an example. */
  readonly problemSchema: TSchema
  /** Schemas that have a name. All others are written where they are used. */
  readonly schemas: Readonly<Record<string, TSchema>>
  /** Example values of the schemas, by name. */
  readonly examples: Readonly<Record<string, unknown>>
  /** Example request bodies, by the name of the operation. */
  readonly requestExamples?: Readonly<Record<string, unknown>>
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise
type Part<Of, Key extends string> = Of extends { readonly [key in Key]: infer Schema } ? Schema : undefined

export type PathParametersOf<Of extends Operation> = StaticOr<
  Part<Of, 'pathParameters'>,
  Record<never, never>
>
export type QueryParametersOf<Of extends Operation> = StaticOr<
  Part<Of, 'queryParameters'>,
  Record<never, never>
>
export type HeadersOf<Of extends Operation> = StaticOr<Part<Of, 'headers'>, Record<never, never>>
export type BodyOf<Of extends Operation> = StaticOr<Part<Part<Of, 'body'>, 'schema'>, undefined>
/** The answer of any edition. */
export type AnswerOf<Of extends Operation, Status extends keyof Of['answers']> =
  | StaticOr<Part<Of['answers'][Status], 'schema'>, undefined>
  | VariantsOf<Part<Of['answers'][Status], 'schemaIn'>>

type VariantsOf<Variants> = {
  [edition in keyof Variants]: StaticOr<Variants[edition], never>
}[keyof Variants]

/** The body that an edition answers with; null if it has none. */
export function schemaIn(answer: Answer, edition: Edition): TSchema | null {
  return answer.schemaIn?.[edition] ?? answer.schema ?? null
}
