// external-workers/incarnations.ts: the incarnation of a monitor that a job is for. A check is for the one that is there now,
// which is read from the store and remembered until a resource changes: workers ask for the same few again and again.
// Whether one has changed is asked each time, so that no way of writing resources has to tell of it. An action is for the
// one that it was made for, even if another is there by now.
import type { Store } from '../store/store.ts'
import type { Job } from './job.ts'

type Jobs = readonly Pick<Job, 'executionId' | 'monitorId' | 'check'>[]

const mostKnown = 100_000
const noActions: ReadonlyMap<string, string> = new Map()

export class Incarnations {
  readonly #store: Pick<Store, 'readResource' | 'readIncarnations'>
  readonly #lastChange: () => number
  #known = new Map<string, string>()
  #knownAt = -1

  /** lastChange: the last change of a resource that is on disk. */
  constructor(store: Pick<Store, 'readResource' | 'readIncarnations'>, lastChange: () => number) {
    this.#store = store
    this.#lastChange = lastChange
  }

  /** In the order of the jobs. Empty for a monitor of a fleet file, and for a job without a monitor. */
  async of(jobs: Jobs): Promise<string[]> {
    const actionIds = jobs.flatMap(({ check, executionId }) => (check === null ? [executionId] : []))
    const ofActions = actionIds.length === 0 ? noActions : await this.#store.readIncarnations(actionIds)
    return Promise.all(
      jobs.map(({ check, executionId, monitorId }) => {
        if (check === null || monitorId === null) return ofActions.get(executionId) ?? ''
        return this.#present(monitorId)
      }),
    )
  }

  async #present(monitorId: string): Promise<string> {
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
