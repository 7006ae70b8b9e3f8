// api/v2/v2-gate.ts: what is checked of a v2 request before its body is read: who calls, and whether they may. In this
// order: transport, principal, the CSRF token of a session, operation, role, origin of a write, and the write limits of
// the principal. A Bearer token takes precedence over a session cookie; Basic is ignored.
import type { IncomingMessage } from 'node:http'
import { csrfHeader, sessionPath, v2 } from '@pulseward/contract'
import type { Principals } from '../../access/principals.ts'
import type { Principal } from '../../access/principals-format.ts'
import { mayCall, mayReadV1 } from '../../access/roles.ts'
import type { WriteLimits } from '../../access/write-limits.ts'
import type { Clock } from '../../platform/clock.ts'
import { V2Problem } from '../../requests/v2-problem.ts'
import type { TrustedProxies } from '../client-address.ts'
import type { SessionGate } from '../session/session-gate.ts'
import { transportFault } from './secure-transport.ts'

export interface V2GateOptions {
  readonly principals: Principals
  readonly sessions: SessionGate
  readonly limits: WriteLimits
  /** The limits for calls by workers. */
  readonly workerLimits: WriteLimits
  readonly proxies: TrustedProxies
  /** Origins whose pages may write: the service's own and those in the settings. */
  readonly isOwnOrigin: (origin: string, host: string | undefined) => boolean
  readonly clock: Clock
}

/** The authenticated caller. */
export interface V2Caller {
  readonly principal: Principal
  /** Authenticated by a session cookie, which browsers attach automatically. */
  readonly isSession: boolean
}

export class V2Gate {
  readonly #options: V2GateOptions

  constructor(options: V2GateOptions) {
    this.#options = options
  }

  /** Throws a problem if the caller is unauthenticated, or if the connection is not private. */
  callerOf(request: IncomingMessage): V2Caller {
    const fault = transportFault(request, this.#options.proxies)
    if (fault !== null) throw new V2Problem('insecureTransport', fault)
    if (isByToken(request)) return { principal: this.#principalOf(bearerOf(request)), isSession: false }
    const session = this.#options.sessions.sessionOf(request)
    if (session === null) throw new V2Problem('unauthorized', 'Send the token of a principal as Bearer.')
    if (!this.#options.sessions.carriesCsrf(request, session))
      throw new V2Problem(
        'csrfMismatch',
        `A request by a session carries the CSRF token of that session as ${csrfHeader}; GET ${sessionPath} tells it.`,
      )
    return { principal: session.principal, isSession: true }
  }

  /** Whether the request presents a token that is not valid. */
  presentsWrongToken(request: IncomingMessage): boolean {
    if (!isByToken(request)) return false
    const token = bearerOf(request)
    const principal = token === null ? null : this.#find(token)
    return principal === null || principal === 'expired'
  }

  #principalOf(token: string | null): Principal {
    if (token === null) throw new V2Problem('unauthorized', 'Send the token of a principal as Bearer.')
    const principal = this.#find(token)
    if (principal === 'expired') throw new V2Problem('unauthorized', 'The token has expired.')
    if (principal === null) throw new V2Problem('unauthorized', 'The token is not one of a principal.')
    return principal
  }

  /** Whether the token belongs to a principal, even if it has expired. */
  knows(token: string): boolean {
    return this.#options.principals.knows(token)
  }

  /** Whether the token belongs to a principal that may read v1. */
  readsV1(token: string): boolean {
    const principal = this.#find(token)
    return principal !== null && principal !== 'expired' && mayReadV1(principal.role)
  }

  /** Whether the request belongs to a session whose principal may read v1. */
  sessionReadsV1(request: IncomingMessage): boolean {
    const session = this.#options.sessions.sessionOf(request)
    return session !== null && mayReadV1(session.principal.role)
  }

  #find(token: string): Principal | 'expired' | null {
    return this.#options.principals.principalOf(token, this.#options.clock.wallMs())
  }

  /** Whether any principal may use the service now. */
  get isOpenToSomebody(): boolean {
    return this.#options.principals.inForce > 0
  }

  /** Throws a problem if the role does not permit the operation, or the origin may not write. */
  allow({ principal, isSession }: V2Caller, operation: v2.OperationName, request: IncomingMessage): void {
    if (!mayCall(principal.role, operation))
      throw new V2Problem(
        'forbidden',
        `${principal.name} has the role ${principal.role}, which may not do this.`,
      )
    if (!v2.isMutation(v2.operations[operation])) return
    const { origin, host } = request.headers
    if (isSession && !this.#options.sessions.isOwnOrigin(request))
      throw new V2Problem(
        'originNotAllowed',
        'With a session, only pages of this service may write; if this is one, set public_url to its address.',
      )
    if (origin !== undefined && !this.#options.isOwnOrigin(origin, host))
      throw new V2Problem('originNotAllowed', 'Pages of this origin may not write.')
  }

  /** To be called when a write begins; disposing ends it. Throws a problem if its principal writes too much. */
  beginWrite({ name }: Principal): Disposable {
    const decision = this.#options.limits.begin(name)
    if (decision.allowed) return { [Symbol.dispose]: () => decision.end() }
    const { retryAfterSeconds } = decision
    throw new V2Problem('rateLimited', `${name} writes too much at once.`, { retryAfterSeconds })
  }

  /**
   * To be called when a worker calls; disposing ends the call. Throws a problem if the principal's workers
   * call too often.
   */
  beginWorkerCall({ name }: Principal): Disposable {
    const decision = this.#options.workerLimits.begin(name)
    if (decision.allowed) return { [Symbol.dispose]: () => decision.end() }
    const { retryAfterSeconds } = decision
    throw new V2Problem('rateLimited', `Workers of ${name} call too often, or send too much at once.`, {
      retryAfterSeconds,
    })
  }

  /** Every further KiB that a worker sends counts as another call: reading it takes as long. */
  noteWorkerBody({ name }: Principal, bytes: number): void {
    this.#options.workerLimits.charge(name, Math.max(0, Math.ceil(bytes / 1024) - 1))
  }
}

function isByToken({ headers: { authorization = '' } }: IncomingMessage): boolean {
  return /^Bearer\b/i.test(authorization)
}

function bearerOf({ headers: { authorization = '' } }: IncomingMessage): string | null {
  return /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? null
}
