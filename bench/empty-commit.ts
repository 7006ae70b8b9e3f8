// bench/empty-commit.ts: a commit that changes nothing, to put in what a benchmark writes.
import type { CommitBatch } from '../packages/server/src/store/store.ts'

export const nothing: CommitBatch = {
  events: [],
  states: [],
  actions: [],
  identities: [],
  blocks: [],
  slo: null,
  destinations: null,
  resources: [],
  operations: [],
}
