// notify/driver/http.ts: a notifier whose provider takes one HTTP request. Such a driver says which request
// (buildRequest, pure) and, where the status alone does not decide, what the provider means by its answer (judge,
// pure). Sending, the general rules for answers and the provider's wait are here, the same for all of them.
import type { Static, TObject } from 'typebox'
import {
  type OutboundAnswer,
  type OutboundRequest,
  type OutboundResult,
  sendOutbound,
} from '../../platform/network/outbound-http.ts'
import {
  delivered,
  gone,
  type Notification,
  type Notifier,
  rejected,
  retry,
  unknown,
  type Verdict,
} from '../driver.ts'
import { waitAskedFor } from './retry-after.ts'

export interface HttpNotifierDefinition<Schema extends TObject> extends Omit<Notifier<Schema>, 'notify'> {
  buildRequest(config: Static<Schema>, notification: Notification): OutboundRequest
  /** What this provider means; null leaves the answer to the general rules. Reasons quote nothing of the answer. */
  judge?(answer: OutboundAnswer): Verdict | null
}

export interface HttpNotifier<Schema extends TObject = TObject> extends Notifier<Schema> {
  buildRequest(config: Static<Schema>, notification: Notification): OutboundRequest
}

export function defineHttpNotifier<Schema extends TObject>(
  definition: HttpNotifierDefinition<Schema>,
): HttpNotifier<Schema> {
  return {
    ...definition,
    async notify(config, notification, run) {
      const request = definition.buildRequest(config, notification)
      return judgeResult(await sendOutbound(run.network, request, run), definition)
    },
  }
}

export function jsonPost(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): OutboundRequest {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return { method: 'POST', url, headers: { ...type, ...headers }, body: JSON.stringify(body) }
}

function judgeResult(
  result: OutboundResult,
  definition: { judge?(answer: OutboundAnswer): Verdict | null },
): Verdict {
  switch (result.kind) {
    case 'not-sent':
      return result.isRetryable ? retry(result.reason) : rejected(result.reason)
    case 'no-answer':
      return unknown(result.reason)
    case 'answered':
      return definition.judge?.(result) ?? judgeStatus(result)
  }
}

/** Rejections that time may heal, besides every 5xx. */
const PASSING = new Set([408, 425, 429])

/** The rules that hold where a provider documents no others. */
export function judgeStatus(answer: OutboundAnswer): Verdict {
  const { status } = answer
  if (status >= 200 && status <= 299) return delivered()
  if (PASSING.has(status) || status >= 500) {
    return retry(`the provider answered ${status}`, waitAskedFor(answer, Date.now()))
  }
  if (status === 410) return gone('the provider answered 410: the destination is gone')
  if (status >= 300 && status <= 399) {
    return rejected(`the provider answered ${status}, and redirects are not followed`)
  }
  return rejected(`the provider answered ${status}`)
}
