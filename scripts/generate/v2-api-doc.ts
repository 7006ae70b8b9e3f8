// scripts/generate/v2-api-doc.ts: the reference of the v2 API, from the contract: operations with their
// parameters, types field by field, error codes with the error categories of the client, and limits.
import { v2 } from '@pulseward/contract'
import { v2Api } from '@pulseward/contract/v2/api'
import { exchanges } from '@pulseward/contract/v2/examples'
import { bodySections, linkTo } from './body-reference.ts'
import { code, codes, madeFrom, table } from './markdown.ts'
import { keyRows, type Shape } from './schema-reference.ts'

export async function v2ApiDoc(): Promise<Map<string, string>> {
  return new Map([['docs/generated/v2-api.md', page()]])
}

const operations: readonly (readonly [v2.OperationName, v2.V2Operation])[] = v2.operationNames.map((name) => [
  name,
  v2.operations[name],
])

const ofContract = operations.filter(([name]) => !v2.isAddition(name))

function page(): string {
  return `${madeFrom('packages/contract/src/v2')}
# The v2 API

The contract has ${ofContract.length} operations; ${ofContract.filter(([name]) => v2.defaultOperationNames.includes(name)).length} of them are there without external jobs, the others answer 501
\`featureUnavailable\` until the setting \`external_jobs\` is on. Beside it stand [additions](#additions) of Pulseward. Only edition next serves v2: the others answer every path
with 404 \`${v2.notServedCode}\`. The OpenAPI document says the same to programs: [openapi-v2.json](openapi-v2.json).

## Rules for all operations

- Bodies are \`${v2.jsonMediaType}\`, patches \`${v2.mergePatchMediaType}\` (RFC 7396), in UTF-8, with no key twice in an
  object and at most ${v2.limits.bodyDepth} levels deep. A request without a body needs no content type. Times are RFC 3339, durations
  are texts such as \`250ms\`, \`30s\`, \`5m\` or \`1h\`.
- A body that is not JSON, or has an unknown, missing or mistyped member, is 400 \`invalidBody\`. One of the right shape with
  wrong values, driver options or references is 422 \`invalidResource\`. Both name every mistake at once; if a body has mistakes
  of both kinds, it is 400. A parameter that an operation does not list, or that is given twice, is 400 \`invalidParameter\`.
- \`status\` and, in \`metadata\`, \`uid\`, \`generation\` and \`resourceVersion\` are the service's: a write may repeat them, and
  they are ignored. \`managedBy\` may be repeated as it is. Resources of fleet files can be read and controlled; to replace,
  patch or delete one is 409 \`managedByFile\`.
- A create of a resource sends \`If-None-Match: *\`. A replace, a patch, a delete and every control sends
  \`If-Match: "VERSION"\`, one strong entity tag. All others carry no precondition, and one that they carry is refused.
- Every answer has \`X-Request-ID\`; single resources have \`ETag\`, writes \`X-Operation-ID\`, creates \`Location\`. 429 always
  has \`Retry-After\`, and so has the answer of an operation that still runs.
- Lists are read at one committed position: \`nextCursor\` asks for the next page and is valid for five minutes. A filter that
  cannot apply to the rows of a list is 400 \`unsupportedFilter\`: \`selector\` applies to resources, \`monitorID\` to incidents,
  actions and history, \`state\` to operations.
- Errors are ${linkTo('Problem')} documents, \`application/problem+json\`.

## Operations

${operationTables(ofContract)}

## Additions

What Pulseward has beside the contract, under the same rules. The OpenAPI document marks it with
\`x-pulseward-addition\`; another service that keeps to the contract may not have it.

${operationTables(operations.filter(([name]) => v2.isAddition(name)))}

## Types

${bodySections(v2.wireTypes)}

## Error codes

Every operation may answer ${codes(v2.commonProblems)}. The category is what the client library sorts an error into; where
it depends, a read is \`unavailable\` and a write \`ambiguousMutation\`, unless the answer is 503 \`unavailable\` with
\`Retry-After\`, which is \`unavailable\` for both.

${table(['Code', 'Status', 'Category', 'Title'], problemRows())}

## Reasons

The words of \`errors[].reason\` in a ${linkTo('Problem')}.

${table(
  ['Reason', 'Meaning'],
  Object.entries(v2.fieldReasons).map(([reason, meaning]) => [code(reason), meaning]),
)}

## Limits

${table(['Limit', 'Value'], limitRows())}
`
}

function operationTables(shown: typeof operations): string {
  const rows = table(['Operation', 'Route', 'Body', 'Answer', 'Build'], shown.map(operationRow))
  return [rows, ...shown.map(([name, operation]) => operationSection(name, operation))].join('\n\n')
}

function operationRow([name, operation]: readonly [v2.OperationName, v2.V2Operation]): string[] {
  const { method, path, build = '' } = operation
  return [name, code(`${method} ${path}`), bodyOf(operation), answerOf(operation), build && code(build)]
}

