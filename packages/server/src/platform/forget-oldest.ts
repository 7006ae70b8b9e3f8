// platform/forget-oldest.ts: keeps a map that serves as a cache within its bound.

/** Deletes the entry that was set first. */
export function forgetOldest<Key>(entries: Map<Key, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key)
    return
  }
}
