// api/v2/v2-gate.ts: who asks, and whether they may: what is judged of a v2 request before its body is read. In this
// order: the way it came, the principal, for a session its CSRF token, the operation, the role, the origin of a write, and
// how much its principal may write. Bearer counts, else the cookie of a session; Basic is ignored.
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
  /** Of calls by workers. */
  readonly workerLimits: WriteLimits
  readonly proxies: TrustedProxies
  /** Origins whose pages may write: the service's own, and those that the settings name. */
  readonly isOwnOrigin: (origin: string, host: string | undefined) => boolean
  readonly clock: Clock
}

/** Who asks. */
export interface V2Caller {
  readonly principal: Principal
  /** By the cookie of a session, which browsers attach by themselves. */
  readonly isSession: boolean
}

export class V2Gate {
  readonly #options: V2GateOptions

  constructor(options: V2GateOptions) {
    this.#options = options
  }

  /** Throws a problem when nobody that is known asks, or when somebody could listen. */
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

  /** Whether the request asks by a token that is not in force. */
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

  /** Whether it is the token of a principal, even an expired one. */
  knows(token: string): boolean {
    return this.#options.principals.knows(token)
  }

  /** Whether the token is one of a principal that may read v1. */
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

  /** Whether there is a principal now that may use the service. */
  get isOpenToSomebody(): boolean {
    return this.#options.principals.inForce > 0
  }

  /** Throws a problem when the role does not allow the operation, or the origin does not allow writes. */
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

  /** A write has begun; the answer ends it. Throws a problem when its principal writes too much. */
  beginWrite({ name }: Principal): Disposable {
    const decision = this.#options.limits.begin(name)
    if (decision.allowed) return { [Symbol.dispose]: () => decision.end() }
    const { retryAfterSeconds } = decision
    throw new V2Problem('rateLimited', `${name} writes too much at once.`, { retryAfterSeconds })
  }

  /** A worker calls; the answer ends it. Throws a problem when workers of its principal call too much. */
  beginWorkerCall({ name }: Principal): Disposable {
    const decision = this.#options.workerLimits.begin(name)
    if (decision.allowed) return { [Symbol.dispose]: () => decision.end() }
    const { retryAfterSeconds } = decision
    throw new V2Problem('rateLimited', `Workers of ${name} call too often, or say too much at once.`, {
      retryAfterSeconds,
    })
  }

  /** Every further KiB that a worker sends counts as a call: reading it takes as long. */
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
