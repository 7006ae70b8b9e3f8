// checks/http.ts: asks a URL and judges the answer. Plain HTTP/1.1 is read by our own small reader straight from the
// socket; https is the same over TLS; HTTP/2 is Node's. It never throws for what a target or the network does,
// ends at its deadline, and leaves no connection behind.
import { parseDuration } from '../platform/duration.ts'
import { defineCheck } from './driver.ts'
import { Attempt, Problem } from './http/attempt.ts'
import { httpConfig } from './http/config.ts'
import { isPlainlyGood, judge } from './http/judge.ts'
import { withoutSecrets } from './http/secrets.ts'
import { visit } from './http/visit.ts'
import { displayUrl } from './http/wording.ts'

export const http = defineCheck({
  summary: 'Sends an HTTP request and judges status, headers, body, certificate and latency of the answer.',
  config: httpConfig,
  target: (config) => displayUrl(new URL(config.url)),
  async check(config, run) {
    const attempt = new Attempt(run)
    const answer = await visit(config, attempt)
    attempt.answered()
    let problem: Problem | null = null
    if (answer instanceof Problem) problem = answer
    else if (!isPlainlyGood(config, answer)) problem = await judge(config, answer, attempt)
    const maxLatencyMs = config.max_latency === undefined ? null : parseDuration(config.max_latency)
    return attempt.outcome(problem && withoutSecrets(problem, config), maxLatencyMs)
  },
})
