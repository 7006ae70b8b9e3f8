// import/gatus/http-endpoint.ts: Gatus endpoints that are requested over HTTP.
import { httpRequest } from '../http-check.ts'
import { stated } from '../monitor-parts.ts'
import {
  BodyExpectation,
  certificateDays,
  latencyLimit,
  notExpressible,
  StatusExpectation,
  takeConditions,
} from './conditions.ts'
import {
  anyCertificate,
  type EndpointCheck,
  type EndpointSource,
  latencyWarning,
  tlsOptions,
} from './endpoint-source.ts'

export function httpCheck(source: EndpointSource): EndpointCheck {
  const { fields, client, url, owner, secrets } = source
  const status = new StatusExpectation()
  const body = new BodyExpectation(fields)
  let limitMs: number | null = null
  let days: number | null = null
  takeConditions(source.conditions, source, (condition) => {
    if (condition.subject === '[STATUS]') return status.take(condition)
    if (condition.subject.startsWith('[BODY]')) return body.take(condition)
    const ms = latencyLimit(condition)
    if (ms !== null) limitMs = Math.min(ms, limitMs ?? ms)
    const wanted = certificateDays(condition)
    if (wanted !== null) days = Math.max(wanted, days ?? 0)
    return ms === null && wanted === null ? notExpressible : null
  })
  const proxy = client.text('proxy-url')
  const config = {
    ...httpRequest({ url, method: fields.text('method'), ...content(source) }, owner, fields, secrets),
    expect: { status: status.written(), ...body.written() },
    ...stated({
      max_latency: latencyWarning(limitMs, fields),
      redirects: client.flag('ignore-redirect') ? undefined : { follow: true },
      tls: tlsOptions(client, owner, secrets),
      proxy: proxy === undefined ? undefined : secrets.url(`${owner} proxy`, proxy),
    }),
  }
  return { type: 'http', config, certificate: certificate(source, days) }
}

function content({ fields }: EndpointSource): { headers: Record<string, string>; body: string | undefined } {
  const headers = fields.textMap('headers')
  const body = fields.text('body')
  if (/\[(ENDPOINT_\w+|LOCAL_ADDRESS|RANDOM_STRING_\w+)\]/.test(body ?? ''))
    fields.note('body', 'has placeholders, which are sent as they stand')
  if (!fields.flag('graphql') || body === undefined) return { headers, body }
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return {
    headers: hasType ? headers : { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: body }),
  }
}

function certificate(
  { url, fields, client, secrets }: EndpointSource,
  days: number | null,
): EndpointCheck['certificate'] {
  if (days === null) return undefined
  const target = secrets.plain(url) === null ? null : URL.parse(url)
  if (target?.protocol !== 'https:') {
    fields.note(
      'conditions',
      'the one on [CERTIFICATE_EXPIRATION] is not carried over: the URL is not an open https one',
    )
    return undefined
  }
  fields.note('conditions', 'the one on [CERTIFICATE_EXPIRATION] is carried over as a monitor of its own')
  return {
    host: target.hostname.replace(/^\[|\]$/g, ''),
    port: Number(target.port || 443),
    critical_days: days,
    ...stated({ verify: anyCertificate(client) }),
  }
}
