// checks/http/http.ts: sends a request to a URL and classifies the response. Plain HTTP/1.1 is read by our
// own small reader straight from the socket; https is the same over TLS; HTTP/2 is Node's. It ends at its
// deadline and leaves no connection behind.
import { parseDuration } from '../../platform/duration.ts'
import { ConnectError } from '../../platform/network/network.ts'
import { CheckFailure, defineCheck, isUnusableConfig, noData, type Outcome } from '../driver.ts'
import { Attempt } from './attempt.ts'
import { classifyResponse, isPlainlyGood } from './classify-response.ts'
import { type HttpConfig, httpConfig } from './config.ts'
import { request } from './request.ts'
import type { Response } from './response.ts'
import { withoutSecrets } from './secrets.ts'
import { displayUrl } from './wording.ts'

export const http = defineCheck({
  summary: 'Sends an HTTP request and checks status, headers, body, certificate and latency of the response.',
  config: httpConfig,
  target: (config) => displayUrl(new URL(config.url)),
  check(config, run) {
    const attempt = new Attempt(run)
    return request(config, attempt).then(
      (response) => outcomeOfResponse(response, config, attempt),
      (error: unknown) => outcomeOfError(error, config, attempt),
    )
  },
})

function outcomeOfResponse(
  response: Response,
  config: HttpConfig,
  attempt: Attempt,
): Outcome | Promise<Outcome> {
  attempt.answered()
  const maxLatencyMs = config.max_latency === undefined ? null : parseDuration(config.max_latency)
  if (attempt.run.observe === undefined && isPlainlyGood(config, response))
    return attempt.success(maxLatencyMs)
  return classifyResponse(config, response, attempt).then((reason) =>
    reason === null ? attempt.success(maxLatencyMs) : attempt.failure(withoutSecrets(reason, config)),
  )
}

/**
 * After the deadline the attempt words the outcome, because it knows how far the check got. Never contains a
 * secret that was sent.
 */
function outcomeOfError(error: unknown, config: HttpConfig, attempt: Attempt): Outcome {
  if (isUnusableConfig(error)) return noData(attempt.run.elapsedMs(), withoutSecrets(error.message, config))
  if (!(error instanceof CheckFailure || error instanceof ConnectError)) throw error
  return attempt.failure(withoutSecrets(error.message, config), error.evidence)
}
