// scripts/generate/client/method-writer.ts: operations as the client needs them: a row of the table that its
// core runs, and the type of a method.
import type { Operation } from '@pulseward/contract'
import { commentOf, literalOf, type PlainSchema, typeOf } from './type-writer.ts'

export interface NamedOperation {
  readonly name: string
  readonly operation: Operation
  /** The type of the data in the answer. */
  readonly answer: string
}

function methodName(operationName: string): string {
  return operationName[0]!.toLowerCase() + operationName.slice(1)
}

export function rowOf({ name, operation }: NamedOperation): string {
  const { method, path, queryParameters, headers, body } = operation
  const query = Object.keys(queryParameters?.properties ?? {})
  const [precondition] = Object.keys(headers?.properties ?? {})
  const parts = [
    `method: ${literalOf(method)}`,
    `path: ${literalOf(path)}`,
    ...(query.length > 0 ? [`query: [${query.map(literalOf).join(', ')}]`] : []),
    ...(precondition === undefined ? [] : [`precondition: ${literalOf(precondition)}`]),
    ...(body === undefined ? [] : [`bodyType: ${literalOf(body.mediaType)}`]),
    ...(isPaged(operation) ? ['paged: true'] : []),
    ...(isLongPoll(operation) ? ['longPoll: true'] : []),
    ...(isText(operation) ? ['text: true'] : []),
    ...unusualAnswers(operation).map((status) => `alsoAnswers: ${status}`),
  ]
  return `  ${methodName(name)}: { ${parts.join(', ')} },\n`
}

export function memberOf({ name, operation, answer }: NamedOperation): string {
  const kind = isPaged(operation) ? 'ListMethod' : 'Method'
  const comment = commentOf(`${operation.summary}. ${operation.method} ${operation.path}`, '  ')
  return `${comment}  readonly ${methodName(name)}: ${kind}<${argumentsOf(operation)}, ${answer}>\n`
}

function argumentsOf({ pathParameters, queryParameters, headers, body }: Operation): string {
  const members = [
    ...membersOf(pathParameters),
    ...membersOf(queryParameters),
    ...(headers?.properties['If-Match'] ? ['readonly ifMatch: string'] : []),
    ...(headers?.properties['If-None-Match'] ? ["readonly ifNoneMatch: '*'"] : []),
    ...(body === undefined ? [] : [`readonly body: ${titleOf(body.schema)}`]),
  ]
  return members.length === 0 ? 'NoArguments' : `{ ${members.join('; ')} }`
}

function membersOf(parameters: Operation['pathParameters']): string[] {
  return Object.entries(parameters?.properties ?? {}).map(([key, schema]) => {
    const optional = parameters!.required?.includes(key) ? '' : '?'
    return `readonly ${key}${optional}: ${typeOf(schema as PlainSchema)}`
  })
}

/** A list whose pages are chained by cursors. */
function isPaged({ answers }: Operation): boolean {
  const { properties } = (answers[200]?.schema ?? {}) as PlainSchema
  return properties?.['items'] !== undefined && properties['nextCursor'] !== undefined && !properties['state']
}

function isLongPoll({ body }: Operation): boolean {
  return (body?.schema as PlainSchema | undefined)?.properties?.['waitSeconds'] !== undefined
}

function isText({ answers }: Operation): boolean {
  return answers[200]?.mediaType?.startsWith('text/') ?? false
}

/** Statuses that are not a success but still carry the data. */
function unusualAnswers({ answers }: Operation): number[] {
  return Object.keys(answers)
    .map(Number)
    .filter((status) => status >= 400)
}

export function titleOf(schema: object): string {
  const { title } = schema as { title?: string }
  if (title === undefined) throw new Error('a body has no name')
  return title
}
