// reference-peer/v2-routes.ts: answers every operation of v2 with its example. A request that does not keep to the
// contract gets the problem that the contract names for it, so a client that sends one cannot pass.
import { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { jsonAnswer, type PeerAnswer, problemAnswer } from './answer.ts'
import type { ReceivedRequest } from './received-request.ts'

interface Route {
  readonly name: v2.OperationName
  readonly operation: v2.V2Operation
  readonly pattern: RegExp
}

const routes: readonly Route[] = v2.operationNames.map((name) => {
  const operation: v2.V2Operation = v2.operations[name]
  return { name, operation, pattern: new RegExp(`^${operation.path.replace('{id}', '([^/]+)')}$`) }
})

/** Null for what is not under /api/v2. */
export function answerV2(request: ReceivedRequest): PeerAnswer | null {
  if (!request.path.startsWith('/api/v2/')) return null
  const onPath = routes.filter(({ pattern }) => pattern.test(request.path))
  if (onPath.length === 0) return problemAnswer(404, 'notFound')
  const route = onPath.find(({ operation }) => operation.method === request.method)
  if (route === undefined) {
    const allowed = onPath.map(({ operation }) => operation.method).join(', ')
    return problemAnswer(405, 'methodNotAllowed', { headers: { Allow: allowed } })
  }
  return refusalOf(route, request) ?? exampleOf(route)
}

function exampleOf({ name }: Route): PeerAnswer {
  const { status, answerHeaders, answer } = exchanges[name]
  return jsonAnswer(status, answerHeaders, answer)
}

function refusalOf(route: Route, request: ReceivedRequest): PeerAnswer | null {
  return preconditionRefusal(route, request) ?? queryRefusal(route, request) ?? bodyRefusal(route, request)
}

function preconditionRefusal({ operation }: Route, { headers }: ReceivedRequest): PeerAnswer | null {
  for (const name of ['If-Match', 'If-None-Match']) {
    const value = headers[name.toLowerCase()]
    const schema = operation.headers?.properties[name]
    if (schema === undefined && value === undefined) continue
    if (schema === undefined) return problemAnswer(400, 'invalidPrecondition')
    if (value === undefined) return problemAnswer(428, 'preconditionRequired')
    if (!Value.Check(schema, value)) return problemAnswer(400, 'invalidPrecondition')
  }
  return null
}

function queryRefusal({ operation }: Route, { query }: ReceivedRequest): PeerAnswer | null {
  if (operation.queryParameters === undefined) {
    return Object.keys(query).length === 0 ? null : problemAnswer(400, 'invalidParameter')
  }
  const { limit, ...rest } = query
  const decoded = limit === undefined ? rest : { ...rest, limit: Number(limit) }
  return unlessFits(operation.queryParameters, decoded, 400, 'invalidParameter')
}

function bodyRefusal({ operation }: Route, { headers, body }: ReceivedRequest): PeerAnswer | null {
  if (operation.body === undefined) return body === '' ? null : problemAnswer(400, 'invalidBody')
  if (headers['content-type'] !== operation.body.mediaType) return problemAnswer(415, 'unsupportedMediaType')
  if (Buffer.byteLength(body) > operation.body.maxBytes) return problemAnswer(413, 'bodyTooLarge')
  try {
    return unlessFits(operation.body.schema, JSON.parse(body), 422, 'invalidResource')
  } catch {
    return problemAnswer(400, 'invalidBody')
  }
}

function unlessFits(
  schema: TSchema,
  value: unknown,
  status: number,
  code: v2.ProblemCode,
): PeerAnswer | null {
  const errors = Value.Errors(schema, value)
  if (errors.length === 0) return null
  return problemAnswer(status, code, {
    errors: errors.map(({ instancePath, message }) => ({ field: instancePath, message })),
  })
}