function operationSection(name: v2.OperationName, operation: v2.V2Operation): string {
  const { path, query, body } = exchanges[name]
  const { status, answer } = v2.successOf(operation)
  const parameters = [
    ...parameterRows('path', operation.pathParameters),
    ...parameterRows('query', operation.queryParameters),
    ...parameterRows('header', operation.headers),
  ]
  const columns = ['Parameter', 'In', 'Type', 'Default', 'Meaning']
  const inputs = parameters.length === 0 ? [] : [table(columns, parameters)]
  const next = Object.keys(answer.links ?? {})
  const target = operation.path.replace('{id}', path['id'] ?? '')
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  return [
    `### ${name}`,
    `${operation.summary}.`,
    `Example: ${code(`${operation.method} ${target}${search.size === 0 ? '' : `?${search}`}`)}`,
    ...(body === undefined ? [] : [`\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``]),
    ...inputs,
    [
      `- ${status}: ${answer.description}. ${answerOf(operation)}`,
      ...operation.problems.map((problem) => `- ${v2.problems[problem].status}: ${code(problem)}`),
    ].join('\n'),
    ...(next.length === 0 ? [] : [`Goes on with ${next.map(linkTo).join(', ')}.`]),
  ].join('\n\n')
}

function parameterRows(place: string, parameters: object | undefined): string[][] {
  if (parameters === undefined) return []
  return keyRows(parameters as Shape).map(({ path, type, fallback, meaning }) => {
    return [code(path), place, type, fallback, meaning]
  })
}

function bodyOf({ body }: v2.V2Operation): string {
  return body === undefined ? '' : linkTo(v2.nameOf(body.schema)!)
}

function answerOf(operation: v2.V2Operation): string {
  return linkTo(v2.nameOf(v2.successOf(operation).answer.schema!)!)
}

function problemRows(): string[][] {
  const categories: Readonly<Record<number, v2.ErrorCategory>> = v2.categoryByStatus
  return Object.entries(v2Api.problems).map(([name, { status, title }]) => {
    const category = categories[status]
    return [code(name), String(status), category === undefined ? 'depends' : code(category), title]
  })
}

const limitNames: Readonly<Record<keyof typeof v2.limits, string>> = {
  bodyBytes: 'bytes of a body',
  uploadBytes: 'bytes of an upload',
  bodyDepth: 'levels of objects and lists in a body',
  problemErrors: 'mistakes that one answer names',
  uploadItems: 'items of an upload',
  operationItems: 'items of an operation',
  preflightItems: 'items that the answer to a preflight or a validation names',
  rejectedItems: 'failed items that a rejected operation names',
  controlIDs: 'ids of a control of many monitors',
  listLimitDefault: '`limit` of a list when it is not given',
  listLimit: '`limit` of a list at most; more is refused',
  shifts: 'shifts of an answer',
  shiftDays: 'days of shifts at most',
  shownPages: 'pages that the status of a policy names',
  trialsAtOnce: 'trials that run at once',
  trialsPerSecond: 'trials per second of one principal',
  trialTimeoutSeconds: 'seconds that a check that is tried may take',
  trialTimeoutDefaultSeconds: 'seconds that it may take when no `timeout` is given',
  trialObservations: 'observations of a check that is tried; more are left out',
  cursorLifetimeSeconds: 'seconds that a cursor is valid',
  cursorCharacters: 'characters of a cursor',
  idCharacters: 'characters of an id in a path or a parameter',
  selectorClauses: 'clauses of a selector',
  selectorBytes: 'bytes of a selector',
  snoozeHours: 'hours of a snooze',
  controlTextBytes: 'bytes of a reason or a note',
  recoversPerMinute: 'recovers of a monitor in a minute',
  recoversPerHour: 'recovers of a monitor in an hour',
  openOperations: 'operations of many items that have not ended, in all',
  openOperationsOfPrincipal: 'operations of many items that have not ended, of one principal',
  stagingIdleHours: 'idle hours after which a staged operation expires',
  neededPlaceIdleMinutes:
    'idle minutes after which a staged operation gives way to a new one that needs its place',
  operationRetentionDays: 'days that the result of an operation is kept',
  operationRecords: 'single writes whose operation is kept',
  incidentRetentionDays: 'days that a closed incident is listed',
  stateActions: 'actions that the state names',
  eventChanges: 'changed fields that an event names',
  eventChangesBytes: 'bytes of the changes that an event names',
  jobSchemaBytes: 'bytes of a schema of a job type',
  jobTimeoutHours: 'hours that a job may take',
  rejectionCodes: 'rejection codes of a job type',
  pollWaitSeconds: 'seconds that a poll may wait',
  pollOffersDefault: 'offers of a poll, as usual',
  pollOffers: 'offers of a poll at most',
  startLeaseSeconds: 'seconds in which an offer must be started',
  diagnosticBytes: 'bytes of a diagnostic',
  evidenceEntries: 'entries of evidence',
  evidenceEntryBytes: 'bytes of an entry of evidence',
  resultDataBytes: 'bytes of the `data` of a result or of late evidence, as JSON',
  latePieces: 'pieces of late evidence of a job',
  lateBytes: 'bytes of all late evidence of a job',
  principalTokenCharacters: 'characters of a token at least',
  clientTimeoutMs: 'milliseconds that the client library waits, unless told otherwise',
  clientResponseBytes: 'decoded bytes of an answer that the client library takes, unless told otherwise',
}

function limitRows(): string[][] {
  return Object.entries(limitNames).map(([name, words]) => [
    words,
    v2.limits[name as keyof typeof v2.limits].toLocaleString('en-US'),
  ])
}
