// store.ts: a value outside React that components can watch. For state of the page as a whole: appearance,
// connection, pause, keys. The query client keeps the data of the service.
import { useSyncExternalStore } from 'react'

export interface Store<Value> {
  get(): Value
  /** Watchers are called only if the value differs. */
  set(value: Value): void
  watch(watcher: () => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  const watchers = new Set<() => void>()
  let current = initial
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const watcher of [...watchers]) watcher()
    },
    watch(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.watch, store.get)
}
