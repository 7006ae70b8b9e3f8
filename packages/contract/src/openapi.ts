// openapi.ts: builds the OpenAPI 3.1 document of an edition from the operations of one or several versions of
// the API. Pure: the same operations give the same document, byte for byte.
import type { TObject } from 'typebox'
import { AnswerWriter } from './openapi/answers.ts'
import { type Json, NamedSchemas } from './openapi/json-schema.ts'
import type { Api, Edition, Operation } from './operation.ts'
import { sessionCookiePrefix } from './session/session.ts'

export { type Json, NamedSchemas }

export interface OpenApiOptions {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly edition: Edition
  readonly apis: readonly Api[]
  /** Whether every operation needs a credential. Otherwise the document marks the operations that need none. */
  readonly authentication: boolean
  /** Settings that are on. Operations that need another one are left out. */
  readonly builds?: readonly NonNullable<Operation['build']>[]
}

/** What the documents of all editions say about themselves, except for the version. */
export const apiInfo = {
  title: 'Pulseward',
  description: 'The HTTP API of Pulseward, which watches a fleet of services.',
} as const

type Members = Record<string, Json>

export function openApi({ info, edition, apis, authentication, builds = [] }: OpenApiOptions): Json {
  const parts = apis.map((api) => partOf(api, edition, authentication, builds))
  const operations = parts.flatMap((part) => part.operations)
  const paths: Record<string, Members> = {}
  for (const { path, method, written } of operations) {
    paths[path] ??= {}
    paths[path][method] = written
  }
  return {
    openapi: '3.1.1',
    info: { ...info, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: parts.flatMap((part) => part.tags),
    paths,
    components: {
      schemas: Object.assign({}, ...parts.map((part) => part.schemas)),
      responses: Object.assign({}, ...parts.map((part) => part.responses)),
      headers: commonHeaders,
      securitySchemes: loginsOf(apis),
    },
  }
}

/** The name of an operation or a schema in a document with several versions. */
export function prefixed({ prefix }: Api, name: string): string {
  return `${prefix}.${name}`
}

function partOf(api: Api, edition: Edition, authentication: boolean, builds: readonly string[]) {
  const all = Object.entries(api.schemas).map(([name, schema]) => [prefixed(api, name), schema] as const)
  const names = new NamedSchemas(new Map(all))
  const answers = new AnswerWriter(api, edition, names)
  const needsLogin = authentication || api.needsPrincipal === true
  const served = Object.entries(api.operations).filter(
    ([, { editions, build }]) =>
      editions.includes(edition) && (build === undefined || builds.includes(build)),
  )
  const operations = served.map(([name, operation]) => ({
    path: operation.path,
    method: operation.method.toLowerCase(),
    tag: operation.tag,
    written: {
      operationId: prefixed(api, name),
      summary: operation.summary,
      tags: [operation.tag],
      ...(api.additions?.includes(name) ? { 'x-pulseward-addition': true } : {}),
      // The empty entry: a request without any login is answered too.
      security: [
        ...(operation.logins ?? api.logins).map((login) => ({ [login]: [] })),
        ...(needsLogin ? [] : [{}]),
      ],
      ...parametersOf(operation, names),
      ...bodyOf(operation, names, api.requestExamples?.[name]),
      responses: answers.of(operation),
    },
  }))
  return {
    operations,
    tags: tagsOf(api, operations),
    responses: answers.shared,
    schemas: schemasOf(api, names),
  }
}

/** The tags of the operations that are served, in order of appearance. */
function tagsOf(api: Api, operations: readonly { readonly tag: string }[]): Json[] {
  return [...new Set(operations.map(({ tag }) => tag))].map((name) => {
    const description = api.tags[name]
    if (description === undefined) throw new Error(`nothing says what the tag ${name} is about`)
    return { name, description }
  })
}

function parametersOf(operation: Operation, names: NamedSchemas): { parameters?: Json[] } {
  const parameters = [
    ...parametersIn('path', operation.pathParameters, names),
    ...parametersIn('query', operation.queryParameters, names),
    ...parametersIn('header', operation.headers, names),
  ]
  return parameters.length === 0 ? {} : { parameters }
}

function parametersIn(place: string, parameters: TObject | undefined, names: NamedSchemas): Json[] {
  return Object.entries(parameters?.properties ?? {}).map(([name, schema]) => {
    const { description, ...form } = schema as Json
    const required = parameters?.required?.includes(name) ?? false
    const meaning = description === undefined ? {} : { description }
    return { name, in: place, required, ...meaning, schema: names.refer(form) }
  })
}

function bodyOf({ body }: Operation, names: NamedSchemas, example: unknown): { requestBody?: Json } {
  if (body === undefined) return {}
  const examples = example === undefined ? {} : { example }
  const content = { [body.mediaType]: { schema: names.refer(body.schema), ...examples } }
  return { requestBody: { required: true, description: `At most ${body.maxBytes} bytes.`, content } }
}

/** Only schemas that are referred to, sorted by name. */
function schemasOf(api: Api, names: NamedSchemas): Members {
  const examples = new Map(
    Object.entries(api.examples).map(([name, example]) => [prefixed(api, name), example]),
  )
  const written = [...names.written()].sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(
    written.map(([name, schema]) => [
      name,
      examples.has(name) ? { ...schema, examples: [examples.get(name)] } : schema,
    ]),
  )
}

const principalToken =
  'The token of a principal; for v1 also the token of the listener. v1 needs one only when it is configured.'

const loginSchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token. Needed only when one is configured.' },
  basic: { type: 'http', scheme: 'basic', description: 'For browsers: the user svc, the token as password.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: `${sessionCookiePrefix}PORT`,
    description: 'For the page: the cookie of a session. PORT is the port of the listener.',
  },
} as const

function loginsOf(apis: readonly Api[]): Json {
  const logins = new Set(apis.flatMap((api) => api.logins))
  const { bearer } = loginSchemes
  const hasPrincipals = apis.some(({ needsPrincipal }) => needsPrincipal === true)
  const schemes = {
    ...loginSchemes,
    bearer: hasPrincipals ? { ...bearer, description: principalToken } : bearer,
  }
  return Object.fromEntries([...logins].map((login) => [login, schemes[login]]))
}

const text = { type: 'string' }

const commonHeaders = {
  'X-Request-ID': { description: 'The id of the request, also in the log.', required: true, schema: text },
  'WWW-Authenticate': { description: 'What to authenticate with.', schema: text },
  Allow: { description: 'The methods of this path.', schema: text },
}
