// scripts/generate/v1-api-doc.ts: the reference of the v1 API, from the contract that the service implements:
// routes, parameters, bodies field by field, error codes and limits. Rules for all routes are written here.
import { fleetMapLayout, type Operation, streamEvents, v1Limits } from '@pulseward/contract'
import { v1Api } from '@pulseward/contract/v1/api'
import { bodySections, linkTo } from './body-reference.ts'
import { code, codes, madeFrom, table } from './markdown.ts'
import { keyRows, type Shape } from './schema-reference.ts'

export async function v1ApiDoc(): Promise<Map<string, string>> {
  return new Map([['docs/generated/v1-api.md', page()]])
}

const operations = Object.entries<Operation>(v1Api.operations)
const nameOfSchema = new Map<unknown, string>(
  Object.entries(v1Api.schemas).map(([name, schema]) => [schema, name]),
)

function page(): string {
  return `${madeFrom('packages/contract/src/v1')}
# The v1 API

Everything here only reads. The OpenAPI document says the same to programs: [openapi-v1.json](openapi-v1.json),
with all that any edition has. \`GET /api/openapi.json\` answers with the one of the edition that runs.

## Rules for all routes

- The methods are GET and HEAD, which answers the same without a body. Any other is 405 with \`Allow: GET, HEAD\`.
- JSON is \`application/json; charset=utf-8\` with names in snake_case. Times are RFC 3339 in UTC with milliseconds.
  Durations are numbers with their unit in the name. What is not known is \`null\`, never 0.
- Errors are ${linkTo('Problem')} documents, \`application/problem+json\`; only readyz says no in plain JSON.
- Checks come in this order: host (421), authentication (401), route (404), method (405), parameters (400), data (503).
- Every answer has \`X-Request-ID\`. One that comes with the request is kept when it has 1 to
  ${v1Limits.requestIdCharacters} characters of \`A-Z a-z 0-9 . _ -\`.
- \`Cache-Control: no-store\`. Data that is not available is 503, never an empty list.
- Bodies of more than ${v1Limits.compressedFromBytes} bytes are compressed for clients that ask for it: zstd, br or gzip. The event stream never is.
- More requests at once than \`limits.concurrent_requests\` are 503 \`overloaded\` with \`Retry-After\`; healthz,
  readyz and event streams do not count. A client has 60 seconds to take its answer.
- Pages of other origins may read only when \`cors\` names their origin; then their OPTIONS is 204.
- With a token every route is protected: \`Authorization: Bearer TOKEN\`, or Basic with the user \`svc\` and the token as
  password. Without one no credentials are needed, the service listens on loopback only, and a request whose \`Host\` is not an IP
  address, \`localhost\`, the host of \`listen\` or \`public_url\` or one of \`allowed_hosts\` is 421
  \`misdirected_request\`.
- Unknown parameters are ignored. One that is given twice, or whose value is not allowed, is 400
  \`invalid_parameter\` and named in \`errors\`.

## Routes

Candidate and next serve all of them; \`/api/openapi.json\`, \`/api/v1/events\` and \`/api/v1/map\` are additions.

${table(['Route', 'Operation', 'What', 'Body', 'In main'], operations.map(routeRow))}

${operations.map(([name, operation]) => operationSection(name, operation)).join('\n\n')}

## The event stream

Events only bring a refresh forward. \`monitor\` events are those that match the filters. A client that is too slow
gets \`reset\` and reads everything again; so does one whose \`Last-Event-ID\` cannot be resumed.

${table(['Event', 'Data', 'Sent by'], eventRows())}

## The map

\`application/octet-stream\`, little-endian. Monitors are ordered by first tag (code points; those without a tag first,
under an empty one), then name, then id. Each part begins at a multiple of 4 bytes, with zeros before it where needed.

${table(
  ['Bytes', 'What'],
  fleetMapLayout.map(({ bytes, what }) => [bytes, what]),
)}

## Bodies

A name that begins with Main is the body as main shows it; one that begins with Next as next does.

${bodySections(v1Api.schemas)}

## Error codes

Every operation may answer ${codes(v1Api.commonProblems)}; a path that is not an operation answers \`not_found\` or
\`api_version_not_served\`.

${table(['Code', 'Status', 'Title'], problemRows())}

## Limits

${table(['Limit', 'Value'], limitRows())}
`
}

