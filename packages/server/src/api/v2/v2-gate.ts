// api/v2/v2-gate.ts: who asks, and whether they may: what is judged of a v2 request before its body is read. In this
// order: the way it came, the principal, the operation, the role, and for a write how much of that its principal may do.
import type { IncomingMessage } from 'node:http'
import { v2 } from '@pulseward/contract'
import type { Principals } from '../../access/principals.ts'
import type { Principal } from '../../access/principals-format.ts'
import { mayCall, mayReadV1 } from '../../access/roles.ts'
import type { WriteLimits } from '../../access/write-limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TrustedProxies } from '../client-address.ts'
import { isSecure } from './secure-transport.ts'
import { V2Problem } from './v2-problem.ts'

export interface V2GateOptions {
  readonly principals: Principals
  readonly limits: WriteLimits
  readonly proxies: TrustedProxies
  /** Origins whose pages may write: the service's own, and those that the settings name. */
  readonly isOwnOrigin: (origin: string, host: string | undefined) => boolean
  readonly clock: Clock
}

export class V2Gate {
  readonly #options: V2GateOptions

  constructor(options: V2GateOptions) {
    this.#options = options
  }

  /** Throws a problem when nobody that is known asks, or when somebody could listen. */
  principalOf(request: IncomingMessage): Principal {
    const { principals, proxies, clock } = this.#options
    if (!isSecure(request, proxies))
      throw new V2Problem(
        'insecureTransport',
        'v2 is served over TLS, through a configured proxy that speaks https, or to this machine itself.',
      )
    const token = bearerOf(request.headers.authorization)
    if (token === null) throw new V2Problem('unauthorized', 'Send the token of a principal as Bearer.')
    const principal = principals.principalOf(token, clock.wallMs())
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
    const { principals, clock } = this.#options
    const principal = principals.principalOf(token, clock.wallMs())
    return principal !== null && principal !== 'expired' && mayReadV1(principal.role)
  }

  /** Whether there is a principal now that may use the service. */
  get isOpenToSomebody(): boolean {
    return this.#options.principals.inForce > 0
  }

  /** Throws a problem when the role does not allow the operation, or the origin does not allow writes. */
  allow(principal: Principal, operation: v2.OperationName, { headers }: IncomingMessage): void {
    if (!mayCall(principal.role, operation))
      throw new V2Problem(
        'forbidden',
        `${principal.name} has the role ${principal.role}, which may not do this.`,
      )
    const { origin, host } = headers
    const isWrite = v2.isMutation(v2.operations[operation])
    if (isWrite && origin !== undefined && !this.#options.isOwnOrigin(origin, host))
      throw new V2Problem('originNotAllowed', 'Pages of this origin may not write.')
  }

  /** A write has begun; the answer ends it. Throws a problem when its principal writes too much. */
  beginWrite({ name }: Principal): Disposable {
    const decision = this.#options.limits.begin(name)
    if (decision.allowed) return { [Symbol.dispose]: () => decision.end() }
    const { retryAfterSeconds } = decision
    throw new V2Problem('rateLimited', `${name} writes too much at once.`, { retryAfterSeconds })
  }
}

function bearerOf(header: string | undefined): string | null {
  return /^Bearer +([^ ]+)$/i.exec(header ?? '')?.[1] ?? null
}
