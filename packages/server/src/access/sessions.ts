// access/sessions.ts: who is signed in to the dashboard. A session is a random id that the browser keeps in a
// cookie; the service keeps only its digest (session-store.ts). It is bound to the token that opened it and
// ends with that token, after twelve hours, or when its principal opens more than ten. Ids are never logged.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type SessionRole, sessionLimits, sessionRoles } from '@pulseward/contract'
import type { Clock } from '../platform/clock.ts'
import type { Principals } from './principals.ts'
import type { Principal } from './principals-format.ts'
import type { KeptSession, SessionStore } from './session-store.ts'

const lifetimeMs = sessionLimits.lifetimeHours * 3_600_000
const sweepEveryMs = 30_000

export interface Session {
  /** Identifies the session inside the service: the digest of its id. */
  readonly key: string
  readonly principal: Principal & { readonly role: SessionRole }
  /** The CSRF token that our pages send; a page of another origin cannot know it. */
  readonly csrf: string
}

export interface OpenedSession extends Session {
  readonly id: string
}

export class Sessions implements Disposable {
  readonly #principals: Principals
  readonly #clock: Clock
  readonly #kept: SessionStore
  readonly #listeners = new Set<(keys: ReadonlySet<string>) => void>()
  readonly #forgetPrincipals: () => void
  readonly #timer: NodeJS.Timeout

  constructor(principals: Principals, clock: Clock, kept: SessionStore) {
    this.#kept = kept
    this.#principals = principals
    this.#clock = clock
    this.#forgetPrincipals = principals.onChange(({ ended }) =>
      this.#endWhere(({ digest }) => ended.has(digest)),
    )
    this.#timer = setInterval(() => this.sweep(), sweepEveryMs).unref()
  }

  /** For metrics and tests. */
  get size(): number {
    return this.#kept.size
  }

  /** Always under a new id, whatever the browser had before. The id is returned once and not stored. */
  open(principal: Session['principal']): OpenedSession {
    this.sweep()
    const own = [...this.#kept.entries()].filter(([, { digest }]) => digest === principal.digest)
    const tooMany = own.slice(0, Math.max(0, own.length - sessionLimits.atOnce + 1))
    this.#end(tooMany.map(([key]) => key))
    const id = randomBytes(32).toString('base64url')
    const key = keyOf(id)
    this.#kept.set(key, {
      digest: principal.digest,
      openedAtMs: this.#clock.monotonicMs(),
      openedAtWallMs: this.#clock.wallMs(),
    })
    return { id, key, principal, csrf: this.#csrfOf(id) }
  }

  /** Null if the id is unknown or its session has ended. */
  find(id: string): Session | null {
    const key = keyOf(id)
    const kept = this.#kept.get(key)
    if (kept === undefined || this.#isOver(kept)) return null
    const principal = this.#principals.inForceOf(kept.digest, this.#clock.wallMs())
    if (principal === null || !mayOpenSession(principal)) return null
    return { key, principal, csrf: this.#csrfOf(id) }
  }

  /** Ends it at once. Rejects with a StoreError if another process that takes over could still know it. */
  async end(id: string): Promise<void> {
    this.#end([keyOf(id)])
    await this.#kept.kept()
  }

  /** Removes ended sessions; called automatically twice per minute. */
  sweep(): void {
    this.#endWhere((kept) => this.#isOver(kept))
    this.#kept.kept().catch(() => undefined)
  }

  /** Called with the keys of sessions that ended. Returns a function that unsubscribes. */
  onEnded(listener: (keys: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#forgetPrincipals()
    this.#listeners.clear()
  }

  /** By both clocks: one may be set back, the other stops while the machine is suspended. */
  #isOver({ openedAtMs, openedAtWallMs }: KeptSession): boolean {
    return (
      this.#clock.monotonicMs() - openedAtMs >= lifetimeMs ||
      this.#clock.wallMs() - openedAtWallMs >= lifetimeMs
    )
  }

  #endWhere(isMeant: (kept: KeptSession) => boolean): void {
    this.#end([...this.#kept.entries()].filter(([, kept]) => isMeant(kept)).map(([key]) => key))
  }

  #end(keys: readonly string[]): void {
    const ended = new Set(keys.filter((key) => this.#kept.delete(key)))
    if (ended.size > 0) for (const listener of this.#listeners) listener(ended)
  }

  /** Derived from the id, so that it need not be stored; it does not reveal the id. */
  #csrfOf(id: string): string {
    return createHmac('sha256', this.#kept.csrfKey).update(id).digest('base64url')
  }
}

/** Workers and probes do not use the dashboard. */
export function mayOpenSession(principal: Principal): principal is Session['principal'] {
  return (sessionRoles as readonly string[]).includes(principal.role)
}

/** In constant time, whatever was presented. */
export function isCsrfOf({ csrf }: Session, presented: string): boolean {
  return timingSafeEqual(hash('sha256', presented, 'buffer'), hash('sha256', csrf, 'buffer'))
}

/**
 * The key of a map lookup: a client cannot choose a digest, so it cannot approach a known one byte by byte,
 * and the timing of the lookup reveals nothing about an id.
 */
function keyOf(id: string): string {
  return hash('sha256', id, 'hex')
}
