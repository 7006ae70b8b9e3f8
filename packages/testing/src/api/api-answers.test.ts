import { v1Api } from '@pulseward/contract/v1/api'
import { describe, expect, it } from 'vitest'
import { expectV1Answer, expectV1Problem } from './api-answers.ts'

const common = { 'x-request-id': 'a', 'cache-control': 'no-store' }

function answered(body: unknown, { status = 200, headers = {} as Record<string, string> } = {}): Response {
  const json = { 'content-type': 'application/json; charset=utf-8' }
  return new Response(JSON.stringify(body), { status, headers: { ...common, ...json, ...headers } })
}

const { Overview, MonitorList, MainMonitorList, MainReadyz, Problem } = v1Api.examples

const overview = (response: Response) => expectV1Answer('GetOverview', 'main', response)
const withHeader = (name: string, value: string) => answered(Overview, { headers: { [name]: value } })

/** What a failed expectation says, and what it saw. */
async function failureOf(expectation: Promise<unknown>): Promise<string> {
  const error = await expectation.then(
    () => expect.fail('nothing failed'),
    (error: Error & { actual?: unknown }) => error,
  )
  return `${error.message} ${JSON.stringify(error.actual)}`
}

function refused(problem: object, headers: Record<string, string> = {}): Response {
  const body = { ...Problem, request_id: 'a', ...problem }
  return answered(body, {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

describe('an answer of v1', () => {
  it('that keeps to the contract gives its body', async () => {
    expect(await expectV1Answer('GetOverview', 'main', answered(Overview))).toEqual(Overview)
    expect(await expectV1Answer('ListMonitors', 'candidate', answered(MonitorList))).toEqual(MonitorList)
    expect(await expectV1Answer('GetReady', 'main', answered(MainReadyz, { status: 503 }))).toEqual(
      MainReadyz,
    )
    const document = { openapi: '3.1.1', info: {} }
    expect(await expectV1Answer('GetOpenAPI', 'main', answered(document))).toEqual(document)
  })

  it('without a body gives nothing', async () => {
    const unchanged = new Response(null, { status: 304, headers: { ...common, etag: '"a"' } })
    expect(await expectV1Answer('GetMap', 'candidate', unchanged)).toBeUndefined()
  })

  const broken: [title: string, reason: string, expectation: () => Promise<unknown>][] = [
    [
      'a field that the contract does not describe',
      'additional',
      () => overview(answered({ ...Overview, token: 's3cret' })),
    ],
    ['a field that is missing', 'required', () => overview(answered({ ...Overview, total: undefined }))],
    [
      'an identity in main',
      'additional',
      () => expectV1Answer('ListMonitors', 'main', answered(MonitorList)),
    ],
    [
      'no identity in candidate',
      'required',
      () => expectV1Answer('ListMonitors', 'candidate', answered(MainMonitorList)),
    ],
    [
      'an operation that main does not have',
      'is not served by main',
      () => expectV1Answer('GetSLO', 'main', answered({})),
    ],
    ['another status', 'GetOverview answered 201', () => overview(answered(Overview, { status: 201 }))],
    ['no charset', 'application/json', () => overview(withHeader('content-type', 'application/json'))],
    ['leave to keep it', 'private', () => overview(withHeader('cache-control', 'private'))],
    ['an id that is none', 'a b', () => overview(withHeader('x-request-id', 'a b'))],
    [
      'a map without a tag',
      'ETag',
      () => expectV1Answer('GetMap', 'main', new Response(null, { status: 304, headers: common })),
    ],
  ]
  it.each(broken)('with %s fails', async (_title, reason, expectation) => {
    expect(await failureOf(expectation())).toContain(reason)
  })
})

describe('a problem of v1', () => {
  it('that keeps to the contract is given back', async () => {
    expect(await expectV1Problem('GetOverview', 'main', refused({}))).toMatchObject({ code: 'unavailable' })
  })

  const withCode = (code: 'invalid_cursor' | 'method_not_allowed') =>
    refused({ ...v1Api.problems[code], code, type: `urn:pulseward:problem:${code}` })

  const broken: [title: string, reason: string, response: Response][] = [
    ['a code of another operation', 'invalid_cursor', withCode('invalid_cursor')],
    ['another title', 'Oops', refused({ title: 'Oops' })],
    ['the id of another request', '"request_id":"b"', refused({ request_id: 'b' })],
    ['another media type', 'text/plain', refused({}, { 'content-type': 'text/plain' })],
    ['a field that the contract does not describe', 'additional', refused({ stack: 'at …' })],
    ['no methods', 'GET, HEAD', withCode('method_not_allowed')],
  ]
  it.each(broken)('with %s fails', async (_title, reason, response) => {
    expect(await failureOf(expectV1Problem('GetOverview', 'main', response))).toContain(reason)
  })

  it('of an operation that the edition does not serve is that there is nothing', async () => {
    const { title } = v1Api.problems.not_found
    const nothing = { code: 'not_found', type: 'urn:pulseward:problem:not_found', status: 404, title }
    await expectV1Problem('GetSLO', 'main', refused(nothing))
    await expect(expectV1Problem('GetSLO', 'candidate', refused(nothing))).rejects.toThrow()
  })
})
