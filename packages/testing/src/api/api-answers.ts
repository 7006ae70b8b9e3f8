// api/api-answers.ts: checks an answer of the v1 API against the contract: status, headers and body, for one
// operation and one edition. Fields that the contract does not name fail too, because the service must not
// send anything undocumented.
import {
  type Answer,
  type AnswerOf,
  commonProblems,
  type Edition,
  type FleetMap,
  type Operation,
  Problem,
  type ProblemCode,
  problemMediaType,
  problems,
  readFleetMap,
  schemaIn,
  type V1OperationName,
  v1Operations,
} from '@pulseward/contract'
import { expect } from 'vitest'
import { mistakesIn } from './schema-mistakes.ts'

type ReceivedBody<Name extends V1OperationName> = Name extends 'GetMap'
  ? FleetMap
  : AnswerOf<(typeof v1Operations)[Name], 200>

/**
 * Returns the body after checking it against the contract. The body of an event stream is not read, since it
 * does not end.
 */
export async function expectV1Answer<Name extends V1OperationName>(
  name: Name,
  edition: Edition,
  response: Response,
): Promise<ReceivedBody<Name>> {
  const operation: Operation = v1Operations[name]
  expect(operation.editions, `${name} is not served by ${edition}`).toContain(edition)
  const answer = operation.answers[response.status]
  if (answer === undefined)
    expect.fail(`${name} answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
  expectCommonHeaders(response)
  for (const header of answer.headers?.required ?? [])
    expect(response.headers.get(header), header).not.toBeNull()
  expectMediaType(answer, response)
  return (await readBody(answer, edition, response)) as ReceivedBody<Name>
}

/** Returns the problem after checking that this operation may answer with it. */
export async function expectV1Problem(
  name: V1OperationName,
  edition: Edition,
  response: Response,
): Promise<Problem & { code: ProblemCode }> {
  const operation: Operation = v1Operations[name]
  const isServed = operation.editions.includes(edition)
  const codes = isServed ? [...commonProblems, ...operation.problems] : ['unauthorized', 'not_found']
  expectCommonHeaders(response)
  expect(response.headers.get('content-type')).toBe(problemMediaType)
  const problem = (await response.json()) as Problem & { code: ProblemCode }
  expect(mistakesIn(Problem, problem)).toEqual([])
  expect(codes, `${name} in ${edition}`).toContain(problem.code)
  expect(problem).toMatchObject({
    ...problems[problem.code],
    status: response.status,
    type: `urn:pulseward:problem:${problem.code}`,
    request_id: response.headers.get('x-request-id'),
  })
  if (response.status === 401) expect(response.headers.get('www-authenticate')).not.toBeNull()
  if (response.status === 405) expect(response.headers.get('allow')).toBe('GET, HEAD')
  return problem
}

/** Headers of every answer, in both versions of the API. */
export function expectCommonHeaders({ headers }: Response): void {
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get('cache-control')).toBe('no-store')
}

function expectMediaType({ mediaType, otherMediaTypes = [] }: Answer, response: Response): void {
  if (mediaType === undefined) return
  const allowed = [mediaType, ...otherMediaTypes].flatMap((type) => {
    const withCharset = `${type}; charset=utf-8`
    return type === 'application/json' ? [withCharset] : [type, withCharset]
  })
  expect(allowed).toContain(response.headers.get('content-type'))
}

async function readBody(answer: Answer, edition: Edition, response: Response): Promise<unknown> {
  const schema = schemaIn(answer, edition)
  switch (answer.mediaType) {
    case undefined:
      expect(await response.text()).toBe('')
      return undefined
    case 'text/event-stream':
      return undefined
    case 'application/octet-stream':
      return readFleetMap(await response.bytes())
    case 'application/json': {
      const body: unknown = await response.json()
      expect(mistakesIn(schema!, body)).toEqual([])
      return body
    }
    default:
      return await response.text()
  }
}
