// checks/http/visit.ts: from a configuration to the answer that is judged: one hop, or several when redirects are
// followed. Each hop is a connection of its own, and nothing stays open when a hop is over.
import { type Attempt, Problem } from './attempt.ts'
import { DEFAULT_MAX_BODY_BYTES, type HttpConfig, MAX_REDIRECTS } from './config.ts'
import { openConnection } from './connection.ts'
import { type DirectQuestion, visitDirectly } from './direct-visit.ts'
import { exchange } from './exchange.ts'
import { firstHop, type Hop, isRedirect, nextHop } from './hop.ts'
import { exchangeHttp2 } from './http2.ts'
import { proxyOf } from './proxy.ts'
import { renderRequest, requestFields } from './request.ts'
import { type BodyWanted, headerValues, type Response } from './response.ts'
import { ResponseReader } from './response-reader.ts'
import { isExpectedStatus } from './status.ts'

const NEVER: BodyWanted = () => false

export function visit(config: HttpConfig, attempt: Attempt): Promise<Response | Problem> {
  const proxy = proxyOf(config)
  if (proxy instanceof Problem) return Promise.resolve(proxy)
  const hop = firstHop(config)
  const follow = config.redirects?.follow === true
  return follow ? followRedirects(config, hop, proxy, attempt) : answerOf(config, hop, proxy, attempt)
}

async function followRedirects(
  config: HttpConfig,
  hop: Hop,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response | Problem> {
  const max = config.redirects?.max ?? MAX_REDIRECTS
  for (let followed = 0; ; followed++) {
    const response = await answerOf(config, hop, proxy, attempt)
    if (response instanceof Problem || !isRedirect(response.status)) return response
    const location = headerValues(response.headers, 'location')[0]
    // A redirect that leads nowhere is an answer like any other.
    if (location === undefined) return response
    if (followed === max) {
      return new Problem(max === 1 ? 'more than 1 redirect in a row' : `more than ${max} redirects in a row`)
    }
    const next = nextHop(config, hop, response.status, location)
    if (next instanceof Problem) return next
    hop = next
  }
}

function answerOf(
  config: HttpConfig,
  hop: Hop,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response | Problem> {
  const isPlain = hop.url.protocol === 'http:'
  const bodyWanted = bodyWantedBy(config)
  const maxBodyBytes = config.max_body_bytes ?? DEFAULT_MAX_BODY_BYTES
  if (config.http_version === '2') return answerOfHttp2(config, hop, proxy, attempt)
  // For https the proxy is but a tunnel and must not see the request.
  const request = renderRequest(config, hop, isPlain ? proxy : null)
  if (request instanceof Problem) return Promise.resolve(request)
  const question = { config, hop, request, bodyWanted, maxBodyBytes }
  return isPlain && proxy === null ? visitDirectly(question, attempt) : visitLayered(question, proxy, attempt)
}

/** Through a proxy, with TLS, or both. */
async function visitLayered(
  { config, hop, request, bodyWanted, maxBodyBytes }: DirectQuestion,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response | Problem> {
  const socket = await openConnection(config, hop, proxy, attempt)
  if (socket instanceof Problem) return socket
  const reader = new ResponseReader(hop.method, bodyWanted, maxBodyBytes)
  attempt.awaits('no response', 'connected, request sent')
  const problem = await exchange(socket, request, reader, attempt)
  socket.destroy()
  return problem ?? reader
}

async function answerOfHttp2(
  config: HttpConfig,
  hop: Hop,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Response | Problem> {
  const fields = requestFields(config, hop)
  if (fields instanceof Problem) return fields
  const socket = await openConnection(config, hop, proxy, attempt)
  if (socket instanceof Problem) return socket
  const maxBodyBytes = config.max_body_bytes ?? DEFAULT_MAX_BODY_BYTES
  const response = await exchangeHttp2(socket, hop, fields, bodyWantedBy(config), maxBodyBytes, attempt)
  socket.destroy()
  return response
}

/** The body decides only when it is asked about and the status has not decided already. */
function bodyWantedBy(config: HttpConfig): BodyWanted {
  if (config.expect?.body === undefined) return NEVER
  const follow = config.redirects?.follow === true
  return (status, headers) => {
    if (follow && isRedirect(status) && headerValues(headers, 'location').length > 0) return false
    return isExpectedStatus(config.expect?.status, status)
  }
}
