// access/shared-sessions.ts: sessions of a service whose store several machines share: in memory, and written to the store
// with each change, so that the process that takes over knows them. Signing in does not wait for the store; signing out
// does. What could not be written is written with the next change or sweep.
import { createHmac } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import type { SharedSessions, StoredSession } from '../store/shared-access.ts'
import { StoreError } from '../store/store.ts'
import type { KeptSession, SessionStore } from './session-store.ts'

const keptWithinMs = 3_000

/** `secret`: known to all processes that share the store. Rejects with a StoreError if they cannot be read. */
export async function sessionsInStore(
  shared: SharedSessions,
  secret: Uint8Array,
  clock: Clock,
): Promise<SessionStore> {
  return new SessionsInStore(shared, secret, clock, await shared.read())
}

class SessionsInStore implements SessionStore {
  readonly csrfKey: Uint8Array
  readonly #shared: SharedSessions
  readonly #kept: Map<string, KeptSession>
  /** What the store does not have yet; null for one that has ended. */
  readonly #changed = new Map<string, StoredSession | null>()
  #writing: Promise<void> | null = null

  constructor(shared: SharedSessions, secret: Uint8Array, clock: Clock, stored: readonly StoredSession[]) {
    this.#shared = shared
    this.csrfKey = createHmac('sha256', secret).update('CSRF tokens of sessions').digest()
    const [nowMs, wallMs] = [clock.monotonicMs(), clock.wallMs()]
    this.#kept = new Map(
      stored.map(({ key, digest, openedAt }) => [
        key,
        { digest, openedAtMs: nowMs - Math.max(0, wallMs - openedAt), openedAtWallMs: openedAt },
      ]),
    )
  }

  get size(): number {
    return this.#kept.size
  }

  get(key: string): KeptSession | undefined {
    return this.#kept.get(key)
  }

  set(key: string, session: KeptSession): void {
    this.#kept.set(key, session)
    const { digest, openedAtWallMs: openedAt } = session
    this.#changed.set(key, { key, digest, openedAt })
    this.#write().catch(() => undefined)
  }

  delete(key: string): boolean {
    if (!this.#kept.delete(key)) return false
    this.#changed.set(key, null)
    this.#write().catch(() => undefined)
    return true
  }

  entries(): Iterable<readonly [key: string, session: KeptSession]> {
    return this.#kept.entries()
  }

  async kept(): Promise<void> {
    const tooLate = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => tooLate.reject(new StoreError('io', 'The store does not answer in time.')),
      keptWithinMs,
    )
    try {
      await Promise.race([this.#write(), tooLate.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#changed.size > 0) {
      const sent = [...this.#changed]
      await this.#shared.change(
        sent.flatMap(([, opened]) => opened ?? []),
        sent.flatMap(([key, opened]) => (opened === null ? [key] : [])),
      )
      for (const [key, change] of sent) if (this.#changed.get(key) === change) this.#changed.delete(key)
    }
  }
}
