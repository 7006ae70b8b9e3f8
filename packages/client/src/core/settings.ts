// core/settings.ts: where the service is and how to reach it. Refuses, before anything is sent, what could
// reveal the token: plain HTTP without the explicit flag, and addresses that contain credentials.
import { defaultMaxResponseBytes, defaultTimeoutMs } from '../generated/figures.ts'
import { fetchFromAny } from './any-server.ts'
import { InvalidInputError } from './errors.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<globalThis.Response>

export interface ClientOptions {
  /**
   * The address of the service, with or without a path before `/api`. Of a service with several processes, all their
   * addresses: the one that is active is used.
   */
  readonly baseUrl: string | URL | readonly (string | URL)[]
  /** Sent as a bearer token, only to these addresses. */
  readonly token?: string
  /** Allows sending the token over plain HTTP. */
  readonly allowInsecureHttp?: boolean
  /** For a whole exchange; defaults to 10 seconds. */
  readonly timeoutMs?: number
  /** The limit for the decoded bytes of an answer; defaults to 64 MiB. */
  readonly maxResponseBytes?: number
  readonly fetch?: Fetch
}

export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly token: string | null
  readonly timeoutMs: number
  readonly maxResponseBytes: number
  readonly fetch: Fetch
}

export function settingsFrom(options: ClientOptions): Settings {
  const given = options.baseUrl
  const urls = (Array.isArray(given) ? given : [given]).map(urlFrom)
  if (urls.length === 0) throw refusal('baseUrl must have an address')
  const token = options.token ?? null
  if (token !== null) {
    // Checked here because the platform would repeat a bad header value in its own error.
    if (!/^[\x21-\x7e]+$/.test(token)) throw refusal('the token must be visible ASCII without spaces')
    if (urls.some(({ protocol }) => protocol !== 'https:') && options.allowInsecureHttp !== true) {
      throw refusal('a token needs https; allowInsecureHttp permits plain HTTP')
    }
  }
  const bases = urls.map(({ href }) => href.replace(/\/+$/, ''))
  // Wrapped, because browsers refuse a fetch that is called as a method of another object.
  const fetch: Fetch = options.fetch ?? ((address, init) => globalThis.fetch(address, init))
  return {
    baseUrl: bases[0]!,
    token,
    timeoutMs: positive('createClient', 'timeoutMs', options.timeoutMs ?? defaultTimeoutMs),
    maxResponseBytes: positive(
      'createClient',
      'maxResponseBytes',
      options.maxResponseBytes ?? defaultMaxResponseBytes,
    ),
    fetch: bases.length === 1 ? fetch : fetchFromAny(bases, fetch),
  }
}

function urlFrom(address: string | URL): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw refusal('baseUrl must be an http or https URL')
  if (url.username !== '' || url.password !== '') throw refusal('baseUrl must not contain credentials')
  if (url.search !== '' || url.hash !== '') throw refusal('baseUrl must not contain a query or a fragment')
  return url
}

/** Timers of the platform take at most 31 bits. */
export const mostMs = 2_147_483_647

export function positive(operation: string, name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= mostMs) return value
  throw new InvalidInputError(`${operation}: ${name} must be a whole number from 1 to ${mostMs}`, {
    operation,
  })
}

function refusal(message: string): InvalidInputError {
  return new InvalidInputError(`createClient: ${message}`, { operation: 'createClient' })
}
