// checks/http/hop.ts: one request of a check: the first, or one that a redirect asks for. What the configuration
// gives (headers, authentication, body, client certificate, server name) goes to the configured origin alone.
import { isIP } from 'node:net'
import { Problem } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { displayUrl, quote } from './wording.ts'

export interface Hop {
  readonly url: URL
  readonly method: string
  readonly body: string | undefined
  /** Whether this is the origin that the configuration names. */
  readonly configuredOrigin: boolean
}

export function firstHop(config: HttpConfig): Hop {
  return {
    url: new URL(config.url),
    method: config.method ?? (config.body === undefined ? 'GET' : 'POST'),
    body: config.body,
    configuredOrigin: true,
  }
}

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

/** Where a redirect leads, or why it is not followed there. */
export function nextHop(config: HttpConfig, hop: Hop, status: number, location: string): Hop | Problem {
  // A relative reference keeps the user info of its base; the base here must bring none.
  const base = new URL(hop.url)
  base.username = ''
  base.password = ''
  const url = URL.parse(location, base)
  if (url === null)
    return new Problem(`the redirect leads to an address that cannot be read: ${quote(location)}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return new Problem(`the redirect leads to ${quote(url.protocol)}, which is neither http nor https`)
  }
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    return new Problem(`the redirect leaves https for ${displayUrl(url)}`)
  }
  const configuredOrigin = url.origin === new URL(config.url).origin
  // Browsers and other clients turn these into a GET; 307 and 308 exist because they do.
  const becomesGet = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST')
  const method = becomesGet ? 'GET' : hop.method
  const body = becomesGet ? undefined : hop.body
  if (body !== undefined && !configuredOrigin) {
    return new Problem(`the redirect would hand the request body to ${displayUrl(url)}`)
  }
  return { url, method, body, configuredOrigin }
}

export function hostOf(url: URL): string {
  const { hostname } = url
  return hostname.charCodeAt(0) === 91 ? hostname.slice(1, -1) : hostname
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

export function isAddress(host: string): boolean {
  return isIP(host) !== 0
}
