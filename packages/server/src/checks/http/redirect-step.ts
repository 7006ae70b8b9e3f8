// checks/http/redirect-step.ts: one request of a check: the first, or one that a redirect asks for. What the
// configuration provides (headers, authentication, body, client certificate, server name) goes only to the
// configured origin.
import { isIP } from 'node:net'
import { CheckFailure } from '../driver.ts'
import type { HttpConfig } from './config.ts'
import { displayUrl, quote } from './wording.ts'

export interface RedirectStep {
  readonly url: URL
  readonly method: string
  readonly body: string | undefined
  /** Whether this is the origin that the configuration names. */
  readonly configuredOrigin: boolean
}

export function firstStep(config: HttpConfig): RedirectStep {
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

/** Where a redirect leads. Throws CheckFailure if it is not followed. */
export function nextStep(
  config: HttpConfig,
  step: RedirectStep,
  status: number,
  location: string,
): RedirectStep {
  // A relative reference inherits the user info of its base, so the base must not have any.
  const base = new URL(step.url)
  base.username = ''
  base.password = ''
  const url = URL.parse(location, base)
  if (url === null)
    throw new CheckFailure(`the redirect leads to an address that cannot be read: ${quote(location)}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new CheckFailure(`the redirect leads to ${quote(url.protocol)}, which is neither http nor https`)
  }
  if (step.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new CheckFailure(`the redirect leaves https for ${displayUrl(url)}`)
  }
  const configuredOrigin = url.origin === new URL(config.url).origin
  // Browsers and other clients turn these into a GET, which is why 307 and 308 exist.
  const becomesGet = (status === 303 && step.method !== 'HEAD') || (status < 303 && step.method === 'POST')
  const method = becomesGet ? 'GET' : step.method
  const body = becomesGet ? undefined : step.body
  if (body !== undefined && !configuredOrigin) {
    throw new CheckFailure(`the redirect would hand the request body to ${displayUrl(url)}`)
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
