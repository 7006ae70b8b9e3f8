// checks/driver/load-once.ts: a module that a driver needs only if a fleet uses it. It is loaded with the first check of
// the thread and kept, because asking the loader again costs each check about as much as its share of the runner.

/** A failed load is retried by the next check. */
export function loadOnce<Module extends object>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | null = null
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null
      throw error
    })
    return loaded
  }
}
