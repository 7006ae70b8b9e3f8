// external-workers/incarnations.ts: the incarnation of a monitor that a check is for. Read from the store, and remembered
// until a resource changes: workers ask for the same few again and again. Whether one has changed is asked each time, so
// that no way of writing resources has to tell of it.
import type { Store } from '../store/store.ts'

const mostKnown = 100_000

export class Incarnations {
  readonly #store: Pick<Store, 'readResource'>
  readonly #lastChange: () => number
  #known = new Map<string, string>()
  #knownAt = -1

  /** lastChange: the last change of a resource that is on disk. */
  constructor(store: Pick<Store, 'readResource'>, lastChange: () => number) {
    this.#store = store
    this.#lastChange = lastChange
  }

  /** Empty for a monitor of a fleet file, which has none. */
  async of(monitorId: string): Promise<string> {
    const known = this.#current()
    const found = known.get(monitorId)
    if (found !== undefined) return found
    const uid = (await this.#store.readResource('Monitor', monitorId))?.uid ?? ''
    // A map that was current before the read stays with its change: what is read late never gets into a newer one.
    if (known.size < mostKnown) known.set(monitorId, uid)
    return uid
  }

  #current(): Map<string, string> {
    const change = this.#lastChange()
    if (change !== this.#knownAt) {
      this.#known = new Map()
      this.#knownAt = change
    }
    return this.#known
  }
}
