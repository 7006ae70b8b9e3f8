// checks/http/classify-response.ts: compares a response with the expectations of the configuration, cheapest
// first: status, headers, body. The first expectation that is not met is the reason.
import { matchInSlices } from '../../platform/linear-regex/match-in-slices.ts'
import type { Attempt } from './attempt.ts'
import { judgeBody } from './body-assertions.ts'
import type { HttpConfig } from './config.ts'
import type { Expectation } from './expectation.ts'
import { Findings } from './findings.ts'
import { isRedirect } from './redirect-step.ts'
import { compiledRegex } from './regex-cache.ts'
import { headerValues, type Response } from './response.ts'
import { expectedInWords, isExpectedStatus, statusProblem } from './status.ts'
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
  const findings = new Findings(config, attempt)
  const { status, headers = {}, body } = config.expect ?? {}
  const isRight = isExpectedStatus(status, response.status)
  findings.add(isRight ? null : statusInWords(config, response), () => ({
    name: 'status',
    seen: String(response.status),
    expected: expectedInWords(status),
  }))
  if (findings.isDecided) return findings.problem
  attempt.awaits('no verdict', 'the response has arrived; an expectation took too long to judge')
  for (const [name, expected] of Object.entries(headers)) {
    const values = headerValues(response.headers, name.toLowerCase())
    findings.add(await headerProblem(values, name, expected, attempt), () => ({
      name: `header ${name}`,
      seen: values.length === 0 ? 'missing' : quote(values.join(', ')),
      expected: headerInWords(expected),
    }))
    if (findings.isDecided) return findings.problem
  }
  // With a wrong status the body was not read.
  if (body !== undefined && isRight) await judgeBody(config, body, response, attempt, findings)
  return findings.problem
}

function statusInWords(config: HttpConfig, response: Response): string | null {
  const problem = statusProblem(config.expect?.status, response.status)
  const isUnfollowed = isRedirect(response.status) && config.redirects?.follow !== true
  return isUnfollowed ? `${problem} (redirects are not followed)` : problem
}

function headerInWords(expected: HeaderExpectation): string {
  if (typeof expected === 'string') return quote(expected)
  return 'contains' in expected ? `contains ${quote(expected.contains)}` : `matches ${quote(expected.regex)}`
}

async function headerProblem(
  values: readonly string[],
  name: string,
  expected: HeaderExpectation,
  attempt: Attempt,
): Promise<string | null> {
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
