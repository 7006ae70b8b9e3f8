// api/session/session-gate.ts: whose session a request belongs to, and whether the page that sent it is one of the service.
// Browsers attach cookies by themselves, also for pages of other ports of the same host, so a cookie alone permits reading
// v1 and nothing else: v2 asks for the CSRF token, and writes for an origin of ours.
import type { IncomingMessage } from 'node:http'
import { csrfHeader } from '@pulseward/contract'
import type { Principals } from '../../access/principals.ts'
import {
  isCsrfOf,
  mayOpenSession,
  type OpenedSession,
  type Session,
  type Sessions,
} from '../../access/sessions.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TrustedProxies } from '../client-address.ts'
import { isEncrypted, isSecure, transportFault } from '../v2/secure-transport.ts'
import { sessionIdIn } from './session-cookie.ts'

export interface SessionGateOptions {
  readonly sessions: Sessions
  readonly principals: Principals
  readonly clock: Clock
  readonly proxies: TrustedProxies
  readonly publicUrl: string | null
}

export class SessionGate {
  readonly sessions: Sessions
  readonly #principals: Principals
  readonly #clock: Clock
  readonly #proxies: TrustedProxies
  readonly #publicOrigin: string | null

  constructor({ sessions, principals, clock, proxies, publicUrl }: SessionGateOptions) {
    this.sessions = sessions
    this.#principals = principals
    this.#clock = clock
    this.#proxies = proxies
    this.#publicOrigin = publicUrl === null ? null : (URL.parse(publicUrl)?.origin ?? null)
  }

  /** A new session for who has this token; the one that the browser had until now ends. Or why there is none. */
  signIn(token: string, before: string | null): OpenedSession | 'unknown' | 'expired' | 'worker' {
    const principal = this.#principals.principalOf(token, this.#clock.wallMs())
    if (principal === null) return 'unknown'
    if (principal === 'expired') return 'expired'
    if (!mayOpenSession(principal)) return 'worker'
    if (before !== null) this.sessions.end(before)
    return this.sessions.open(principal)
  }

  /** Null where somebody could have listened: then the id is not the browser's alone. */
  sessionOf(request: IncomingMessage): Session | null {
    const id = sessionIdIn(request)
    return id === null || !isSecure(request, this.#proxies) ? null : this.sessions.find(id)
  }

  carriesCsrf({ headers }: IncomingMessage, session: Session): boolean {
    const presented = headers[csrfHeader.toLowerCase()]
    return typeof presented === 'string' && isCsrfOf(session, presented)
  }

  /** Why a token must not be sent this way; null where it may. */
  transportFault(request: IncomingMessage): string | null {
    return transportFault(request, this.#proxies)
  }

  isEncrypted(request: IncomingMessage): boolean {
    return isEncrypted(request, this.#proxies)
  }

  /** Of a page under the name and the scheme by which this request came, or under the public ones. */
  isOwnOrigin(request: IncomingMessage): boolean {
    const { origin, host } = request.headers
    if (origin === undefined || host === undefined) return false
    if (origin === this.#publicOrigin) return true
    const scheme = this.isEncrypted(request) ? 'https' : 'http'
    return URL.parse(`${scheme}://${host}`)?.origin === origin
  }
}
