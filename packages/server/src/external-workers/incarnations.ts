// external-workers/incarnations.ts: the incarnation of the monitor that a job is for. A check is for the current one. It
// is read from the store and cached until a resource changes, because workers ask for the same few again and again. The
// change counter is compared on every lookup, so code that writes resources does not have to invalidate the cache. An
// action is for the incarnation that it was created for, even if the monitor was recreated since.
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

  /** `lastChange` returns the number of the last resource change that is on disk. */
  constructor(store: Pick<Store, 'readResource' | 'readIncarnations'>, lastChange: () => number) {
    this.#store = store
    this.#lastChange = lastChange
  }

  /** One uid per job, in the same order. Empty for a monitor of a fleet file and for a job without a monitor. */
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
    // `known` belongs to the change that was current before the read, so a late read never gets into a newer map.
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
