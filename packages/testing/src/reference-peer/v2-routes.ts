// reference-peer/v2-routes.ts: answers every operation of v2 with its example. A request that breaks the
// contract gets the problem that the contract names for it, so the tests of a client that sends one fail.
import { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { jsonAnswer, type PeerAnswer, problemAnswer } from './answer.ts'
import { type BodyMistake, mistakesOf, parsedOnce } from './body-mistakes.ts'
import type { ReceivedRequest } from './received-request.ts'
import { isNumber } from './v1-routes.ts'

interface Route {
  readonly name: v2.OperationName
  readonly operation: v2.V2Operation
  readonly pattern: RegExp
}

const routes: readonly Route[] = v2.operationNames.map((name) => {
  const operation: v2.V2Operation = v2.operations[name]
  return { name, operation, pattern: new RegExp(`^${operation.path.replace('{id}', '([^/]+)')}$`) }
})

/** Null for paths outside /api/v2. */
export function answerV2(request: ReceivedRequest): PeerAnswer | null {
  if (!request.path.startsWith('/api/v2/')) return null
  const onPath = routes.filter(({ pattern }) => pattern.test(request.path))
  if (onPath.length === 0) return problemAnswer(404, 'notFound')
  const route = onPath.find(({ operation }) => operation.method === request.method)
  if (route === undefined) {
    const allowed = onPath.map(({ operation }) => operation.method).join(', ')
    return problemAnswer(405, 'methodNotAllowed', { headers: { Allow: allowed } })
  }
  if (route.name === 'GetMonitor' && isNumber(route.pattern.exec(request.path)?.[1]))
    return problemAnswer(404, 'notFound')
  return refusalOf(route, request) ?? exampleOf(route)
}

function exampleOf({ name }: Route): PeerAnswer {
  const { status, answerHeaders, answer } = exchanges[name]
  return jsonAnswer(status, answerHeaders, answer)
}

function refusalOf(route: Route, request: ReceivedRequest): PeerAnswer | null {
  return preconditionRefusal(route, request) ?? queryRefusal(route, request) ?? bodyRefusal(route, request)
}

const preconditions = ['If-Match', 'If-None-Match'] as const

function preconditionRefusal({ operation }: Route, { headers }: ReceivedRequest): PeerAnswer | null {
  for (const name of preconditions) {
    const schema = operation.headers?.properties[name]
    const value = headers[name.toLowerCase()]
    if (schema !== undefined && value === undefined) return problemAnswer(428, 'preconditionRequired')
    if (schema !== undefined && !Value.Check(schema, value)) return problemAnswer(400, 'invalidPrecondition')
  }
  const isMisplaced = preconditions.some(
    (name) => operation.headers?.properties[name] === undefined && name.toLowerCase() in headers,
  )
  return isMisplaced ? problemAnswer(400, 'invalidPrecondition') : null
}

function queryRefusal({ operation }: Route, { query, repeated }: ReceivedRequest): PeerAnswer | null {
  const { queryParameters = Type.Object({}, { additionalProperties: false }), filters = [] } = operation
  const [twice] = repeated
  if (twice !== undefined)
    return problemAnswer(400, 'invalidParameter', {
      errors: [{ field: twice, reason: 'repeated', message: 'may be given only once' }],
    })
  const { limit, ...rest } = query
  const decoded = limit === undefined ? rest : { ...rest, limit: /^\d+$/.test(limit) ? Number(limit) : limit }
  const mistakes = mistakesOf(queryParameters, decoded)
  const { selector = '', monitorID = '' } = query
  const read = v2.parseSelector(selector)
  if ('mistake' in read)
    mistakes.push({ field: '/selector', reason: 'malformed', message: read.mistake, isShape: false })
  if (mistakes.length > 0)
    return problemAnswer(400, 'invalidParameter', {
      errors: mistakes.map(({ field, reason, message }) => ({ field: field.slice(1), reason, message })),
    })
  const given = [...(selector === '' ? [] : ['selector']), ...(monitorID === '' ? [] : ['monitorID'])]
  return given.every((filter) => (filters as readonly string[]).includes(filter))
    ? null
    : problemAnswer(400, 'unsupportedFilter')
}

function bodyRefusal({ operation }: Route, { headers, body }: ReceivedRequest): PeerAnswer | null {
  if (operation.body === undefined) return body === '' ? null : problemAnswer(400, 'invalidBody')
  const contentType = (headers['content-type'] ?? '').toLowerCase().replace(/; *charset=utf-8$/, '')
  if (contentType !== operation.body.mediaType) return problemAnswer(415, 'unsupportedMediaType')
  if (Buffer.byteLength(body) > operation.body.maxBytes) return problemAnswer(413, 'bodyTooLarge')
  const parsed = parsedOnce(body)
  if (parsed === null) return problemAnswer(400, 'invalidBody')
  const mistakes = [
    ...mistakesOf(operation.body.schema, parsed.value),
    ...revisionMistakes(operation, headers, parsed.value),
  ]
  if (mistakes.length === 0) return null
  const [status, code] = mistakes.some(({ isShape }) => isShape)
    ? ([400, 'invalidBody'] as const)
    : ([422, 'invalidResource'] as const)
  return problemAnswer(status, code, {
    errors: mistakes.map(({ field, reason, message }) => ({ field, reason, message })),
  })
}

function revisionMistakes(
  { body, headers: known }: v2.V2Operation,
  headers: ReceivedRequest['headers'],
  value: unknown,
): BodyMistake[] {
  if (body?.schema !== v2.ControlRequest || known === undefined) return []
  const { revision } = value as { revision?: unknown }
  if (typeof revision !== 'string' || `"${revision}"` === headers['if-match']) return []
  return [{ field: '/revision', reason: 'rule', message: 'is not that of If-Match', isShape: false }]
}
