// api/authentication.ts: which requests are let in: those with the v1 token, or with the token of a principal
// that may read, sent as Bearer or as the password of the fixed user svc. Tokens are compared in constant
// time, by digest. A client that keeps guessing is answered late; a correct token is never delayed or refused
// because of what other clients did.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { WrongGuesses } from './wrong-guesses.ts'

const userName = 'svc'

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly delayMs: number; readonly detail: string }

/** The principals of v2; their tokens also read v1. */
export interface PrincipalGate {
  readsV1(token: string): boolean
  /** Whether the request belongs to a session whose principal may read v1. */
  sessionReadsV1(request: IncomingMessage): boolean
  /** Whether this is a v2 request whose token is not valid there. */
  presentsWrongToken(request: IncomingMessage): boolean
}

export class Authentication {
  /** Null if only principals are let in. */
  readonly #digest: Buffer | null
  readonly #principals: PrincipalGate | null
  readonly #guesses: WrongGuesses

  constructor(token: string | null, guesses: WrongGuesses, principals: PrincipalGate | null = null) {
    this.#digest = token === null ? null : digestOf(token)
    this.#principals = principals
    this.#guesses = guesses
  }

  check(header: string | undefined, peer: string): Decision {
    if (header === undefined || header === '')
      return { allowed: false, delayMs: 0, detail: 'Send the token as Bearer, or log in as svc.' }
    if (this.accepts(header)) return { allowed: true }
    return { allowed: false, delayMs: this.#guesses.delayMs(peer), detail: 'The credentials are not right.' }
  }

  /** Whether the header would be let in, without counting a guess. */
  accepts(header: string): boolean {
    const presented = tokenIn(header)
    return presented !== null && this.#isRight(presented)
  }

  #isRight(presented: string): boolean {
    if (this.#digest !== null && timingSafeEqual(digestOf(presented), this.#digest)) return true
    return this.#principals?.readsV1(presented) ?? false
  }
}

/** The token that a client presents in an Authorization header; null if the header has none. */
export function tokenIn(header: string): string | null {
  const [, scheme, presented] = /^(Bearer|Basic) +([^ ]+)$/i.exec(header) ?? []
  if (scheme === undefined || presented === undefined) return null
  if (scheme.toLowerCase() === 'bearer') return presented
  const login = Buffer.from(presented, 'base64').toString('utf8')
  return login.startsWith(`${userName}:`) ? login.slice(userName.length + 1) : null
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The challenge to send: a browser that opens a page should show its login form, an API client should not. */
export function challengeFor(path: string): string {
  return isForMachines(path) ? 'Bearer realm="pulseward"' : 'Basic realm="pulseward", charset="UTF-8"'
}

/** The API and the metrics; all other paths serve the dashboard. */
export function isForMachines(path: string): boolean {
  return path.startsWith('/api/') || path === '/api' || path === '/metrics'
}
