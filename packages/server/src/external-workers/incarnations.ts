// external-workers/incarnations.ts: which incarnation of a monitor a job is for. Read from the store, and remembered until
// any monitor changes: workers ask for the same few again and again.
import type { Store } from '../store/store.ts'

const mostKnown = 100_000

export class Incarnations {
  readonly #store: Pick<Store, 'readResource'>
  #known = new Map<string, string>()

  constructor(store: Pick<Store, 'readResource'>) {
    this.#store = store
  }

  /** A monitor came, left or changed. */
  forget(): void {
    if (this.#known.size > 0) this.#known = new Map()
  }

  /** Empty for a monitor of a fleet file, which has none. */
  async of(monitorId: string): Promise<string> {
    const known = this.#known
    const found = known.get(monitorId)
    if (found !== undefined) return found
    const uid = (await this.#store.readResource('Monitor', monitorId))?.uid ?? ''
    if (known.size < mostKnown) known.set(monitorId, uid)
    return uid
  }
}