function routeRow([name, { path, summary, editions, answers }]: [string, Operation]): string[] {
  const { schema, mediaType = '' } = answers[200]!
  const bodyName = nameOfSchema.get(schema)
  const body = bodyName === undefined ? code(mediaType) : linkTo(bodyName)
  return [code(path), name, summary, body, editions.includes('main') ? 'yes' : '404']
}

function operationSection(name: string, operation: Operation): string {
  const parameters = [
    ...parameterRows('path', operation.pathParameters),
    ...parameterRows('query', operation.queryParameters),
    ...parameterRows('header', operation.headers),
  ]
  const columns = ['Parameter', 'In', 'Type', 'Default', 'Meaning']
  const inputs = parameters.length === 0 ? [] : [table(columns, parameters)]
  return [
    `### GET ${operation.path}`,
    `${name}. ${operation.summary}.`,
    ...inputs,
    answerList(operation),
  ].join('\n\n')
}

function parameterRows(place: string, parameters: object | undefined): string[][] {
  if (parameters === undefined) return []
  return keyRows(parameters as Shape).map(({ path, type, fallback, meaning }) => {
    return [code(path), place, type, fallback, meaning]
  })
}

function answerList({ answers, problems }: Operation): string {
  const said = Object.entries(answers).map(([status, answer]) => {
    const variants = Object.entries(answer.schemaIn ?? {}).map(
      ([edition, schema]) => `${edition}: ${linkTo(nameOfSchema.get(schema)!)}`,
    )
    const name = nameOfSchema.get(answer.schema)
    const bodies = [...(name === undefined ? [] : [linkTo(name)]), ...variants]
    return `- ${status}: ${answer.description}${bodies.length === 0 ? '' : ` ${bodies.join(', ')}.`}`
  })
  const refused = problems.map(
    (problem) => `- ${v1Api.problems[problem as keyof typeof v1Api.problems].status}: ${code(problem)}`,
  )
  return [...said, ...refused].join('\n')
}

function eventRows(): string[][] {
  return Object.entries(streamEvents).map(([name, { data, editions }]) => [
    code(name),
    linkTo(nameOfSchema.get(data)!),
    editions.join(', '),
  ])
}

function problemRows(): string[][] {
  return Object.entries(v1Api.problems).map(([name, { status, title }]) => [
    code(name),
    String(status),
    title,
  ])
}

const limitNames: Readonly<Record<keyof typeof v1Limits, string>> = {
  pageDefault: '`page` when it is not given',
  sizeDefault: '`size` when it is not given',
  sizeCap: '`size` at most; more is cut to it',
  historyLimitDefault: '`limit` of the history when it is not given',
  historyLimitMaximum: '`limit` of the history at most; more is refused',
  workersShown: 'external workers that the state of next shows one by one',
  workersKeptMinutes: 'minutes without a call after which an external worker without a job is forgotten',
  seriesSamples: 'samples in a series of queues or pools',
  seriesIntervalSeconds: 'seconds between two samples',
  readyProgressSeconds: 'seconds without progress of the controller after which candidate is not ready',
  readySnapshotAgeSeconds: 'seconds of age after which a snapshot leaves main not ready',
  snapshotIntervalSeconds: 'seconds between two snapshots of main, unless configured',
  indexCapDefault: 'monitors above which lists of main are 503, unless configured',
  eventRetentionDays: 'days that events are kept',
  sloWindowSeconds: 'seconds that the SLO view looks back over',
  trendCells: 'cells of a trend at most',
  trendIncidents: 'incidents of a trend at most: the newest',
  recentCells: 'cells of each monitor in the recent trends',
  recentMonitors: 'monitors in one request for recent trends; more is refused',
  lastChecks: 'last checks of a failing monitor in its detail, at most',
  requestIdCharacters: 'characters of an `X-Request-ID` that is kept',
  compressedFromBytes: 'bytes of a body up to which it is never compressed',
  requestHeadBytes: 'bytes of path and headers together; more is 431',
  requestBodyBytes: 'bytes of a body, which is not read; more is 413',
}

function limitRows(): string[][] {
  return Object.entries(limitNames).map(([name, words]) => [
    words,
    v1Limits[name as keyof typeof v1Limits].toLocaleString('en-US'),
  ])
}
