// notify/driver/http.ts: for notifiers whose provider takes one HTTP request. Such a driver supplies the request
// (buildRequest, pure) and, where the status alone does not decide, what the provider means by its answer
// (classifyResponse, pure). Sending, the general rules for answers and the provider's wait are here, the same for all.
// A driver that needs a second request implements converse; it never sends the same message to the same place twice.
import type { Static, TObject } from 'typebox'
import {
  type ActionOutcome,
  accepted,
  gone,
  rejected,
  retry,
  unknown,
} from '../../platform/action-outcome.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  type OutboundResult,
  sendOutbound,
} from '../../platform/network/outbound-http.ts'
import type { Notification, Notifier } from '../driver.ts'
import { waitAskedFor } from './retry-after.ts'

export interface HttpNotifierDefinition<Schema extends TObject> extends Omit<Notifier<Schema>, 'notify'> {
  buildRequest(config: Static<Schema>, notification: Notification): OutboundRequest
  /** What this provider means; null applies the general rules. Reasons quote nothing of the answer. */
  classifyResponse?(answer: OutboundAnswer): ActionOutcome | null
  /** For more than one request. By default the one of buildRequest is sent, and its outcome is returned. */
  converse?(config: Static<Schema>, notification: Notification, send: Send): Promise<ActionOutcome>
}

/** Sends one request and classifies its result; the answer is null if there was none. */
export type Send = (
  request: OutboundRequest,
) => Promise<{ outcome: ActionOutcome; answer: OutboundAnswer | null }>

export interface HttpNotifier<Schema extends TObject = TObject> extends Notifier<Schema> {
  buildRequest(config: Static<Schema>, notification: Notification): OutboundRequest
  classifyResponse(answer: OutboundAnswer): ActionOutcome
}

export function defineHttpNotifier<Schema extends TObject>(
  definition: HttpNotifierDefinition<Schema>,
): HttpNotifier<Schema> {
  const classifyResponse = (answer: OutboundAnswer): ActionOutcome =>
    definition.classifyResponse?.(answer) ?? classifyStatus(answer)
  return {
    ...definition,
    classifyResponse,
    async notify(config, notification, run) {
      const send: Send = async (request) => {
        const result = await sendOutbound(run.network, request, run)
        return {
          outcome: classifyResult(result, classifyResponse),
          answer: result.kind === 'answered' ? result : null,
        }
      }
      if (definition.converse !== undefined) return await definition.converse(config, notification, send)
      return (await send(definition.buildRequest(config, notification))).outcome
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

export function formPost(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): OutboundRequest {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return {
    method: 'POST',
    url,
    headers: { ...type, ...headers },
    body: new URLSearchParams(fields).toString(),
  }
}

function classifyResult(
  result: OutboundResult,
  classifyResponse: (answer: OutboundAnswer) => ActionOutcome,
): ActionOutcome {
  switch (result.kind) {
    case 'not-sent':
      return result.isRetryable ? retry(result.reason) : rejected(result.reason)
    case 'no-answer':
      return unknown(result.reason)
    case 'answered':
      return classifyResponse(result)
  }
}

/**
 * For a provider that confirms in its body what it took: proxies and guest networks answer 2xx too, but without the
 * confirmation. Null for every other status.
 */
export function classifyConfirmed(
  answer: OutboundAnswer,
  isConfirmed: boolean,
  provider: string,
): ActionOutcome | null {
  const { status, isWhole } = answer
  if (status < 200 || status > 299) return null
  if (isConfirmed) return accepted()
  return isWhole
    ? rejected(`an answer ${status} came without the confirmation of ${provider}`)
    : unknown(`the answer ${status} of ${provider} broke off`)
}

/** The general rules, for a provider that expects a wait even if it does not say how long. */
export function classifyStatusWaiting(answer: OutboundAnswer, retryAfterMs: number): ActionOutcome {
  const outcome = classifyStatus(answer)
  return outcome.kind === 'retry' && outcome.retryAfterMs === null ? { ...outcome, retryAfterMs } : outcome
}

/** Rejections that may pass, besides every 5xx. */
const TEMPORARY = new Set([408, 425, 429])

/** The rules for a provider that documents no others. */
export function classifyStatus(answer: OutboundAnswer): ActionOutcome {
  const { status } = answer
  if (status >= 200 && status <= 299) return accepted()
  if (TEMPORARY.has(status) || status >= 500) {
    return retry(`the provider answered ${status}`, waitAskedFor(answer, Date.now()))
  }
  if (status === 410) return gone('the provider answered 410: the destination is gone')
  if (status >= 300 && status <= 399) {
    return rejected(`the provider answered ${status}, and redirects are not followed`)
  }
  return rejected(`the provider answered ${status}`)
}
