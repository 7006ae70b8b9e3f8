// recovery/webhook/webhook.ts: calls a URL that restarts or repairs the target. A 2xx is an acceptance and every other
// answer a rejection, except a gateway's: as with a call that got no answer, the action may have run.
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import { OutboundHeaders } from '../../platform/network/outbound-headers.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  sendOutbound,
  shownOrigin,
} from '../../platform/network/outbound-http.ts'
import { closed, HttpUrl, type Infer, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { classifyResult, defineRecovery, type Intervention, isGatewayAnswer } from '../driver.ts'

const config = closed({
  url: HttpUrl,
  method: Type.Optional(oneOf(['POST', 'PUT', 'GET'], 'The method of the call.', { default: 'POST' })),
  headers: Type.Optional(OutboundHeaders),
  body: Type.Optional(
    Type.String({ maxLength: 65_536, description: 'Sent as it is instead of the JSON description.' }),
  ),
})

export const webhook = defineRecovery({
  summary: 'Calls a URL that restarts or repairs the target.',
  config,
  target: ({ url }) => shownOrigin(url),
  targetKey: ({ url }) => URL.parse(url)?.href ?? url,
  async recover(config, intervention, run) {
    const request = buildRequest(config, intervention)
    return classifyResult(await sendOutbound(run.network, request, run), classifyResponse)
  },
})

function buildRequest(
  { url, method = 'POST', headers, body }: Infer<typeof config>,
  intervention: Intervention,
): OutboundRequest {
  if (method === 'GET' && body === undefined) return { method, url, headers: headers ?? {}, body: null }
  const type = body === undefined ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
  return {
    method,
    url,
    headers: { 'content-type': type, ...headers },
    body: body ?? JSON.stringify(description(intervention)),
  }
}

function description({ monitorId, monitor, actionId, incidentId, seen, atMs, link }: Intervention): unknown {
  return {
    monitor_id: monitorId,
    monitor,
    action_id: actionId,
    incident_id: incidentId,
    summary: seen,
    at: new Date(atMs).toISOString(),
    link,
  }
}

function classifyResponse({ status }: OutboundAnswer): ActionOutcome {
  if (status >= 200 && status <= 299) return accepted()
  if (isGatewayAnswer(status))
    return unknown(`a gateway before the webhook answered ${status}: the action may have run`)
  const redirect = status >= 300 && status <= 399 ? ', and redirects are not followed' : ''
  return rejected(`the webhook answered ${status}${redirect}`)
}
