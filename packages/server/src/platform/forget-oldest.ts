// platform/forget-oldest.ts: keeps a map that is used as a cache within its bound.

/** Deletes the entry that was inserted first. */
export function forgetOldest<Key>(entries: Map<Key, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key)
    return
  }
}
