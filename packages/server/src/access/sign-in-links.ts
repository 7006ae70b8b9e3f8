// access/sign-in-links.ts: one-time links that sign a browser in as the operator for whom they were made. A link ends when
// it is used, after ten minutes by either clock, with the token of its operator, and with the process. Only digests of
// its secret are kept, in memory. Secrets are never logged.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sessionLimits } from '@pulseward/contract'
import type { Clock } from '../platform/clock.ts'
import type { Principals } from './principals.ts'
import type { Principal } from './principals-format.ts'

const lifetimeMs = sessionLimits.linkMinutes * 60_000

interface OpenLink {
  readonly secretDigest: Buffer
  /** The digest of its operator's token. */
  readonly digest: string
  readonly madeAtMs: number
  readonly madeAtWallMs: number
}

export interface MadeLink {
  readonly secret: string
  readonly expiresAtMs: number
}

export class SignInLinks {
  readonly #principals: Principals
  readonly #clock: Clock
  /** Oldest first. */
  #open: readonly OpenLink[] = []

  constructor(principals: Principals, clock: Clock) {
    this.#principals = principals
    this.#clock = clock
  }

  /** digest: of the operator's token. The secret is returned once and not stored. */
  make(digest: string): MadeLink {
    const secret = randomBytes(32).toString('base64url')
    const madeAtWallMs = this.#clock.wallMs()
    const link = {
      secretDigest: digestOf(secret),
      digest,
      madeAtMs: this.#clock.monotonicMs(),
      madeAtWallMs,
    }
    this.#open = [...this.#open, link].slice(-sessionLimits.links)
    return { secret, expiresAtMs: madeAtWallMs + lifetimeMs }
  }

  /** Ends the link. Null if there is none with this secret, or it has expired, or its operator may sign in no longer. */
  redeem(secret: string): Principal | null {
    const presented = digestOf(secret)
    // Every link is compared, so that the time tells nothing. Before this returns, nobody else can redeem it.
    const found = this.#open.filter((link) => timingSafeEqual(link.secretDigest, presented))
    this.#open = this.#open.filter((link) => !found.includes(link) && !this.#isOver(link))
    const [link] = found
    if (link === undefined || this.#isOver(link)) return null
    const principal = this.#principals.inForceOf(link.digest, this.#clock.wallMs())
    return principal?.role === 'operator' ? principal : null
  }

  /** By both clocks: one may be set back, the other stops while the machine is suspended. */
  #isOver({ madeAtMs, madeAtWallMs }: OpenLink): boolean {
    return (
      this.#clock.monotonicMs() - madeAtMs >= lifetimeMs || this.#clock.wallMs() - madeAtWallMs >= lifetimeMs
    )
  }
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
