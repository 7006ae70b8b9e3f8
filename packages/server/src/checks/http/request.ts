// checks/http/request.ts: gets the response to classify for a configuration, in one step, or in several if
// redirects are followed. Each step uses a separate connection, and nothing stays open when a step is over.
import { discard } from '../../platform/network/discard.ts'
import { CheckFailure, fact } from '../driver.ts'
import type { Attempt } from './attempt.ts'
import { DEFAULT_MAX_BODY_BYTES, type HttpConfig, MAX_REDIRECTS } from './config.ts'
import { openConnection } from './connection.ts'
import { type RenderedRequest, requestDirectly } from './direct-request.ts'
import { exchange } from './exchange.ts'
import { exchangeHttp2 } from './http2.ts'
import { proxyOf } from './proxy.ts'
import { firstStep, isRedirect, nextStep, type RedirectStep } from './redirect-step.ts'
import { renderRequest, requestFields } from './render-request.ts'
import { type BodyWanted, headerValues, type Response } from './response.ts'
import { ResponseReader } from './response-reader.ts'
import { isExpectedStatus } from './status.ts'
import { displayUrl } from './wording.ts'

const NEVER: BodyWanted = () => false

/**
 * Rejects with CheckFailure, ConnectError or UnusableConfig. Not async: most checks need only one promise
 * from here to their response.
 */
export function request(config: HttpConfig, attempt: Attempt): Promise<Response> {
  try {
    const proxy = proxyOf(config)
    const step = firstStep(config)
    const follow = config.redirects?.follow === true
    return follow ? followRedirects(config, step, proxy, attempt) : responseTo(config, step, proxy, attempt)
  } catch (error) {
    return Promise.reject(error)
  }
}

async function followRedirects(
  config: HttpConfig,
  step: RedirectStep,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response> {
  const max = config.redirects?.max ?? MAX_REDIRECTS
  for (let followed = 0; ; followed++) {
    const response = await responseTo(config, step, proxy, attempt)
    if (!isRedirect(response.status)) return response
    const location = headerValues(response.headers, 'location')[0]
    // A redirect without a location is a response like any other.
    if (location === undefined) return response
    if (followed === max)
      throw new CheckFailure(
        max === 1 ? 'more than 1 redirect in a row' : `more than ${max} redirects in a row`,
      )
    step = nextStep(config, step, response.status, location)
    attempt.run.observe?.(fact('redirect', `${response.status} to ${displayUrl(step.url)}`))
  }
}

function responseTo(
  config: HttpConfig,
  step: RedirectStep,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response> {
  if (config.http_version === '2') return requestByHttp2(config, step, proxy, attempt)
  const isPlain = step.url.protocol === 'http:'
  const rendered = {
    config,
    step,
    // For https the proxy is only a tunnel and must not see the request.
    text: renderRequest(config, step, isPlain ? proxy : null),
    bodyWanted: bodyWantedBy(config),
    maxBodyBytes: config.max_body_bytes ?? DEFAULT_MAX_BODY_BYTES,
  }
  return isPlain && proxy === null
    ? requestDirectly(rendered, attempt)
    : requestLayered(rendered, proxy, attempt)
}

/** Through a proxy, with TLS, or both. */
async function requestLayered(
  { config, step, text, bodyWanted, maxBodyBytes }: RenderedRequest,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response> {
  const socket = await openConnection(config, step, proxy, attempt)
  try {
    const reader = new ResponseReader(step.method, bodyWanted, maxBodyBytes)
    attempt.awaits('no response', 'connected, request sent')
    await exchange(socket, text, reader, attempt)
    return reader
  } finally {
    discard(socket)
  }
}

async function requestByHttp2(
  config: HttpConfig,
  step: RedirectStep,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response> {
  const fields = requestFields(config, step)
  const socket = await openConnection(config, step, proxy, attempt)
  try {
    const maxBodyBytes = config.max_body_bytes ?? DEFAULT_MAX_BODY_BYTES
    return await exchangeHttp2(socket, step, fields, bodyWantedBy(config), maxBodyBytes, attempt)
  } finally {
    socket.destroy()
  }
}

/** The body is needed only if there is an expectation about it and the status has not decided already. */
function bodyWantedBy(config: HttpConfig): BodyWanted {
  if (config.expect?.body === undefined) return NEVER
  const follow = config.redirects?.follow === true
  return (status, headers) => {
    if (follow && isRedirect(status) && headerValues(headers, 'location').length > 0) return false
    return isExpectedStatus(config.expect?.status, status)
  }
}
