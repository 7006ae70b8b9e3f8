// checks/http/classify-response.ts: compares a response with the expectations of the configuration, cheapest
// first: status, headers, body. The first expectation that is not met is the reason.
import { matchInSlices } from '../../platform/linear-regex/match-in-slices.ts'
import type { Attempt } from './attempt.ts'
import { bodyProblem } from './body-assertions.ts'
import type { HttpConfig } from './config.ts'
import type { Expectation } from './expectation.ts'
import { isRedirect } from './redirect-step.ts'
import { compiledRegex } from './regex-cache.ts'
import { type HeaderList, headerValues, type Response } from './response.ts'
import { isExpectedStatus, statusProblem } from './status.ts'
import { quote } from './wording.ts'

type HeaderExpectation = NonNullable<Expectation['headers']>[string]

/** Whether the status alone decides for success, as in most checks: then nothing has to be awaited. */
export function isPlainlyGood(config: HttpConfig, response: Response): boolean {
  const { expect } = config
  if (expect === undefined) return response.status >= 200 && response.status <= 299
  return (
    expect.headers === undefined &&
    expect.body === undefined &&
    isExpectedStatus(expect.status, response.status)
  )
}

/** Why the response makes the check a failure; null if it is as expected. */
export async function classifyResponse(
  config: HttpConfig,
  response: Response,
  attempt: Attempt,
): Promise<string | null> {
  const status = statusProblem(config.expect?.status, response.status)
  if (status !== null) {
    const isUnfollowed = isRedirect(response.status) && config.redirects?.follow !== true
    return isUnfollowed ? `${status} (redirects are not followed)` : status
  }
  attempt.awaits('no verdict', 'the response has arrived; an expectation took too long to judge')
  for (const [name, expected] of Object.entries(config.expect?.headers ?? {})) {
    const problem = await headerProblem(response.headers, name, expected, attempt)
    if (problem !== null) return problem
  }
  const body = config.expect?.body
  return body === undefined ? null : bodyProblem(config, body, response, attempt)
}

async function headerProblem(
  headers: HeaderList,
  name: string,
  expected: HeaderExpectation,
  attempt: Attempt,
): Promise<string | null> {
  const values = headerValues(headers, name.toLowerCase())
  if (values.length === 0) return `the header ${name} is missing`
  for (const value of values) {
    if (typeof expected === 'string' ? value === expected : await meets(value, expected, attempt)) return null
  }
  const found = quote(values.join(', '))
  if (typeof expected === 'string') return `the header ${name} is ${found}, expected ${quote(expected)}`
  if ('contains' in expected)
    return `the header ${name} is ${found}, which does not contain ${quote(expected.contains)}`
  return `the header ${name} is ${found}, which does not match ${quote(expected.regex)}`
}

async function meets(
  value: string,
  expected: Exclude<HeaderExpectation, string>,
  attempt: Attempt,
): Promise<boolean> {
  if ('contains' in expected) return value.includes(expected.contains)
  return (await matchInSlices(compiledRegex(expected.regex), value, () => attempt.run.hasExpired)) === true
}
