// access/session-store.ts: where open sessions are kept. In memory a restart ends them all; a store that several
// machines share keeps them for all of these (shared-sessions.ts).
import { randomBytes } from 'node:crypto'

export interface KeptSession {
  /** The digest of its principal's token. */
  readonly digest: string
  /** By the monotonic clock of the process that opened it. */
  readonly openedAtMs: number
  readonly openedAtWallMs: number
}

export interface SessionStore {
  /** Derives the CSRF tokens; the same for all processes that share the sessions. */
  readonly csrfKey: Uint8Array
  readonly size: number
  get(key: string): KeptSession | undefined
  set(key: string, session: KeptSession): void
  /** False if there is none. */
  delete(key: string): boolean
  /** Oldest first. */
  entries(): Iterable<readonly [key: string, session: KeptSession]>
  /** Resolves when all changes so far hold for whoever shares the sessions. Rejects with a StoreError if they cannot now. */
  kept(): Promise<void>
}

export function sessionsInMemory(): SessionStore {
  const kept = new Map<string, KeptSession>()
  return {
    csrfKey: randomBytes(32),
    get size() {
      return kept.size
    },
    get: (key) => kept.get(key),
    set: (key, session) => void kept.set(key, session),
    delete: (key) => kept.delete(key),
    entries: () => kept.entries(),
    kept: async () => {},
  }
}
