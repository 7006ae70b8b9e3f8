// store/forgetful-store.ts: for the edition that keeps nothing: decisions count as committed as soon as they are given,
// and only their number is remembered.
import type { CommitBatch, CommittedBatch, Store } from './store.ts'

export class ForgetfulStore implements Pick<Store, 'commit'> {
  #position = 0
  #batch = 0

  async commit({ events }: CommitBatch): Promise<CommittedBatch> {
    this.#position += events.length
    return { position: this.#position, latencyMs: 0, batch: ++this.#batch }
  }
}
