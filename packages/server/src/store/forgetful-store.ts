// store/forgetful-store.ts: the store of the edition that keeps nothing: a batch counts as committed at once,
// and only the position is remembered.
import type { CommitBatch, CommittedBatch, Store } from './store.ts'

export class ForgetfulStore implements Pick<Store, 'commit'> {
  #position = 0
  #batch = 0

  async commit({ events }: CommitBatch): Promise<CommittedBatch> {
    this.#position += events.length
    return { position: this.#position, latencyMs: 0, batch: ++this.#batch }
  }
}
