// checks/http/http.ts: asks a URL and judges the answer. Plain HTTP/1.1 is read by our own small reader straight from the
// socket; https is the same over TLS; HTTP/2 is Node's. It never throws for what a target or the network does,
// ends at its deadline, and leaves no connection behind.
import { parseDuration } from '../../platform/duration.ts'
import { defineCheck, type Outcome } from '../driver.ts'
import { Attempt, Problem } from './attempt.ts'
import { type HttpConfig, httpConfig } from './config.ts'
import { isPlainlyGood, judge } from './judge.ts'
import type { Response } from './response.ts'
import { withoutSecrets } from './secrets.ts'
import { visit } from './visit.ts'
import { displayUrl } from './wording.ts'

export const http = defineCheck({
  summary: 'Sends an HTTP request and judges status, headers, body, certificate and latency of the answer.',
  config: httpConfig,
  target: (config) => displayUrl(new URL(config.url)),
  check(config, run) {
    const attempt = new Attempt(run)
    return visit(config, attempt).then((answer) => conclude(config, answer, attempt))
  },
})

function conclude(
  config: HttpConfig,
  answer: Response | Problem,
  attempt: Attempt,
): Outcome | Promise<Outcome> {
  attempt.answered()
  const maxLatencyMs = config.max_latency === undefined ? null : parseDuration(config.max_latency)
  const outcome = (problem: Problem | null) =>
    attempt.outcome(problem && withoutSecrets(problem, config), maxLatencyMs)
  if (answer instanceof Problem) return outcome(answer)
  return isPlainlyGood(config, answer) ? outcome(null) : judge(config, answer, attempt).then(outcome)
}
