// api/session/session-gate.ts: which session a request belongs to, and whether a page of this service sent
// it. Browsers attach cookies automatically, also for pages on other ports of the same host, so a cookie
// alone permits only reading v1: v2 requires the CSRF token, and writes require one of our origins.
import { existsSync } from 'node:fs'
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
import type { SignInLinks } from '../../access/sign-in-links.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TrustedProxies } from '../client-address.ts'
import { isEncrypted, isFromThisMachine, isSecure, transportFault } from '../v2/secure-transport.ts'
import { sessionIdIn } from './session-cookie.ts'

export interface SessionGateOptions {
  readonly links: SignInLinks
  /** Where the token of the first operator is, if it is there. */
  readonly operatorTokenFile: string
  readonly sessions: Sessions
  readonly principals: Principals
  readonly clock: Clock
  readonly proxies: TrustedProxies
  readonly publicUrl: string | null
}

export class SessionGate {
  readonly sessions: Sessions
  readonly #links: SignInLinks
  readonly #operatorTokenFile: string
  readonly #principals: Principals
  readonly #clock: Clock
  readonly #proxies: TrustedProxies
  readonly #publicOrigin: string | null

  constructor(options: SessionGateOptions) {
    const { sessions, principals, clock, proxies, publicUrl } = options
    this.sessions = sessions
    this.#links = options.links
    this.#operatorTokenFile = options.operatorTokenFile
    this.#principals = principals
    this.#clock = clock
    this.#proxies = proxies
    this.#publicOrigin = publicUrl === null ? null : (URL.parse(publicUrl)?.origin ?? null)
  }

  /** Opens a session for the owner of this token and ends the browser's previous one; or says why not. */
  signIn(token: string, before: string | null): OpenedSession | 'unknown' | 'expired' | 'program' {
    const principal = this.#principals.principalOf(token, this.#clock.wallMs())
    if (principal === null) return 'unknown'
    if (principal === 'expired') return 'expired'
    if (!mayOpenSession(principal)) return 'program'
    return this.#open(principal, before)
  }

  /** The same for a one-time link, which this uses up. */
  signInByLink(secret: string, before: string | null): OpenedSession | 'no link' {
    const principal = this.#links.redeem(secret)
    return principal !== null && mayOpenSession(principal) ? this.#open(principal, before) : 'no link'
  }

  #open(principal: Session['principal'], before: string | null): OpenedSession {
    // It has ended here; that the store knows is not waited for.
    if (before !== null) void this.sessions.end(before).catch(() => undefined)
    return this.sessions.open(principal)
  }

  /** Where the token of the first operator is; null for a request from elsewhere, and if it is not there. */
  operatorTokenFileFor(request: IncomingMessage): string | null {
    return isFromThisMachine(request) && existsSync(this.#operatorTokenFile) ? this.#operatorTokenFile : null
  }

  /** Null if the transport was not private: another party may then know the session id. */
  sessionOf(request: IncomingMessage): Session | null {
    const id = sessionIdIn(request)
    return id === null || !isSecure(request, this.#proxies) ? null : this.sessions.find(id)
  }

  carriesCsrf({ headers }: IncomingMessage, session: Session): boolean {
    const presented = headers[csrfHeader.toLowerCase()]
    return typeof presented === 'string' && isCsrfOf(session, presented)
  }

  /** Why a token must not be sent over this connection; null if it may. */
  transportFault(request: IncomingMessage): string | null {
    return transportFault(request, this.#proxies)
  }

  isEncrypted(request: IncomingMessage): boolean {
    return isEncrypted(request, this.#proxies)
  }

  /** Whether the page has the host name and scheme of this request, or those of the public URL. */
  isOwnOrigin(request: IncomingMessage): boolean {
    const { origin, host } = request.headers
    if (origin === undefined || host === undefined) return false
    if (origin === this.#publicOrigin) return true
    const scheme = this.isEncrypted(request) ? 'https' : 'http'
    return URL.parse(`${scheme}://${host}`)?.origin === origin
  }
}
