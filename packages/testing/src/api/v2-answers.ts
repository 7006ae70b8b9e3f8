// api/v2-answers.ts: checks an answer of the v2 API against the contract: status, headers and body of one operation.
import { type AnswerOf, problemMediaType, v2 } from '@pulseward/contract'
import { expect } from 'vitest'
import { expectCommonHeaders } from './api-answers.ts'
import { mistakesIn } from './schema-mistakes.ts'

type Operations = typeof v2.operations
type V2Body<Name extends v2.OperationName> = AnswerOf<Operations[Name], keyof Operations[Name]['answers']>

/** Returns the body after checking that the operation succeeded as the contract says. */
export async function expectV2Answer<Name extends v2.OperationName>(
  name: Name,
  response: Response,
): Promise<V2Body<Name>> {
  const { status, answer } = v2.successOf(v2.operations[name])
  if (response.status !== status)
    expect.fail(`${name} answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
  expectCommonHeaders(response)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  for (const header of answer.headers?.required ?? [])
    expect(response.headers.get(header), `${name}: ${header}`).not.toBeNull()
  const body: unknown = await response.json()
  expect(mistakesIn(answer.schema ?? {}, body), name).toEqual([])
  return body as V2Body<Name>
}

/** Returns the problem after checking that this operation may answer with it. */
export async function expectV2Problem(
  name: v2.OperationName,
  response: Response,
  code: v2.ProblemCode,
): Promise<v2.Problem> {
  const operation: v2.V2Operation = v2.operations[name]
  const problem = (await response.json()) as v2.Problem
  expect(problem, name).toMatchObject({ code, status: response.status })
  expectCommonHeaders(response)
  expect(response.headers.get('content-type')).toBe(problemMediaType)
  expect(mistakesIn(v2.wireTypes.Problem, problem)).toEqual([])
  expect([...v2.commonProblems, 'featureUnavailable', ...operation.problems], name).toContain(code)
  expect(problem).toMatchObject({
    title: v2.problems[code].title,
    status: v2.problems[code].status,
    requestID: response.headers.get('x-request-id'),
  })
  return problem
}
