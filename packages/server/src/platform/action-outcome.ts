// platform/action-outcome.ts: the outcome of one call to a provider or a recovery target. Drivers return it, runners and
// the action flow pass it on, and the ledger decides by it, all in these words. A definite answer is a fact. A lost
// answer, or a timeout after the request was sent, is unknown and never repeated automatically.

export type ActionOutcome =
  /** The other side accepted. The note is for people, if there is something to add. */
  | { readonly kind: 'accepted'; readonly note?: string }
  /** Definitely not done, and a retry would get the same answer: a bad key, a malformed message. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Definitely not done, but it may work later; with the wait that the provider asked for, null if it named none. */
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs: number | null }
  /** The service did not try: this says nothing about the other side. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The destination no longer exists: nothing may be sent there until its configuration changes. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** It may have been done. */
  | { readonly kind: 'unknown'; readonly reason: string }

export function accepted(note?: string): ActionOutcome {
  return note === undefined ? { kind: 'accepted' } : { kind: 'accepted', note }
}

export function rejected(reason: string): ActionOutcome {
  return { kind: 'rejected', reason }
}

export function retry(reason: string, retryAfterMs: number | null = null): ActionOutcome {
  return { kind: 'retry', reason, retryAfterMs }
}

export function notSent(reason: string): ActionOutcome {
  return { kind: 'not-sent', reason }
}

export function gone(reason: string): ActionOutcome {
  return { kind: 'gone', reason }
}

export function unknown(reason: string): ActionOutcome {
  return { kind: 'unknown', reason }
}

const failures: ReadonlySet<unknown> = new Set(['rejected', 'retry', 'not-sent', 'gone', 'unknown'])

/** A runtime check: the types of a driver's library cannot be relied on. */
export function isActionOutcome(value: ActionOutcome | null | undefined): value is ActionOutcome {
  if (typeof value !== 'object' || value === null) return false
  if (value.kind === 'accepted') return value.note === undefined || typeof value.note === 'string'
  if (!failures.has(value.kind) || typeof value.reason !== 'string') return false
  return value.kind !== 'retry' || value.retryAfterMs === null || Number.isFinite(value.retryAfterMs)
}
