// store/shared-access.ts: who may use the service, and who is signed in, for a store that several machines share: what was
// made or ended on one of them holds on the others. Only such a store keeps it; with any other, principals are a file and
// sessions are in memory.

/** A list that commands change too, while a service runs or none does. */
export interface SharedPrincipals {
  /** The list as text; null if it is still `known`, or if there never was one. */
  newerThan(known: string | null): Promise<string | null>
  /** False if the list is not `before` any more. With null there must be none. */
  replace(before: string | null, text: string): Promise<boolean>
}

export interface StoredSession {
  readonly key: string
  /** The digest of its principal's token. */
  readonly digest: string
  readonly openedAt: number
}

export interface SharedSessions {
  read(): Promise<readonly StoredSession[]>
  /** All or none of them. Rejects with `fenced` if another process has taken the store over. */
  change(opened: readonly StoredSession[], ended: readonly string[]): Promise<void>
}

export interface SharedAccess {
  readonly principals: SharedPrincipals
  readonly sessions: SharedSessions
}
